//! What the practice window shows for a language and a seed: fields, labels, order, place, colours. Plain data.

/// The language of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    #[default]
    En,
    Zh,
}

/// What can be filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    OrderNo,
    Customer,
    ProductCode,
    Quantity,
    UnitPrice,
    /// A pick list.
    Payment,
    /// A check box.
    Urgent,
    Remark,
}

impl Field {
    /// Every field, in the plain order.
    pub const ALL: [Self; 8] = [
        Self::OrderNo,
        Self::Customer,
        Self::ProductCode,
        Self::Quantity,
        Self::UnitPrice,
        Self::Payment,
        Self::Urgent,
        Self::Remark,
    ];

    /// What this field may be called; the first is the plain name.
    fn names(self, lang: Lang) -> [&'static str; 3] {
        match (lang, self) {
            (Lang::En, Self::OrderNo) => ["Order number", "Order No", "Order ID"],
            (Lang::En, Self::Customer) => ["Customer", "Customer name", "Client"],
            (Lang::En, Self::ProductCode) => ["Product code", "Item code", "Product No"],
            (Lang::En, Self::Quantity) => ["Quantity", "Qty", "Order quantity"],
            (Lang::En, Self::UnitPrice) => ["Unit price", "Price", "Price each"],
            (Lang::En, Self::Payment) => ["Payment", "Payment method", "Payment terms"],
            (Lang::En, Self::Urgent) => ["Urgent", "Urgent order", "Rush order"],
            (Lang::En, Self::Remark) => ["Remark", "Remarks", "Note"],
            (Lang::Zh, Self::OrderNo) => ["订单号", "订单编号", "单号"],
            (Lang::Zh, Self::Customer) => ["客户", "客户名称", "往来单位"],
            (Lang::Zh, Self::ProductCode) => ["产品编码", "商品编码", "物料编码"],
            (Lang::Zh, Self::Quantity) => ["数量", "订购数量", "件数"],
            (Lang::Zh, Self::UnitPrice) => ["单价", "销售单价", "价格"],
            (Lang::Zh, Self::Payment) => ["结算方式", "付款方式", "支付方式"],
            (Lang::Zh, Self::Urgent) => ["加急", "加急订单", "紧急"],
            (Lang::Zh, Self::Remark) => ["备注", "说明", "附注"],
        }
    }
}

/// The buttons of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    New,
    Save,
    Delete,
    Close,
}

impl Button {
    /// Every button, in the plain order.
    pub const ALL: [Self; 4] = [Self::New, Self::Save, Self::Delete, Self::Close];

    /// The button's text.
    pub fn caption(self, lang: Lang) -> &'static str {
        match (lang, self) {
            (Lang::En, Self::New) => "New",
            (Lang::En, Self::Save) => "Save",
            (Lang::En, Self::Delete) => "Delete",
            (Lang::En, Self::Close) => "Close",
            (Lang::Zh, Self::New) => "新建",
            (Lang::Zh, Self::Save) => "保存",
            (Lang::Zh, Self::Delete) => "删除",
            (Lang::Zh, Self::Close) => "关闭",
        }
    }
}

/// The choices of the payment list.
pub fn payments(lang: Lang) -> [&'static str; 3] {
    match lang {
        Lang::En => ["Cash", "Monthly", "Prepaid"],
        Lang::Zh => ["现金", "月结", "预付"],
    }
}

/// What the payment list shows while nothing is chosen.
pub fn payment_placeholder(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "(choose)",
        Lang::Zh => "(请选择)",
    }
}

/// The two words that the record list shows for the check box.
pub fn yes_no(lang: Lang, yes: bool) -> &'static str {
    match (lang, yes) {
        (Lang::En, true) => "Yes",
        (Lang::En, false) => "No",
        (Lang::Zh, true) => "是",
        (Lang::Zh, false) => "否",
    }
}

/// Where a label stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelPlace {
    Left,
    Above,
}

/// The family of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// Grey, as programs of the nineties.
    Classic,
    /// White and flat.
    Flat,
    /// Pale blue.
    Blue,
}

