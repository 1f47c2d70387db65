//! Tests of binding: whole forms against whole sheets, and the model's limits.

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::*;
use crate::model::ContinuationScore;
use crate::scene::Element;

fn element(id: u32, role: Role, label: &str) -> Element {
    let (text, label) = if role == Role::Radio { (label, "") } else { ("", label) };
    let json = json!({"id": id, "role": role, "text": text, "label": label});
    serde_json::from_value(json).expect("element")
}

/// Fields 1, 2, 3, ... from `role:label`; a bare label is a textbox.
fn form(labels: &[&str]) -> Vec<Field> {
    let elements: Vec<Element> = labels
        .iter()
        .zip(1..)
        .map(|(l, id)| match l.split_once('|') {
            Some(("check", l)) => element(id, Role::Checkbox, l),
            Some(("combo", l)) => element(id, Role::Combobox, l),
            Some(("radio", l)) => element(id, Role::Radio, l),
            Some(_) | None => element(id, Role::Textbox, l),
        })
        .collect();
    fields(&elements)
}

/// Columns from `name=value,value`.
fn sheet(columns: &[&str]) -> Vec<Column> {
    columns
        .iter()
        .map(|c| {
            let (name, values) = c.split_once('=').unwrap_or((c, ""));
            let samples = values.split(';').filter(|v| !v.is_empty()).map(str::to_string).collect();
            Column { name: name.to_string(), samples }
        })
        .collect()
}

fn bound(columns: &[&str], labels: &[&str]) -> Binding {
    bind(&sheet(columns), &form(labels), None).expect("no model")
}

fn ids(binding: &Binding) -> Vec<Option<u32>> {
    binding.columns.iter().map(|c| c.field).collect()
}

#[test]
fn sheets_find_their_forms_in_both_languages() {
    let english = [
        "Customer name",
        "Order no.",
        "Product code",
        "Quantity",
        "Unit price",
        "combo|Payment terms",
        "check|Urgent",
        "Remarks",
    ];
    let chinese = ["客户名称", "订单编号", "货号", "数量", "单价", "combo|结算方式", "check|加急", "备注"];
    let sheets = [
        [
            "customer=A Ltd",
            "order no=1",
            "item no=00120",
            "qty=3;10",
            "price=12.50",
            "payment=Cash",
            "rush=yes;no",
            "note=x",
        ],
        [
            "客户=样品公司",
            "单号=1",
            "产品编码=00120",
            "数量=3",
            "价格=12.50",
            "付款方式=月结",
            "是否加急=是;否",
            "备注=x",
        ],
        [
            "Client Name=A",
            "Order Number=1",
            "SKU=00120",
            "Qty.=3",
            "Unit Price (EUR)=1,234.50",
            "Terms=Cash",
            "Urgent=x",
            "Memo=y",
        ],
        ["往来单位=A", "单据号=1", "物料编码=00120", "件数=3", "销售单价=12.5", "结算=现金", "紧急=√", "说明=y"],
    ];
    for columns in sheets {
        for labels in [english, chinese] {
            let binding = bound(&columns, &labels);
            assert_eq!(ids(&binding), (1..=8).map(Some).collect::<Vec<_>>(), "{columns:?} {binding:#?}");
            assert!(binding.is_certain() && binding.unfilled.is_empty(), "{binding:#?}");
        }
    }
}

