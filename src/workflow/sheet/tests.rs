//! Tests of sheets: every kind of file, and the field's lessons about sheets one by one.

use std::io::{Cursor, Write};

use encoding_rs::{BIG5, GB18030, WINDOWS_1252};
use proptest::prelude::*;

use super::*;

fn read(name: &str, bytes: impl Into<Vec<u8>>) -> Result<Sheet> {
    Sheet::from_bytes(Path::new(name), bytes.into(), None)
}

fn csv(text: &str) -> Sheet {
    read("orders.csv", text).expect("a sheet")
}

fn cells(sheet: &Sheet) -> Vec<Vec<&str>> {
    sheet.rows.iter().map(|r| r.cells.iter().map(String::as_str).collect()).collect()
}

fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
    let units = mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
    units.flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
}

fn gb(text: &str) -> Vec<u8> {
    GB18030.encode(text).0.into_owned()
}

const ORDERS: &str = "产品编码,客户名称,数量,备注\n00120,样品公司,3,加急\n00121,\"上海,贸易\",12,\"第一行\n第二行\"\n";

#[test]
fn every_encoding_gives_the_same_sheet() {
    let wanted = csv(ORDERS);
    assert_eq!(wanted.columns, ["产品编码", "客户名称", "数量", "备注"]);
    assert_eq!(cells(&wanted), [["00120", "样品公司", "3", "加急"], ["00121", "上海,贸易", "12", "第一行\n第二行"]]);
    for (what, bytes) in [
        ("UTF-8 with mark", format!("\u{feff}{ORDERS}").into_bytes()),
        ("UTF-16LE with mark", utf16(ORDERS, true, true)),
        ("UTF-16BE with mark", utf16(ORDERS, false, true)),
        ("UTF-16LE", utf16(ORDERS, true, false)),
        ("UTF-16BE", utf16(ORDERS, false, false)),
        ("GB18030", gb(ORDERS)),
    ] {
        let sheet = read("orders.csv", bytes).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(sheet.columns, wanted.columns, "{what}: {}", sheet.format);
        assert_eq!(sheet.rows, wanted.rows, "{what}");
    }
}

#[test]
fn short_gbk_files_are_not_mojibake() {
    for text in ["客户\n张三\n", "Customer,备注\nSample Ltd,加急\n", "名称,数量\n螺丝,5\n", "客户,电话\n朱镕,0201\n"]
    {
        let sheet = read("a.csv", gb(text)).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(sheet, Sheet { format: sheet.format.clone(), ..read("a.csv", text).expect("utf-8") }, "{text}");
        assert!(sheet.format.contains("gb18030"), "{}", sheet.format);
    }
}

#[test]
fn western_and_taiwanese_files_are_not_taken_for_gbk() {
    let text = "Kunde;Straße;Größe\nMüller;Gärtnerstraße 5;groß\nJürgen Schröder;Königsallee;klein\n";
    let sheet = read("a.csv", WINDOWS_1252.encode(text).0.into_owned()).expect("sheet");
    assert_eq!(cells(&sheet)[0], ["Müller", "Gärtnerstraße 5", "groß"]);
    let text = "客戶名稱,數量,備註\n範例股份有限公司,3,請於星期五以前送達倉庫\n臺灣電子工業,12,無\n";
    let sheet = read("a.csv", BIG5.encode(text).0.into_owned()).expect("sheet");
    assert_eq!(sheet.columns, ["客戶名稱", "數量", "備註"]);
}

#[test]
fn separators_are_found() {
    for (separator, text) in [
        ("comma", "customer,qty,price\nA,1,2.50\nB,2,3.00\n"),
        ("semicolon", "customer;qty;price\nA;1;2,50\nB;2;3,00\n"),
        ("tab", "customer\tqty\tprice\nA\t1\t2,50\nB, C\t2\t3,00\n"),
        ("bar", "customer|qty|price\nA|1|2,50\nB|2|3,00\n"),
    ] {
        let sheet = csv(text);
        assert_eq!(sheet.columns, ["customer", "qty", "price"], "{separator}");
        assert!(sheet.format.ends_with(separator), "{}", sheet.format);
        assert_eq!(sheet.rows.len(), 2);
    }
    let named = csv("sep=;\ncustomer;qty\nA;1\n");
    assert_eq!((named.columns.len(), named.rows[0].line), (2, 3));
    let single = csv("customer\nSample Ltd\n");
    assert_eq!((single.columns.len(), cells(&single)[0][0]), (1, "Sample Ltd"));
}

#[test]
fn quotes_and_line_breaks_inside_cells_are_kept() {
    let sheet = csv("name,size\n\"a \"\"big\"\" one\",\"19\"\"\"\n\"x\r\ny\",5\" pipe\n");
    assert_eq!(cells(&sheet), [["a \"big\" one", "19\""], ["x\ny", "5\" pipe"]]);
    assert_eq!(sheet.rows[1].line, 3);
}