/// Everything that a seed decides about the window.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    pub lang: Lang,
    /// The fields in their order (reading order, and that of the Tab key), each with its label without a colon.
    pub fields: Vec<(Field, &'static str)>,
    /// Columns in which the fields stand: 1 or 2.
    pub columns: usize,
    pub label_place: LabelPlace,
    pub colours: Colours,
    /// Text size in pixels, 13 to 16.
    pub text_size: u32,
    /// The buttons from left to right.
    pub buttons: Vec<Button>,
    /// Whether the row of buttons stands above the fields (as a tool bar) instead of below them.
    pub buttons_on_top: bool,
    /// Inner size of the window in pixels.
    pub size: (u32, u32),
    /// Where the window opens on the screen.
    pub place: (i32, i32),
}

/// Least height in pixels of the record list with its header; it takes what else the window has left.
const LIST_HEIGHT: u32 = 110;

impl Form {
    /// The window for `seed`: the same seed always gives the same window, seed 0 the plain one.
    pub fn new(lang: Lang, seed: u64) -> Self {
        let mut form = Self {
            lang,
            fields: Field::ALL.iter().map(|&field| (field, field.names(lang)[0])).collect(),
            columns: 1,
            label_place: LabelPlace::Left,
            colours: Colours::Classic,
            text_size: 14,
            buttons: Button::ALL.to_vec(),
            buttons_on_top: false,
            size: (0, 0),
            place: (60, 40),
        };
        let (mut extra_width, mut extra_height) = (0, 40);
        if seed != 0 {
            let mut dice = Dice(seed);
            dice.shuffle(&mut form.fields);
            for (field, label) in &mut form.fields {
                *label = dice.pick(field.names(lang));
            }
            form.columns = dice.pick([1, 2]);
            form.label_place = dice.pick([LabelPlace::Left, LabelPlace::Above]);
            form.colours = dice.pick([Colours::Classic, Colours::Flat, Colours::Blue]);
            form.text_size = dice.pick([13, 14, 15, 16]);
            if form.columns == 1 && form.label_place == LabelPlace::Above {
                // The tallest arrangement has to fit a screen of 800 pixels.
                form.text_size = form.text_size.min(15);
            }
            dice.shuffle(&mut form.buttons);
            form.buttons_on_top = dice.pick([false, true]);
            extra_width = dice.pick([0, 30, 60, 90]);
            extra_height = match (form.columns, form.label_place) {
                (1, LabelPlace::Above) => 0,
                _ => dice.pick([0, 30, 60]),
            };
            form.place = (dice.pick([20, 45, 70, 95, 120]), dice.pick([10, 20, 30]));
        }
        form.size = (form.width() + extra_width, form.height() + extra_height);
        form
    }

    /// The label of a field.
    pub fn label(&self, field: Field) -> &'static str {
        self.fields.iter().find(|(each, _)| *each == field).map_or(field.names(self.lang)[0], |(_, label)| label)
    }

    /// The label as it stands beside its field, with the colon that belongs to the language.
    pub fn label_with_colon(&self, field: Field) -> String {
        match self.lang {
            Lang::En => format!("{}:", self.label(field)),
            Lang::Zh => format!("{}：", self.label(field)),
        }
    }

    /// The window's title.
    pub fn title(&self) -> &'static str {
        match self.lang {
            Lang::En => "Practice orders",
            Lang::Zh => "练习订单",
        }
    }

    /// The fields of each column, from top to bottom.
    pub fn by_column(&self) -> impl Iterator<Item = &[(Field, &'static str)]> {
        self.fields.chunks(self.fields.len().div_ceil(self.columns.max(1)).max(1))
    }

    /// Height in pixels of a line of text.
    pub fn line_height(&self) -> u32 {
        self.text_size + 5
    }

    /// Height in pixels of an input field, borders included: 26 to 29.
    pub fn field_height(&self) -> u32 {
        self.line_height() + 8
    }

    /// Width in pixels that the longest label needs.
    pub fn label_width(&self) -> u32 {
        let letters = |label: &str| label.chars().map(|c| if c.is_ascii() { 58 } else { 100 }).sum::<u32>() + 100;
        let longest = self.fields.iter().map(|(_, label)| letters(label)).max().unwrap_or_default();
        longest * self.text_size / 100
    }

    fn width(&self) -> u32 {
        match self.columns {
            1 => 640,
            _ => 760,
        }
    }

    fn height(&self) -> u32 {
        let rows = u32::try_from(self.fields.len().div_ceil(self.columns.max(1))).unwrap_or(8);
        let label = match self.label_place {
            LabelPlace::Left => 0,
            LabelPlace::Above => self.line_height() + 2,
        };
        let row = self.field_height() + label + 8;
        // The margins, the row of buttons and the status line come to about four rows of fields.
        rows * row + 4 * (self.field_height() + 10) + LIST_HEIGHT
    }
}

