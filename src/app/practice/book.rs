//! What the practice program does with what is typed: checks it, keeps it, notes it in the log, and says what happened.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::form::{Field, Form, Lang};

/// What stands in the fields now, exactly as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Draft {
    pub order_no: String,
    pub customer: String,
    pub product_code: String,
    pub quantity: String,
    pub unit_price: String,
    /// The chosen entry of the pick list.
    pub payment: Option<&'static str>,
    pub urgent: bool,
    pub remark: String,
}

impl Draft {
    /// The text of a text field; `None` for the pick list and the check box.
    pub fn text(&self, field: Field) -> Option<&str> {
        match field {
            Field::OrderNo => Some(&self.order_no),
            Field::Customer => Some(&self.customer),
            Field::ProductCode => Some(&self.product_code),
            Field::Quantity => Some(&self.quantity),
            Field::UnitPrice => Some(&self.unit_price),
            Field::Remark => Some(&self.remark),
            Field::Payment | Field::Urgent => None,
        }
    }

    /// The text of a text field, to be changed; `None` for the pick list and the check box.
    pub fn text_mut(&mut self, field: Field) -> Option<&mut String> {
        match field {
            Field::OrderNo => Some(&mut self.order_no),
            Field::Customer => Some(&mut self.customer),
            Field::ProductCode => Some(&mut self.product_code),
            Field::Quantity => Some(&mut self.quantity),
            Field::UnitPrice => Some(&mut self.unit_price),
            Field::Remark => Some(&mut self.remark),
            Field::Payment | Field::Urgent => None,
        }
    }
}

/// A saved record; serialised, it is one line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Order {
    pub order_no: String,
    pub customer: String,
    pub product_code: String,
    pub quantity: String,
    pub unit_price: String,
    pub payment: String,
    pub urgent: bool,
    pub remark: String,
}

/// What the status line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    Done(String),
    Error(String),
}

impl Notice {
    /// The sentence.
    pub fn text(&self) -> &str {
        match self {
            Self::Done(text) | Self::Error(text) => text,
        }
    }
}

/// The file that receives every saved record. Clones share the file.
#[derive(Debug, Clone)]
pub struct OrderLog(Arc<File>);

impl OrderLog {
    /// Opens the file for appending; it is created when missing.
    ///
    /// # Errors
    /// What the system says about the path.
    pub fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new().create(true).append(true).open(path).map(|file| Self(Arc::new(file)))
    }

    /// One write for the whole line, so that a reader never sees half a record.
    fn append(&self, order: &Order) -> io::Result<()> {
        let mut line = serde_json::to_string(order)?;
        line.push('\n');
        let mut file: &File = &self.0;
        file.write_all(line.as_bytes())?;
        file.flush()
    }
}

/// The records of this window and the state of its fields.
#[derive(Debug)]
pub struct OrderBook {
    pub draft: Draft,
    pub notice: Notice,
    /// The selected row of the list.
    pub selected: Option<usize>,
    orders: Vec<Order>,
    form: Form,
    log: Option<OrderLog>,
}

impl OrderBook {
    /// An empty book; it needs the form for the names that its messages use.
    pub fn new(form: Form, log: Option<OrderLog>) -> Self {
        let ready = match form.lang {
            Lang::En => "Ready",
            Lang::Zh => "就绪",
        };
        Self {
            draft: Draft::default(),
            notice: Notice::Done(ready.to_owned()),
            selected: None,
            orders: Vec::new(),
            form,
            log,
        }
    }

    /// The window's form.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The saved records, oldest first.
    pub fn orders(&self) -> &[Order] {
        &self.orders
    }

    /// Clears the fields for a new record.
    pub fn start_new(&mut self) {
        self.draft = Draft::default();
        self.selected = None;
        self.notice = Notice::Done(self.say("New order", "新订单").to_owned());
    }

    /// Saves the record and clears the fields, or says what is wrong and leaves everything as it is. True when saved.
    pub fn save(&mut self) -> bool {
        let checked = self.check().and_then(|order| match &self.log {
            Some(log) => log.append(&order).map(|()| order).map_err(|error| self.log_failed(&error)),
            None => Ok(order),
        });
        match checked {
            Ok(order) => {
                let number = order.order_no.clone();
                self.orders.push(order);
                self.draft = Draft::default();
                self.selected = None;
                self.notice = Notice::Done(match self.form.lang {
                    Lang::En => format!("Saved order {number} ({})", self.count()),
                    Lang::Zh => format!("已保存订单 {number}（{}）", self.count()),
                });
                true
            }
            Err(problem) => {
                self.notice = Notice::Error(problem);
                false
            }
        }
    }