#[test]
fn a_quotation_mark_that_never_closes_is_named_with_its_line() {
    let e = read("a.csv", "name,qty\nA,1\n\"B,2\nC,3\n").expect_err("open quote");
    assert!(matches!(e, SheetError::OpenQuote { line: 3, .. }), "{e}");
}

#[test]
fn product_code_00120_stays_00120() {
    assert_eq!(cells(&csv("code,name\n00120,A\n=\"00121\",B\n")), [["00120", "A"], ["00121", "B"]]);
}

#[test]
fn a_date_stays_the_date_that_is_shown() {
    assert_eq!(cells(&csv("date,qty\n2026/3/1,3\n")), [["2026/3/1", "3"]]);
}

#[test]
fn a_number_keeps_its_comma() {
    assert_eq!(cells(&csv("name,amount\nA,\"1,234.50\"\n")), [["A", "1,234.50"]]);
}

#[test]
fn empty_cells_do_not_shift_columns() {
    assert_eq!(cells(&csv("a,b,c,d\n1,,3,\n,2,,4\n")), [["1", "", "3", ""], ["", "2", "", "4"]]);
}

#[test]
fn blank_rows_are_left_out_and_counted() {
    let sheet = csv("\n\na,b\n\n1,2\n,\n  , \n3,4\n\n\n,,\n");
    assert_eq!(cells(&sheet), [["1", "2"], ["3", "4"]]);
    assert_eq!(sheet.rows.iter().map(|r| (r.number, r.line)).collect::<Vec<_>>(), [(1, 5), (2, 8)]);
    assert_eq!(sheet.blank_rows, 6);
}

#[test]
fn rows_longer_or_shorter_than_the_header_are_marked() {
    let sheet = csv("a,b,c\n1,2,3\n1,2\n1,2,3,4\n1,2,3,\n");
    let problems: Vec<_> = sheet.rows.iter().map(|r| r.problem.clone()).collect();
    assert_eq!(
        problems,
        [
            None,
            Some(Problem::TooShort { cells: 2, columns: 3 }),
            Some(Problem::TooLong { cells: 4, columns: 3, extra: vec!["4".into()] }),
            None
        ]
    );
    assert!(sheet.rows.iter().all(|r| r.cells.len() == 3));
}

#[test]
fn sums_and_formula_errors_are_marked() {
    let sheet = csv("name,amount\nA,5\nB,#REF!\n合计,10\nTotal Bikes,7\n");
    assert_eq!(sheet.rows[1].problem, Some(Problem::ErrorCell { column: "amount".into(), shown: "#REF!".into() }));
    assert_eq!(sheet.rows[2].problem, Some(Problem::TotalRow { word: "合计".into() }));
    assert_eq!(sheet.rows[3].problem, None);
}

#[test]
fn equal_and_empty_column_names_are_made_distinct() {
    let sheet = csv("name,,name,name (2),\n1,2,3,4,\n");
    assert_eq!(sheet.columns, ["name", "Column 2", "name (2)", "name (2) (2)"]);
}

#[test]
fn a_title_over_the_table_is_not_the_header() {
    let sheet = csv("销售订单表,,\n客户,数量,单价\nA,1,2\n");
    assert_eq!((sheet.title.as_deref(), sheet.columns.len(), sheet.rows.len()), (Some("销售订单表"), 3, 1));
}