/// A small deterministic source of choices (the SplitMix64 generator), so that no seed changes with a library.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, which must not be 0.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap_or_default()
    }

    fn pick<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        choices[self.below(N)]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANGS: [Lang; 2] = [Lang::En, Lang::Zh];

    #[test]
    fn the_same_seed_gives_the_same_window() {
        for seed in 0..50 {
            assert_eq!(Form::new(Lang::En, seed), Form::new(Lang::En, seed));
        }
        assert_ne!(Form::new(Lang::En, 1), Form::new(Lang::En, 2));
    }

    #[test]
    fn seed_0_is_plain_in_both_languages() {
        let en = Form::new(Lang::En, 0);
        let labels: Vec<_> = en.fields.iter().map(|(_, label)| *label).collect();
        assert_eq!(
            labels,
            ["Order number", "Customer", "Product code", "Quantity", "Unit price", "Payment", "Urgent", "Remark"]
        );
        let zh = Form::new(Lang::Zh, 0);
        assert_eq!(zh.label_with_colon(Field::Customer), "客户：");
        assert_eq!(zh.title(), "练习订单");
    }

    #[test]
    fn every_seed_has_all_fields_and_buttons_once_with_different_labels() {
        for lang in LANGS {
            for seed in 0..50 {
                let form = Form::new(lang, seed);
                for field in Field::ALL {
                    assert_eq!(form.fields.iter().filter(|(each, _)| *each == field).count(), 1, "seed {seed}");
                }
                for button in Button::ALL {
                    assert_eq!(form.buttons.iter().filter(|each| **each == button).count(), 1, "seed {seed}");
                }
                let mut labels: Vec<_> = form.fields.iter().map(|(_, label)| *label).collect();
                labels.sort_unstable();
                labels.dedup();
                assert_eq!(labels.len(), Field::ALL.len(), "seed {seed}: {labels:?}");
                assert_eq!(form.by_column().map(<[_]>::len).sum::<usize>(), Field::ALL.len());
                assert_eq!(form.by_column().count(), form.columns);
            }
        }
    }

    #[test]
    fn every_window_fits_a_screen_of_1280_by_800() {
        for lang in LANGS {
            for seed in 0..200 {
                let form = Form::new(lang, seed);
                let right = form.place.0 + form.size.0 as i32;
                let bottom = form.place.1 + form.size.1 as i32;
                assert!(right <= 1270 && bottom <= 770, "seed {seed}: {right} {bottom}");
            }
        }
    }

    #[test]
    fn the_first_seeds_differ_in_what_matters_to_the_eyes() {
        let forms: Vec<_> = (0..5).map(|seed| Form::new(Lang::En, seed)).collect();
        assert!(forms.iter().any(|form| form.columns == 2) && forms.iter().any(|form| form.columns == 1));
        assert!(forms.iter().any(|form| form.label_place == LabelPlace::Above));
        assert!(forms.iter().any(|form| form.colours != Colours::Classic));
        assert!(forms.iter().any(|form| form.label(Field::Customer) != "Customer"));
    }
}