#[test]
fn the_sheets_of_the_practice_programs_fit_their_forms_in_every_language() {
    let orders = [
        ["Order no.", "Customer", "Product code", "Quantity", "Price", "combo|Payment terms", "check|Urgent", "Remark"],
        ["Order number", "Client name", "Item no.", "Qty", "Unit price", "combo|Payment", "check|Rush order", "Notes"],
        ["订单号", "客户", "产品编码", "数量", "单价", "combo|结算方式", "check|加急", "备注"],
        ["单号", "往来单位", "货号", "件数", "价格", "combo|付款方式", "check|是否加急", "说明"],
    ];
    let customers = [
        ["Customer code", "Name", "Contact", "Phone", "combo|Category", "Credit limit", "check|VIP customer"],
        ["客户编号", "名称", "联系人", "电话", "combo|类别", "信用额度", "check|VIP客户"],
    ];
    let stock = [
        ["Item code", "Item name", "Quantity", "combo|Warehouse", "combo|Unit", "check|Inspected", "Note"],
        ["物料编码", "物料名称", "数量", "combo|仓库", "combo|单位", "check|已检验", "备注"],
    ];
    let check = |texts: [&str; 2], labels: &[&str]| {
        for text in texts {
            let sheet = crate::workflow::sheet::Sheet::from_bytes("a.csv".as_ref(), text.into(), None).expect("sheet");
            let columns: Vec<Column> = sheet
                .columns
                .iter()
                .enumerate()
                .map(|(c, name)| Column { name: name.clone(), samples: sheet.samples(c, 20) })
                .collect();
            let binding = bind(&columns, &form(labels), None).expect("binding");
            assert_eq!(ids(&binding), (1..).take(labels.len()).map(Some).collect::<Vec<_>>(), "{binding:#?}");
            assert!(binding.is_certain(), "{binding:#?}");
        }
    };
    for labels in orders {
        check(
            [include_str!("../../../bench/data/orders.csv"), include_str!("../../../bench/data/orders_zh.csv")],
            &labels,
        );
    }
    for labels in customers {
        check(
            [include_str!("../../../bench/data/customers.csv"), include_str!("../../../bench/data/customers_zh.csv")],
            &labels,
        );
    }
    for labels in stock {
        check(
            [include_str!("../../../bench/data/stock.csv"), include_str!("../../../bench/data/stock_zh.csv")],
            &labels,
        );
    }
}

#[test]
fn the_order_of_columns_does_not_matter() {
    let binding = bound(&["备注=x", "数量=3", "客户=A"], &["Customer", "Quantity", "Phone", "Remark"]);
    assert_eq!(ids(&binding), [Some(4), Some(2), Some(1)]);
    assert_eq!(binding.unfilled, [3]);
}

#[test]
fn a_column_without_a_field_is_reported() {
    let binding = bound(&["Customer=A", "Shoe size=43", "Qty=3"], &["Customer", "Quantity", "Phone"]);
    assert_eq!(ids(&binding), [Some(1), None, Some(2)]);
    let unmapped: Vec<_> = binding.unmapped().map(|c| (c.name.as_str(), c.why)).collect();
    assert_eq!(unmapped, [("Shoe size", Why::Unbound)]);
    assert!(!binding.is_certain());
}

#[test]
fn fields_with_the_same_label_are_doubt() {
    let binding = bound(&["数量=3"], &["商品", "数量", "单价", "数量"]);
    assert!(matches!(&binding.columns[0].doubt, Some(Doubt::Field { .. })), "{binding:#?}");
}

#[test]
fn a_date_among_two_dates_is_doubt_and_with_its_own_name_is_not() {
    let binding = bound(&["Date=2026-03-01"], &["Order date", "Delivery date"]);
    assert!(binding.doubtful().count() == 1, "{binding:#?}");
    let binding = bound(&["Order date=2026-03-01", "Deliv. date=2026-03-09"], &["Delivery date", "Order date"]);
    assert_eq!(ids(&binding), [Some(2), Some(1)]);
    assert!(binding.is_certain());
}

#[test]
fn two_columns_for_one_field_are_doubt() {
    let binding = bound(&["Phone no=1234", "Mobile=5678"], &["Telephone"]);
    assert_eq!(binding.columns.iter().filter(|c| c.doubt.is_some()).count(), 2, "{binding:#?}");
    // An equal label decides.
    let binding = bound(&["Mobile=5678", "Telephone=1234"], &["Telephone"]);
    assert_eq!(ids(&binding), [None, Some(1)]);
    assert!(binding.columns[1].doubt.is_none());
}

#[test]
fn values_that_contradict_the_field_are_doubt() {
    let binding = bound(&["Quantity=blue;red"], &["Quantity"]);
    assert_eq!(binding.columns[0].doubt, Some(Doubt::Values { value: "blue".into() }));
    let binding = bound(&["Urgent=next week"], &["check|Urgent"]);
    assert!(binding.columns[0].doubt.is_some());
}