#[test]
fn what_cannot_be_read_is_said_in_one_sentence() {
    let folder = tempfile::tempdir().expect("folder");
    let missing = Sheet::read(&folder.path().join("no.csv")).expect_err("missing");
    assert!(matches!(missing, SheetError::Missing { .. }) && missing.to_string().starts_with("there is no file"));
    assert!(matches!(Sheet::read(folder.path()).expect_err("folder"), SheetError::Unsupported { .. }));
    let empty = folder.path().join("empty.csv");
    std::fs::write(&empty, b"").expect("write");
    assert!(matches!(Sheet::read(&empty).expect_err("empty"), SheetError::Empty { .. }));
    for blank in ["\n\n", " , ,\n", "\u{feff}"] {
        assert!(matches!(read("a.csv", blank).expect_err(blank), SheetError::Empty { .. }));
    }
    let e = read("a.csv", "customer,qty\n,\n").expect_err("headers only");
    assert_eq!(e.to_string(), "a.csv has column names (customer, qty) but no rows under them: add rows first");
    for (bytes, kind) in [
        (&b"%PDF-1.7 ..."[..], "a PDF"),
        (b"<html><table><tr><td>1</td></tr></table>", "a web page"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (&[1, 0, 2, 0, 0, 0, 0xff, 0xd8, 0, 0xdc, 0, 0], "not text"),
    ] {
        let e = read("orders.xls", bytes).expect_err(kind);
        assert!(matches!(&e, SheetError::Unsupported { kind: k, .. } if k.contains(kind)), "{e}");
    }
    for bytes in [&b"PK\x03\x04 and nothing more"[..], b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and nothing more"] {
        let e = read("orders.xlsx", bytes).expect_err("damaged");
        assert!(matches!(e, SheetError::Damaged { .. }), "{e}");
    }
    let e = read("orders.xlsx", ENCRYPTED).expect_err("encrypted");
    assert!(matches!(e, SheetError::Encrypted { .. }), "{e}");
}

const XLS: &[u8] = include_bytes!("fixtures/orders.xls");
const XLSX: &[u8] = include_bytes!("fixtures/orders.xlsx");
const ENCRYPTED: &[u8] = include_bytes!("fixtures/encrypted.xlsx");

#[test]
fn workbooks_show_values_as_their_reader_sees_them() {
    for (name, bytes) in [("orders.xlsx", XLSX), ("orders.xls", XLS)] {
        let sheet = read(name, bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(sheet.name, "订单", "{name}");
        assert_eq!(sheet.columns, ["Product code", "客户", "Date", "Qty", "Price", "Amount", "Share", "Paid"]);
        assert_eq!(
            cells(&sheet),
            [
                ["00120", "样品公司", "2026/3/1", "3", "12.50", "1,234.50", "12.5%", "TRUE"],
                ["00120", "Sample Ltd", "2026/3/1", "10", "0.30", "(1,234.50)", "50.0%", "FALSE"],
                ["00007", "Smith & Sons", "2026/3/1", "", "2.00", "0.00", "100.0%", "TRUE"],
            ],
            "{name}"
        );
        assert_eq!(sheet.rows.iter().map(|r| r.line).collect::<Vec<_>>(), [3, 4, 6], "{name}");
    }
}

#[test]
fn blank_rows_of_workbooks_are_counted_and_hidden_sheets_left_out() {
    let sheet = read("orders.xlsx", XLSX).expect("sheet");
    assert_eq!((sheet.blank_rows, sheet.other_sheets), (3, vec!["notes".to_string()]));
    let e = Sheet::from_bytes(Path::new("orders.xlsx"), XLSX.to_vec(), Some("Orders")).expect_err("no such sheet");
    assert!(e.to_string().contains("订单"), "{e}");
    let named = Sheet::from_bytes(Path::new("orders.xlsx"), XLSX.to_vec(), Some("订单")).expect("sheet");
    assert_eq!(named.rows.len(), 3);
}

/// A zip file with these parts.
fn packed(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).expect("part");
        zip.write_all(text.as_bytes()).expect("text");
    }
    zip.finish().expect("zip").into_inner()
}

fn ods(table: &str) -> Vec<u8> {
    let content = format!(
        r#"<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s">
        <office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
        <office:body><office:spreadsheet><table:table table:name="hidden" table:style-name="ta2"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>
        <table:table table:name="Orders">{table}</table:table></office:spreadsheet></office:body></office:document-content>"#
    );
    packed(&[("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", &content)])
}

