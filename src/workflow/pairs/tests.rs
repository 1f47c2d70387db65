//! Tests of pairs: sentences against small forms, in both languages, traps included.

use serde_json::json;

use super::*;
use crate::scene::Element;
use crate::workflow::bind::fields;

const EN: [&str; 12] = [
    "Customer name",
    "Phone",
    "combo|Category",
    "Product code",
    "Quantity",
    "Unit price",
    "Order date",
    "combo|Payment terms",
    "check|Urgent",
    "Remark",
    "Delivery address",
    "Email",
];
const ZH: [&str; 10] =
    ["客户名称", "联系电话", "combo|类别", "产品编码", "数量", "单价", "combo|结算方式", "check|加急", "备注", "日期"];

fn form(labels: &[&str]) -> Vec<Field> {
    let elements: Vec<Element> = labels
        .iter()
        .zip(1..)
        .map(|(label, id)| {
            let (role, label) = match label.split_once('|') {
                Some(("check", l)) => (Role::Checkbox, l),
                Some(("radio", l)) => (Role::Radio, l),
                Some((_, l)) => (Role::Combobox, l),
                None => (Role::Textbox, *label),
            };
            let (text, label) = if role == Role::Radio { (label, "") } else { ("", label) };
            serde_json::from_value(json!({"id": id, "role": role, "text": text, "label": label})).expect("element")
        })
        .collect();
    fields(&elements)
}

/// Checks the pairs (`label=value`) and the rest of a sentence.
fn check(labels: &[&str], sentence: &str, pairs: &[&str], rest: &[&str]) -> Result<(), String> {
    let found = split(sentence, &form(labels));
    let said: Vec<String> = found.pairs.iter().map(|p| format!("{}={}", p.label, p.value)).collect();
    let left: Vec<&str> = found.rest.iter().map(|r| r.text.as_str()).collect();
    for pair in &found.pairs {
        let copied = sentence.get(pair.value_span.clone()) == Some(pair.value.as_str());
        if !copied && pair.role != Role::Checkbox {
            return Err(format!("{sentence}\n  value of {pair:?} is not where it says"));
        }
    }
    if said != pairs || left != rest {
        return Err(format!("{sentence}\n  pairs {said:?}\n  wanted {pairs:?}\n  rest {left:?}, wanted {rest:?}"));
    }
    Ok(())
}

