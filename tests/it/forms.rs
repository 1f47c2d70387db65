//! Rows of a sheet arrive in forms exactly as they stand in the sheet: in the practice window in both languages and
//! in every arrangement, and in programs of other toolkits that know nothing of Deskhand.

use std::process::Command;

use serde_json::Value;

use crate::support::{Display, Program, Stage, records, root, rows, told};

/// The columns of an orders sheet as keys of the practice window's log.
pub const ORDER_KEYS: [&str; 8] =
    ["order_no", "customer", "product_code", "quantity", "unit_price", "payment", "urgent", "remark"];
pub const STOCK_KEYS: [&str; 7] = ["code", "name", "quantity", "warehouse", "unit", "inspected", "note"];
const CUSTOMER_KEYS: [&str; 7] = ["code", "name", "contact", "phone", "category", "credit_limit", "vip"];

/// A saved record in the order of the sheet's columns; a ticked box reads as the sheet's yes.
pub fn as_row(record: &Value, keys: &[&str], yes_no: (&str, &str)) -> Vec<String> {
    keys.iter()
        .map(|key| match &record[*key] {
            Value::Bool(true) => yes_no.0.to_string(),
            Value::Bool(false) => yes_no.1.to_string(),
            value => value.as_str().unwrap_or_default().to_string(),
        })
        .collect()
}

fn orders_arrive(lang: &str, seed: u32) {
    let stage = Stage::practice(lang, seed);
    let (display, folder, log) = (&stage.display, &stage.folder, &stage.log);
    let (name, yes_no) = if lang == "zh" { ("orders_zh.csv", ("是", "否")) } else { ("orders.csv", ("yes", "no")) };
    let sheet = root().join("bench/data").join(name);
    let run_dir = folder.path().join("run");
    let output = display.deskhand(&[
        "run",
        "Enter these orders and save each one",
        "--data",
        sheet.to_str().unwrap(),
        "--approve",
        "always",
        "--run-dir",
        run_dir.to_str().unwrap(),
    ]);
    let saved: Vec<Vec<String>> = records(log).iter().map(|r| as_row(r, &ORDER_KEYS, yes_no)).collect();
    assert_eq!(saved, rows(&sheet), "{}", told(&output));
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(run_dir.join("result.json").is_file() && run_dir.join("report.csv").is_file());
    assert!(std::fs::read_dir(run_dir.join("pictures")).unwrap().count() >= 6);
}

macro_rules! practice_orders {
    ($($name:ident: $lang:literal $seed:literal;)*) => {$(
        #[test]
        fn $name() {
            orders_arrive($lang, $seed);
        }
    )*};
}

practice_orders! {
    english_orders_arrive_in_the_plain_form: "en" 0;
    english_orders_arrive_in_form_1: "en" 1;
    english_orders_arrive_in_form_2: "en" 2;
    english_orders_arrive_in_form_3: "en" 3;
    english_orders_arrive_in_form_4: "en" 4;
    chinese_orders_arrive_in_the_plain_form: "zh" 0;
    chinese_orders_arrive_in_form_1: "zh" 1;
    chinese_orders_arrive_in_form_2: "zh" 2;
    chinese_orders_arrive_in_form_3: "zh" 3;
    chinese_orders_arrive_in_form_4: "zh" 4;
}

/// Fills a foreign form: at least four of five rows are saved, none of them wrong, the rest is reported.
fn foreign_form(display: &Display, app: &str, title: &str, sheet: &str, keys: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("saved.jsonl");
    let mut command = Command::new("/usr/bin/python3");
    command.arg(root().join("bench/apps").join(app)).arg(&log).args(["--lang", "en"]);
    let _app: Program = display.open(&mut command, title);
    let sheet = root().join("bench/data").join(sheet);
    let run_dir = folder.path().join("run");
    let output = display.deskhand(&[
        "fill",
        sheet.to_str().unwrap(),
        "--into",
        title,
        "--approve",
        "always",
        "--json",
        "--run-dir",
        run_dir.to_str().unwrap(),
    ]);
    let wanted = rows(&sheet);
    let saved: Vec<Vec<String>> = records(&log).iter().map(|r| as_row(r, keys, ("yes", "no"))).collect();
    for row in &saved {
        assert!(wanted.contains(row), "a wrong record was saved: {row:?}\n{}", told(&output));
    }
    assert!(saved.len() >= 4, "{}", told(&output));
    let stdout = crate::support::text(&output.stdout);
    let totals: Value = serde_json::from_str(stdout.lines().last().unwrap()).unwrap();
    assert_eq!(totals["rows"], 5);
    let count = |key: &str| totals[key].as_u64().unwrap();
    assert_eq!(count("saved") as usize, saved.len(), "what is reported is what is there: {totals}");
    assert_eq!(count("saved") + count("failed") + count("skipped") + count("unknown"), 5);
    assert_eq!(output.status.code(), Some(if saved.len() == 5 { 0 } else { 1 }));
}

