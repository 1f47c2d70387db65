//! One record said in a sentence, split into field-value pairs: "customer A, phone 0201, category Retail, save".
//!
//! Field names are recognised as columns are ([`super::bind`]); values are copied letter by letter; what is neither
//! is left to whoever reads the rest of the sentence. Fields that are not named are not touched.

mod grammar;
mod lexis;
mod tokens;

use std::ops::Range;

use serde::Serialize;

use super::bind::Field;
use crate::scene::Role;

/// A value that belongs into a field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// The element to fill; of a group of radio buttons the first one.
    pub field: u32,
    pub label: String,
    pub role: Role,
    /// Copied from the sentence; of a checkbox that is only named, `yes` or `no`.
    pub value: String,
    /// Where the value stands in the sentence, in bytes; of a checkbox that is only named, its name.
    pub value_span: Range<usize>,
    /// Everything that was read for this pair: verb, name, value.
    pub span: Range<usize>,
    /// How well the name fits the label, 0..=1.
    pub score: f32,
    /// Other fields that fit the name as well: doubt when there are any.
    pub others: Vec<u32>,
}

/// A part of the sentence that is no pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rest {
    /// Without the connecting words in front: `save`, not `and save`.
    pub text: String,
    pub span: Range<usize>,
    /// Whether it begins with a word of doing (save, click, 打开). What does not is most likely a value cut off by a
    /// comma or a field that is not there: a reason to ask before saving.
    pub command: bool,
}

/// A sentence taken apart.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Pairs {
    pub pairs: Vec<Pair>,
    pub rest: Vec<Rest>,
}

impl Pairs {
    /// The fields that are named more than once, or by a name that fits several: they need a look before entering.
    pub fn doubtful(&self) -> impl Iterator<Item = &Pair> {
        let twice = |p: &Pair| self.pairs.iter().filter(|q| q.field == p.field).count() > 1;
        self.pairs.iter().filter(move |p| !p.others.is_empty() || twice(p))
    }
}

/// Splits a sentence against the fields on the screen. Never fails: what is not understood is rest.
pub fn split(sentence: &str, fields: &[Field]) -> Pairs {
    grammar::Reader::new(sentence, fields).read()
}

#[cfg(test)]
mod tests;