fn check_all(labels: &[&str], cases: &[(&str, &[&str], &[&str])]) {
    let wrong: Vec<String> = cases.iter().filter_map(|(s, p, r)| check(labels, s, p, r).err()).collect();
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn english_sentences_are_split() {
    check_all(
        &EN,
        &[
            (
                "Enter customer Sample Ltd, quantity 3, price 12.50 and save",
                &["Customer name=Sample Ltd", "Quantity=3", "Unit price=12.50"],
                &["save"],
            ),
            (
                "customer A, phone 0201, category Retail, save",
                &["Customer name=A", "Phone=0201", "Category=Retail"],
                &["save"],
            ),
            ("Set the customer to Sample Ltd and the quantity to 3", &["Customer name=Sample Ltd", "Quantity=3"], &[]),
            ("customer: X; qty=3", &["Customer name=X", "Quantity=3"], &[]),
            ("Type Sample Ltd into Customer name", &["Customer name=Sample Ltd"], &[]),
            (
                "Put 3 in the Quantity field and 12.50 in the price box, then click Save",
                &["Quantity=3", "Unit price=12.50"],
                &["click Save"],
            ),
            ("Choose Retail as the category", &["Category=Retail"], &[]),
            ("Select Cash for payment terms and tick Urgent", &["Payment terms=Cash", "Urgent=yes"], &[]),
            ("customer Sample Ltd, urgent, save it", &["Customer name=Sample Ltd", "Urgent=yes"], &["save it"]),
            ("Qty 10, not urgent", &["Quantity=10", "Urgent=no"], &[]),
            ("Uncheck Urgent", &["Urgent=no"], &[]),
            ("urgent: no, SKU 00120", &["Urgent=no", "Product code=00120"], &[]),
            (
                "Create a new order for customer Sample Ltd with quantity 3",
                &["Customer name=Sample Ltd", "Quantity=3"],
                &["Create a new order"],
            ),
            ("New order: customer X, quantity 3", &["Customer name=X", "Quantity=3"], &["New order"]),
            (
                "customer Sample Ltd quantity 3 price 12.50",
                &["Customer name=Sample Ltd", "Quantity=3", "Unit price=12.50"],
                &[],
            ),
            ("customer Sample Ltd category Retail", &["Customer name=Sample Ltd", "Category=Retail"], &[]),
            ("Please fill in the customer with Sample Ltd.", &["Customer name=Sample Ltd."], &[]),
            ("The quantity is 3. The price is 12.50.", &["Quantity=3", "Unit price=12.50"], &[]),
            ("type: Retail, customer A", &["Category=Retail", "Customer name=A"], &[]),
            (
                "order date 2026-03-01, memo deliver by 12:30",
                &["Order date=2026-03-01", "Remark=deliver by 12:30"],
                &[],
            ),
            (
                "customer is Sample Ltd, email is info@sample.example",
                &["Customer name=Sample Ltd", "Email=info@sample.example"],
                &[],
            ),
            (
                "Customer: Sample Ltd\nQty: 3\nPrice: 12.50",
                &["Customer name=Sample Ltd", "Quantity=3", "Unit price=12.50"],
                &[],
            ),
            ("客户 Sample Ltd, 数量 3, save", &["Customer name=Sample Ltd", "Quantity=3"], &["save"]),
            ("Enter 3 for quantity and 12.50 for price", &["Quantity=3", "Unit price=12.50"], &[]),
            ("Quantity 3 boxes, phone 0201", &["Quantity=3", "Phone=0201"], &[]),
            ("customer Sample Ltd: fax 123, qty 3", &["Customer name=Sample Ltd", "Quantity=3"], &["fax 123"]),
            ("Tick urgent and save", &["Urgent=yes"], &["save"]),
            ("change the quantity from 3 to 5", &["Quantity=5"], &[]),
            (
                "I want the customer to be Sample Ltd, the quantity should be 12 and payment is by cash",
                &["Customer name=Sample Ltd", "Quantity=12", "Payment terms=cash"],
                &[],
            ),
            ("order date 3/1/2026 remark ok", &["Order date=3/1/2026", "Remark=ok"], &[]),
            ("customer Sample Ltd: quantity 3", &["Customer name=Sample Ltd", "Quantity=3"], &[]),
            ("cash payment, price 12.50 EUR", &["Payment terms=cash", "Unit price=12.50"], &[]),
        ],
    );
}

#[test]
fn traps_in_english_values_are_not_stepped_into() {
    check_all(
        &EN,
        &[
            ("remark customer will pick up", &["Remark=customer will pick up"], &[]),
            (
                "remark call customer and phone him, quantity 3",
                &["Remark=call customer and phone him", "Quantity=3"],
                &[],
            ),
            (
                "customer Smith and Sons, quantity 3 and save",
                &["Customer name=Smith and Sons", "Quantity=3"],
                &["save"],
            ),
            ("price 1,234.50, quantity 1,000", &["Unit price=1,234.50", "Quantity=1,000"], &[]),
            (
                "customer \"Save, Print and Co\", remark 'quantity 5, urgent'",
                &["Customer name=Save, Print and Co", "Remark=quantity 5, urgent"],
                &[],
            ),
            ("customer Smith, Jones and Co., quantity 3", &["Customer name=Smith, Jones and Co.", "Quantity=3"], &[]),
            ("customer no 5, quantity 3", &["Quantity=3"], &["customer no 5"]),
            ("What is the quantity?", &[], &["What is the quantity"]),
            ("Save the order for customer Sample Ltd", &[], &["Save the order for customer Sample Ltd"]),
            ("customer Sample, Inc., quantity 3", &["Customer name=Sample, Inc.", "Quantity=3"], &[]),
            (
                "address 12 High Street, London, phone 0201",
                &["Delivery address=12 High Street, London", "Phone=0201"],
                &[],
            ),
            ("customer To Go Ltd, qty 2", &["Customer name=To Go Ltd", "Quantity=2"], &[]),
            ("customer O'Brien's, qty 2", &["Customer name=O'Brien's", "Quantity=2"], &[]),
            ("product code 00120, qty 007", &["Product code=00120", "Quantity=007"], &[]),
            (
                "customer Acme (North), category Retail & more",
                &["Customer name=Acme (North)", "Category=Retail & more"],
                &[],
            ),
            ("CUSTOMER sample LTD", &["Customer name=sample LTD"], &[]),
            ("custmer name Sample Ltd", &["Customer name=Sample Ltd"], &[]),
            ("Click the Save button", &[], &["Click the Save button"]),
            ("Enter these orders and save each one", &[], &["Enter these orders and save each one"]),
            ("Delete the order with customer Sample Ltd", &[], &["Delete the order with customer Sample Ltd"]),
            ("Click the Customer name field", &[], &["Click the Customer name field"]),
            ("hello world, this is nothing", &[], &["hello world, this is nothing"]),
            ("fax 12345, quantity 3", &["Quantity=3"], &["fax 12345"]),
            ("", &[], &[]),
            (", and ; then", &[], &[]),
        ],
    );
}

#[test]
fn chinese_sentences_are_split() {
    check_all(
        &ZH,
        &[
            ("客户A, 数量12, 月结, 保存", &["客户名称=A", "数量=12", "结算方式=月结"], &["保存"]),
            ("在客户中输入 样品公司，数量 5", &["客户名称=样品公司", "数量=5"], &[]),
            ("在数量中输入 12", &["数量=12"], &[]),
            ("把客户设为样品公司，数量改成3，然后保存", &["客户名称=样品公司", "数量=3"], &["保存"]),
            ("输入12到数量", &["数量=12"], &[]),
            ("把00120填入产品编码", &["产品编码=00120"], &[]),
            ("将样品公司填到客户名称栏，并保存", &["客户名称=样品公司"], &["保存"]),
            ("选择零售作为类别", &["类别=零售"], &[]),
            (
                "客户名称：上海贸易有限公司；电话：0201；加急",
                &["客户名称=上海贸易有限公司", "联系电话=0201", "加急=yes"],
                &[],
            ),
            ("勾选加急，点击保存", &["加急=yes"], &["点击保存"]),
            ("不加急，数量3件", &["加急=no", "数量=3"], &[]),
            ("取消勾选加急", &["加急=no"], &[]),
            ("加急：是，单价12.50", &["加急=是", "单价=12.50"], &[]),
            ("请新增订单：客户A，数量12，单价1,234.50", &["客户名称=A", "数量=12", "单价=1,234.50"], &["请新增订单"]),
            ("客户样品公司数量12单价3.5保存", &["客户名称=样品公司", "数量=12", "单价=3.5"], &["保存"]),
            ("货号00120，件数7，付款方式现金", &["产品编码=00120", "数量=7", "结算方式=现金"], &[]),
            ("日期2026年3月1日，备注客户自提", &["日期=2026年3月1日", "备注=客户自提"], &[]),
            (
                "订单号A-1001 客户张三 数量3 单价12.5 月结",
                &["客户名称=张三", "数量=3", "单价=12.5", "结算方式=月结"],
                &["订单号A-1001"],
            ),
            ("请在客户栏填写张三，在数量栏填写5，然后点保存", &["客户名称=张三", "数量=5"], &["点保存"]),
            ("把数量从3改成5", &["数量=5"], &[]),
            ("结算方式选择月结，点击保存按钮", &["结算方式=月结"], &["点击保存按钮"]),
            ("现金结算，单价8元，取消加急", &["结算方式=现金", "单价=8", "加急=no"], &[]),
            ("设置客户为 样品公司 并将数量设置为 5", &["客户名称=样品公司", "数量=5"], &[]),
            ("数量12，保存并新增", &["数量=12"], &["保存并新增"]),
            ("customer 样品公司, qty 3", &["客户名称=样品公司", "数量=3"], &[]),
        ],
    );
}

#[test]
fn traps_in_chinese_values_are_not_stepped_into() {
    check_all(
        &ZH,
        &[
            ("备注客户要求加急，数量3", &["备注=客户要求加急", "数量=3"], &[]),
            ("备注尽快发货，注意包装，保存", &["备注=尽快发货，注意包装"], &["保存"]),
            ("客户填上海样品公司，备注写上海仓", &["客户名称=上海样品公司", "备注=上海仓"], &[]),
            ("客户中国样品集团，数量3", &["客户名称=中国样品集团", "数量=3"], &[]),
            ("客户格力电器，类别为民用", &["客户名称=格力电器", "类别=为民用"], &[]),
            ("客户改成成都样品公司", &["客户名称=成都样品公司"], &[]),
            ("客户地址上海，数量3", &["数量=3"], &["客户地址上海"]),
            ("客户和数量分别是A和5", &[], &["客户和数量分别是A和5"]),
            ("客户和平公司，数量3", &["客户名称=和平公司", "数量=3"], &[]),
            ("备注“数量不足，电话联系”", &["备注=数量不足，电话联系"], &[]),
            ("客户“保存科技”，数量2", &["客户名称=保存科技", "数量=2"], &[]),
            ("点击保存按钮", &[], &["点击保存按钮"]),
            ("把这些订单录入并逐条保存", &[], &["把这些订单录入并逐条保存"]),
            ("季结算很麻烦", &[], &["季结算很麻烦"]),
        ],
    );
}

#[test]
fn a_value_alone_goes_to_the_field_that_offers_it() {
    let labels = ["Customer", "radio|Cash", "radio|Credit", "radio|Transfer"];
    let found = split("customer A, Transfer, save", &form(&labels));
    assert_eq!(
        found.pairs.iter().map(|p| (p.field, p.value.as_str())).collect::<Vec<_>>(),
        [(1, "A"), (2, "Transfer")]
    );
    assert_eq!(found.rest.len(), 1);
    // Without a field that it suggests it stays rest.
    check(&["客户", "数量"], "客户A, 月结, 保存", &["客户=A"], &["月结", "保存"]).expect("rest");
}

#[test]
fn rest_that_is_no_command_is_told_apart() {
    let found = split("customer Smith, Jones, quantity 3, then click Save", &form(&EN));
    let rest: Vec<_> = found.rest.iter().map(|r| (r.text.as_str(), r.command)).collect();
    assert_eq!(rest, [("Jones", false), ("click Save", true)]);
    let found = split("客户A，特价，点击保存", &form(&ZH));
    let rest: Vec<_> = found.rest.iter().map(|r| (r.text.as_str(), r.command)).collect();
    assert_eq!(rest, [("特价", false), ("点击保存", true)]);
}

#[test]
fn a_name_that_fits_two_fields_is_doubt() {
    let found = split("date 2026-03-01", &form(&["Order date", "Delivery date"]));
    assert!(found.pairs.is_empty(), "{found:?}");
    let found = split("数量 3", &form(&["数量", "单价", "数量"]));
    assert_eq!(found.doubtful().count(), 1);
    assert_eq!(found.pairs[0].others.len(), 1);
    let found = split("quantity 3, qty 4", &form(&["Quantity"]));
    assert_eq!(found.doubtful().count(), 2);
}

#[test]
fn a_wider_name_goes_to_the_only_field_it_fits() {
    check(&["Customer", "Order date"], "customer A, date 2026-03-01", &["Customer=A", "Order date=2026-03-01"], &[])
        .expect("date");
}

#[test]
fn spans_cover_what_was_read() {
    let sentence = "Enter customer Sample Ltd, quantity 3 and save";
    let found = split(sentence, &form(&EN));
    let spans: Vec<&str> = found.pairs.iter().map(|p| &sentence[p.span.clone()]).collect();
    assert_eq!(spans, ["Enter customer Sample Ltd", "quantity 3"]);
    assert_eq!(&sentence[found.rest[0].span.clone()], "save");
}

proptest::proptest! {
    #[test]
    fn any_sentence_is_split_without_losing_its_values(sentence in "(customer|客户|qty|数量|and|to|把|为|save|保存|，|, |: |\"|'| |A|12|加急|urgent|into|中|、){0,14}") {
        let labels = ["Customer", "数量", "check|加急", "Remark"];
        let found = split(&sentence, &form(&labels));
        for pair in found.pairs {
            proptest::prop_assert!(sentence.get(pair.span.clone()).is_some());
            let checkbox = pair.role == Role::Checkbox;
            proptest::prop_assert!(checkbox || sentence.get(pair.value_span.clone()) == Some(pair.value.as_str()));
        }
    }
}