#[test]
fn radio_buttons_are_one_field_and_their_texts_its_values() {
    let labels = ["Customer", "radio|Cash", "radio|Credit", "radio|Transfer", "check|Urgent"];
    let fields = form(&labels);
    assert_eq!(fields.iter().map(|f| (f.id, f.choices.len())).collect::<Vec<_>>(), [(1, 0), (2, 3), (5, 0)]);
    assert_eq!(fields[1].choice("transfer").and_then(|c| c.id), Some(4));
    let binding = bound(&["How they pay=Cash;Credit", "Urgent=yes"], &labels);
    assert_eq!(ids(&binding), [Some(2), Some(5)]);
    assert_eq!(binding.columns[0].why, Why::Type);
}

#[test]
fn codes_and_names_are_not_swapped() {
    let binding = bound(
        &["客户编码=00120", "客户名称=A", "产品=Bolt", "产品编码=7"],
        &["客户名称", "产品名称", "客户编码", "产品编码"],
    );
    assert_eq!(ids(&binding), [Some(3), Some(1), Some(2), Some(4)]);
    assert!(binding.is_certain(), "{binding:#?}");
}

/// A model that finds one label likelier than all others.
struct Fan {
    likes: &'static str,
    asked: usize,
    fails: Option<ModelError>,
}

impl Scorer for Fan {
    fn score(&mut self, _: &str, items: &[Continuation], _: &AtomicBool) -> Result<Vec<ContinuationScore>, ModelError> {
        self.asked += 1;
        if let Some(e) = self.fails.take() {
            return Err(e);
        }
        let liked = |i: &Continuation| i.text == self.likes && i.context.contains("column");
        Ok(items.iter().map(|i| ContinuationScore { logprob: if liked(i) { -1.0 } else { -9.0 }, tokens: 2 }).collect())
    }

    fn generate_json(&mut self, _: &str, _: &Value, _: usize, _: &AtomicBool) -> Result<Value, ModelError> {
        Err(ModelError::Run("not asked for".into()))
    }
}

fn with_model(columns: &[&str], labels: &[&str], fan: &mut Fan) -> Result<Binding, ModelError> {
    let stop = AtomicBool::new(false);
    let question = |c: &Column| format!("column {}", c.name);
    let voice = Voice { scorer: fan, prefix: "", question: &question, neutral: "nothing", stop: &stop };
    bind(&sheet(columns), &form(labels), Some(voice))
}

#[test]
fn the_model_is_asked_only_where_labels_leave_doubt() {
    let mut fan = Fan { likes: "Quantity", asked: 0, fails: None };
    let binding = with_model(&["Customer=A", "Qty=3"], &["Customer", "Quantity"], &mut fan).expect("binding");
    assert_eq!((fan.asked, binding.is_certain()), (0, true));
}

#[test]
fn the_model_decides_where_labels_are_only_alike() {
    let mut fan = Fan { likes: "Delivery date", asked: 0, fails: None };
    let binding = with_model(&["Date=2026-03-01"], &["Order date", "Delivery date"], &mut fan).expect("binding");
    assert_eq!((binding.columns[0].field, binding.columns[0].doubt.clone()), (Some(2), None), "{binding:#?}");
    assert!(binding.columns[0].model.is_some_and(|m| m > 0.9));
}

#[test]
fn the_model_never_overrules_an_equal_or_synonymous_label() {
    let mut fan = Fan { likes: "Remark", asked: 0, fails: None };
    let binding = with_model(&["Client=A", "件数=3", "Shoe size=4"], &["Customer", "Quantity", "Remark"], &mut fan);
    assert_eq!(ids(&binding.expect("binding")), [Some(1), Some(2), None]);
}

#[test]
fn a_failing_model_only_loses_its_vote_and_a_stop_stops() {
    let mut fan = Fan { likes: "", asked: 0, fails: Some(ModelError::Run("broken".into())) };
    let binding = with_model(&["Date=1"], &["Order date"], &mut fan).expect("binding");
    assert_eq!(ids(&binding), [Some(1)]);
    let mut fan = Fan { likes: "", asked: 0, fails: Some(ModelError::Stopped) };
    assert!(matches!(with_model(&["Date=1"], &["Order date"], &mut fan), Err(ModelError::Stopped)));
}