#[test]
fn ods_cells_arrive_as_shown() {
    let cell =
        |kind: &str, shown: &str| format!("<table:table-cell {kind}><text:p>{shown}</text:p></table:table-cell>\n");
    let head = ["code", "customer", "date", "amount", "note"].map(|c| cell("", c)).concat();
    let row = cell(r#"office:value-type="float" office:value="120""#, "00120")
        + &cell("", "Smith &amp; <text:span>Sons</text:span>")
        + &cell(r#"office:date-value="2026-03-01""#, "01.03.2026")
        + &cell(r#"office:value="1234.5""#, "1.234,50")
        + r#"<table:table-cell><office:annotation><text:p>secret</text:p></office:annotation><text:p>one<text:s text:c="2"/>two</text:p><text:p>three</text:p></table:table-cell>"#;
    let blank = r#"<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>"#;
    let tail = r#"<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>"#;
    let table = format!(
        r#"<table:table-column/><table:table-row>{head}</table:table-row>{blank}<table:table-row>{row}</table:table-row>
        <table:table-row><table:table-cell table:number-columns-repeated="2"/>{}</table:table-row>{tail}"#,
        r#"<table:table-cell table:number-columns-repeated="2"><text:p>5</text:p></table:table-cell>"#
    );
    let sheet = read("orders.ods", ods(&table)).expect("sheet");
    assert_eq!(sheet.name, "Orders");
    assert_eq!(
        cells(&sheet),
        [["00120", "Smith & Sons", "01.03.2026", "1.234,50", "one  two\nthree"], ["", "", "5", "5", ""]]
    );
    assert_eq!((sheet.blank_rows, sheet.rows[0].line), (2, 4));
}

#[test]
fn a_sheet_made_to_fill_the_memory_is_refused() {
    let bomb = r#"<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row>"#;
    assert!(matches!(read("a.ods", ods(bomb)).expect_err("bomb"), SheetError::TooLarge { .. }));
}

#[test]
fn a_workbook_that_claims_more_than_it_has_is_refused() {
    // The row behind the last, in the record that states the sheet's dimensions.
    let head = [0x00, 0x02, 0x0E, 0x00];
    let places: Vec<usize> = (0..XLS.len() - 18).filter(|i| XLS[*i..].starts_with(&head)).collect();
    assert!(!places.is_empty());
    let mut bytes = XLS.to_vec();
    for place in places {
        bytes[place + 8..place + 12].copy_from_slice(&[0xFF; 4]);
    }
    assert!(matches!(read("a.xls", bytes).expect_err("dimensions"), SheetError::Damaged { .. }));
    let texts = r#"<sst uniqueCount="99999999999999">"#;
    let book = packed(&[("xl/workbook.xml", "<workbook/>"), ("xl/sharedStrings.xml", texts)]);
    assert!(matches!(read("a.xlsx", book).expect_err("texts"), SheetError::Damaged { .. }));
}

#[test]
fn an_encrypted_ods_and_other_zip_files_are_named() {
    let locked = packed(&[("META-INF/manifest.xml", "<manifest:encryption-data/>"), ("content.xml", "noise")]);
    assert!(matches!(read("a.ods", locked).expect_err("locked"), SheetError::Encrypted { .. }));
    let letter = packed(&[("word/document.xml", "<w/>")]);
    assert!(matches!(read("a.xlsx", letter).expect_err("letter"), SheetError::Unsupported { .. }));
}

#[test]
fn rows_are_chosen_by_numbers_and_ranges() {
    let text: String = (1..=30).map(|i| format!("{i},x\n")).collect();
    let sheet = csv(&format!("n,m\n{text}"));
    let chosen = |rows: &str| sheet.select(rows).map(|r| r.iter().map(|r| r.number).collect::<Vec<_>>());
    assert_eq!(chosen("1-3,25").expect("rows"), [1, 2, 3, 25]);
    assert_eq!(chosen(" 25 , 2-3 , 3").expect("rows"), [2, 3, 25]);
    assert_eq!(chosen("29-").expect("rows"), [29, 30]);
    assert_eq!(chosen("28-99").expect("rows"), [28, 29, 30]);
    assert_eq!(chosen("１－２，５").expect("rows"), [1, 2, 5]);
    for (rows, reason) in [
        ("", "nothing"),
        ("0", "from 1"),
        ("5-2", "comes after"),
        ("31", "has 30 rows"),
        ("a", "not a row number"),
        ("1,,2", "missing"),
        ("-3", "not a row number"),
        ("99999999999999999999999", "too large"),
    ] {
        let e = chosen(rows).expect_err(rows).to_string();
        assert!(e.contains(reason), "{rows}: {e}");
    }
}

#[test]
fn columns_are_found_by_name_and_sampled() {
    let sheet = csv("Customer Name:,Qty\nA,\nB,3\nC,4\n");
    assert_eq!((sheet.column("customer name"), sheet.column("Qty"), sheet.column("x")), (Some(0), Some(1), None));
    assert_eq!(sheet.samples(1, 1), ["3"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_never_bring_the_reader_down(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read("a.csv", bytes.clone());
        let _ = text::read(Path::new("a.tsv"), &bytes);
        let _ = biff::formats(&bytes);
    }

    #[test]
    fn random_tables_keep_their_shape(text in "[a-z0-9,;\t\"\r\n 客户]{0,80}") {
        if let Ok(sheet) = read("a.csv", text) {
            prop_assert!(sheet.rows.iter().all(|r| r.cells.len() == sheet.columns.len()));
        }
    }

    #[test]
    fn row_lists_never_bring_the_parser_down(text in "\\PC{0,12}") {
        let _ = ranges(&text, 20);
    }

    #[test]
    fn damaged_workbooks_end_in_an_error_or_a_sheet(at in 0usize..4000, value in any::<u8>(), cut in 600usize..20000) {
        for original in [XLS, XLSX] {
            let mut bytes = original.to_vec();
            bytes.truncate(cut);
            let place = at % bytes.len();
            bytes[place] = value;
            let _ = biff::formats(&bytes);
            let _ = read("orders.xls", bytes);
        }
    }
}