#[test]
fn a_gtk_form_takes_its_rows() {
    foreign_form(&Display::start(), "gtk_stock.py", "Stock receipt", "stock.csv", &STOCK_KEYS);
}

#[test]
fn a_gtk_form_that_tells_of_itself_takes_its_rows_too() {
    foreign_form(&Display::accessible(), "gtk_stock.py", "Stock receipt", "stock.csv", &STOCK_KEYS);
}

#[test]
fn a_tk_form_with_message_boxes_takes_its_rows() {
    foreign_form(&Display::start(), "tk_customers.py", "Customer file", "customers.csv", &CUSTOMER_KEYS);
}

#[test]
fn a_record_that_the_program_refuses_is_reported_and_never_counted_as_saved() {
    let stage = Stage::practice("en", 0);
    let (display, folder, log) = (&stage.display, &stage.folder, &stage.log);
    let sheet = folder.path().join("orders.csv");
    // The second order number is used twice; the third quantity is no number.
    std::fs::write(
        &sheet,
        "Order No,Customer,Product Code,Qty,Price,Payment\nA-1,Sample Ltd,00120,3,12.50,Cash\n\
         A-1,Sample Ltd,00120,3,12.50,Cash\nA-3,Sample Ltd,00120,three,12.50,Cash\n",
    )
    .unwrap();
    let run_dir = folder.path().join("run");
    let output = display.deskhand(&[
        "fill",
        sheet.to_str().unwrap(),
        "--approve",
        "always",
        "--run-dir",
        run_dir.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert_eq!(records(log).len(), 1, "{}", told(&output));
    let stdout = crate::support::text(&output.stdout);
    assert!(stdout.contains("row 2: failed") && stdout.contains("already exists"), "{stdout}");
    assert!(stdout.contains("row 3: failed") && stdout.contains("number"), "{stdout}");
    assert!(stdout.contains("saved 1 of 3"), "{stdout}");
    let report = std::fs::read_to_string(run_dir.join("report.csv")).unwrap();
    assert!(report.starts_with('\u{feff}') && report.contains("failed"), "{report}");
}

#[test]
fn a_column_without_a_field_is_no_silent_loss() {
    let stage = Stage::practice("en", 0);
    let (display, folder, log) = (&stage.display, &stage.folder, &stage.log);
    let sheet = folder.path().join("orders.csv");
    let text = "Order No,Customer,Product Code,Qty,Price,Payment,Shoe colour\nA-1,Sample Ltd,00120,3,12.50,Cash,red\n";
    std::fs::write(&sheet, text).unwrap();
    let fill = |more: &[&str], run: &str| {
        let run_dir = folder.path().join(run);
        let mut args =
            vec!["fill", sheet.to_str().unwrap(), "--approve", "always", "--run-dir", run_dir.to_str().unwrap()];
        args.extend(more);
        display.deskhand(&args)
    };
    let halted = fill(&[], "first");
    assert_eq!(halted.status.code(), Some(1), "{}", told(&halted));
    assert!(crate::support::text(&halted.stderr).contains("Shoe colour"), "{}", told(&halted));
    assert!(records(log).is_empty());
    let left_out = fill(&["--leave-out", "Shoe colour"], "second");
    assert_eq!(left_out.status.code(), Some(0), "{}", told(&left_out));
    assert_eq!(records(log).len(), 1);
}

#[test]
fn without_an_approval_nothing_is_saved() {
    let stage = Stage::practice("en", 0);
    let (display, folder, log) = (&stage.display, &stage.folder, &stage.log);
    let sheet = root().join("bench/data/orders.csv");
    let run_dir = folder.path().join("run");
    let (sheet, run_dir) = (sheet.to_str().unwrap(), run_dir.to_str().unwrap());
    // Nobody sits at a terminal: asking means no.
    let output = display.deskhand(&["fill", sheet, "--run-dir", run_dir]);
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    assert!(records(log).is_empty());
}

#[test]
fn a_dry_run_shows_the_mapping_and_enters_nothing() {
    let stage = Stage::practice("en", 0);
    let (display, folder) = (&stage.display, &stage.folder);
    let sheet = root().join("bench/data/orders.csv");
    let run_dir = folder.path().join("run");
    let output =
        display.deskhand(&["fill", sheet.to_str().unwrap(), "--dry-run", "--run-dir", run_dir.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let stdout = crate::support::text(&output.stdout);
    for line in ["Qty          -> Quantity", "Price        -> Unit price", "saved with \"Save\""] {
        assert!(stdout.contains(line), "{line} is missing in\n{stdout}");
    }
    let seen = display.deskhand(&["see", "--json"]);
    let scene: Value = serde_json::from_slice(&seen.stdout).unwrap();
    let fields = scene["elements"].as_array().unwrap().iter().filter(|e| e["role"] == "textbox");
    assert!(fields.clone().count() >= 6);
    assert!(fields.into_iter().all(|field| field["value"] == ""), "{scene}");
}