    /// Deletes the selected record.
    pub fn delete(&mut self) {
        let selected = self.selected.take().filter(|&row| row < self.orders.len());
        self.notice = match selected {
            Some(row) => {
                let number = self.orders.remove(row).order_no;
                Notice::Done(match self.form.lang {
                    Lang::En => format!("Deleted order {number} ({})", self.count()),
                    Lang::Zh => format!("已删除订单 {number}（{}）", self.count()),
                })
            }
            None => Notice::Error(self.say("Select a record in the list first", "请先在列表中选择一条记录").to_owned()),
        };
    }

    fn say(&self, en: &'static str, zh: &'static str) -> &'static str {
        match self.form.lang {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    fn count(&self) -> String {
        match (self.form.lang, self.orders.len()) {
            (Lang::En, 1) => "1 record".to_owned(),
            (Lang::En, many) => format!("{many} records"),
            (Lang::Zh, many) => format!("共 {many} 条"),
        }
    }

    fn log_failed(&self, error: &io::Error) -> String {
        match self.form.lang {
            Lang::En => format!("Not saved: the log file cannot be written ({error})"),
            Lang::Zh => format!("未保存：无法写入日志文件（{error}）"),
        }
    }

    /// The record as it would be saved, or the first thing that is wrong with it.
    fn check(&self) -> Result<Order, String> {
        let draft = &self.draft;
        let lang = self.form.lang;
        let label = |field| self.form.label(field);
        for field in [Field::OrderNo, Field::Customer, Field::ProductCode] {
            if draft.text(field).unwrap_or_default().trim().is_empty() {
                return Err(match lang {
                    Lang::En => format!("{} must not be empty", label(field)),
                    Lang::Zh => format!("{}不能为空", label(field)),
                });
            }
        }
        for field in [Field::Quantity, Field::UnitPrice] {
            if !is_number(draft.text(field).unwrap_or_default()) {
                return Err(match lang {
                    Lang::En => format!("{} must be a number", label(field)),
                    Lang::Zh => format!("{}必须是数字", label(field)),
                });
            }
        }
        let Some(payment) = draft.payment else {
            return Err(match lang {
                Lang::En => format!("{} must be chosen", label(Field::Payment)),
                Lang::Zh => format!("请选择{}", label(Field::Payment)),
            });
        };
        if self.orders.iter().any(|order| order.order_no == draft.order_no) {
            return Err(match lang {
                Lang::En => format!("Order {} already exists", draft.order_no),
                Lang::Zh => format!("订单 {} 已存在", draft.order_no),
            });
        }
        Ok(Order {
            order_no: draft.order_no.clone(),
            customer: draft.customer.clone(),
            product_code: draft.product_code.clone(),
            quantity: draft.quantity.clone(),
            unit_price: draft.unit_price.clone(),
            payment: payment.to_owned(),
            urgent: draft.urgent,
            remark: draft.remark.clone(),
        })
    }
}

/// Digits with at most one decimal point, as an old program takes them: no exponent, no `inf`.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    text.chars().all(|c| c.is_ascii_digit() || c == '.') && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(lang: Lang) -> OrderBook {
        OrderBook::new(Form::new(lang, 0), None)
    }

    fn fill(book: &mut OrderBook, number: &str) {
        book.draft = Draft {
            order_no: number.to_owned(),
            customer: "上海样品有限公司".to_owned(),
            product_code: "00120".to_owned(),
            quantity: "3".to_owned(),
            unit_price: "12.50".to_owned(),
            payment: Some("Monthly"),
            urgent: true,
            remark: String::new(),
        };
    }

    /// Spoils a good record in every way and writes down what the program says to each.
    fn complaints(lang: Lang) -> String {
        type Spoil = fn(&mut Draft);
        let spoils: [Spoil; 8] = [
            |draft| draft.order_no.clear(),
            |draft| draft.customer = "  ".to_owned(),
            |draft| draft.product_code.clear(),
            |draft| draft.quantity = "three".to_owned(),
            |draft| draft.quantity.clear(),
            |draft| draft.unit_price = "12,50".to_owned(),
            |draft| draft.payment = None,
            |draft| draft.order_no = "A-1001".to_owned(),
        ];
        let mut book = book(lang);
        fill(&mut book, "A-1001");
        book.save();
        let mut said = vec![book.notice.text().to_owned()];
        for spoil in spoils {
            fill(&mut book, "A-1002");
            spoil(&mut book.draft);
            let before = book.draft.clone();
            assert!(!book.save());
            assert_eq!(book.draft, before, "an error leaves the fields alone");
            said.push(book.notice.text().to_owned());
        }
        fill(&mut book, "A-1002");
        book.save();
        said.push(book.notice.text().to_owned());
        book.delete();
        said.push(book.notice.text().to_owned());
        book.selected = Some(0);
        book.delete();
        said.push(book.notice.text().to_owned());
        book.start_new();
        said.push(book.notice.text().to_owned());
        said.join("\n")
    }

    #[test]
    fn says_what_happened_in_english() {
        insta::assert_snapshot!(complaints(Lang::En), @r"
        Saved order A-1001 (1 record)
        Order number must not be empty
        Customer must not be empty
        Product code must not be empty
        Quantity must be a number
        Quantity must be a number
        Unit price must be a number
        Payment must be chosen
        Order A-1001 already exists
        Saved order A-1002 (2 records)
        Select a record in the list first
        Deleted order A-1001 (1 record)
        New order
        ");
    }

    #[test]
    fn says_what_happened_in_chinese() {
        insta::assert_snapshot!(complaints(Lang::Zh), @r"
        已保存订单 A-1001（共 1 条）
        订单号不能为空
        客户不能为空
        产品编码不能为空
        数量必须是数字
        数量必须是数字
        单价必须是数字
        请选择结算方式
        订单 A-1001 已存在
        已保存订单 A-1002（共 2 条）
        请先在列表中选择一条记录
        已删除订单 A-1001（共 1 条）
        新订单
        ");
    }

    #[test]
    fn messages_use_the_label_that_the_window_shows() {
        let form = Form { fields: vec![(Field::Customer, "Client")], ..Form::new(Lang::En, 0) };
        let mut book = OrderBook::new(form, None);
        book.draft.order_no = "A-1".to_owned();
        assert!(!book.save());
        assert_eq!(book.notice, Notice::Error("Client must not be empty".to_owned()));
    }

    #[test]
    fn a_save_clears_every_field_and_keeps_the_record_as_typed() {
        let mut book = book(Lang::En);
        fill(&mut book, " A-1001 ");
        assert!(book.save());
        assert_eq!(book.draft, Draft::default());
        assert_eq!(book.orders()[0].order_no, " A-1001 ");
        assert_eq!(book.orders()[0].product_code, "00120");
    }

    #[test]
    fn the_log_holds_one_line_of_json_for_each_saved_record() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("练习 log.jsonl");
        let mut book = OrderBook::new(Form::new(Lang::En, 0), Some(OrderLog::open(&path)?));
        fill(&mut book, "A-1001");
        book.save();
        fill(&mut book, "A-1001");
        book.save();
        fill(&mut book, "A-1002");
        book.draft.urgent = false;
        book.draft.remark = "say \"ok\"".to_owned();
        book.save();
        insta::assert_snapshot!(std::fs::read_to_string(&path)?, @r#"
        {"order_no":"A-1001","customer":"上海样品有限公司","product_code":"00120","quantity":"3","unit_price":"12.50","payment":"Monthly","urgent":true,"remark":""}
        {"order_no":"A-1002","customer":"上海样品有限公司","product_code":"00120","quantity":"3","unit_price":"12.50","payment":"Monthly","urgent":false,"remark":"say \"ok\""}
        "#);
        Ok(())
    }

    #[test]
    fn numbers_are_plain_decimal_numbers() {
        for good in ["3", "12.50", "0.5", " 7 ", "00012"] {
            assert!(is_number(good), "{good}");
        }
        for bad in ["", " ", ".", "three", "1e5", "inf", "NaN", "-1", "1.2.3", "１２"] {
            assert!(!is_number(bad), "{bad}");
        }
    }
}
