//! Columns to fields: which column of a sheet belongs into which field on the screen, how sure, and why.
//!
//! Labels decide, in both languages; values add what they tell about types; a model may break ties and vote where
//! labels leave doubt, but never overrules a label that is equal or a known synonym.

mod assign;
mod fields;
mod similar;

use std::fmt;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

pub use fields::{Choice, Field, fields};
pub use similar::{Likeness, Name, Reason, SYNONYM};

use crate::model::{Continuation, ModelError, Scorer};
use crate::scene::Role;
use crate::words::{Kind, norm, words};

/// Columns whose best score is below stay unbound.
pub const THRESHOLD: f32 = 0.6;
/// Two candidates nearer than this are nearly equal.
const MARGIN: f32 = 0.07;
/// From here on labels are sure by themselves.
const SURE: f32 = 0.85;
/// What the model can lift a column to: above the threshold, below every sure label.
const MODEL_BEST: f32 = 0.8;
/// A candidate needs this much before the model is asked about it.
const MODEL_FLOOR: f32 = 0.15;
/// Most candidates of one column that are shown to the model.
const MODEL_CANDIDATES: usize = 6;

/// A column as the binder needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    /// A few shown values, blank ones left out.
    pub samples: Vec<String>,
}

/// Why a column got its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// The label says the same, short forms spelled out.
    Equal,
    /// The label is a known name of the same thing, in the same or the other language.
    Synonym,
    /// The label is alike.
    Similar,
    /// The values fit: they are choices or typical values of the field.
    Type,
    /// The model's vote decided.
    Model,
    /// No field.
    Unbound,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Equal => "equal label",
            Why::Synonym => "synonym",
            Why::Similar => "similar label",
            Why::Type => "values fit",
            Why::Model => "model",
            Why::Unbound => "no field",
        })
    }
}

/// Why somebody should look before this column is entered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Doubt {
    /// Another field fits nearly as well.
    Field { id: u32, label: String, score: f32 },
    /// Another column fits this field nearly as well.
    Column { name: String, score: f32 },
    /// The values do not look like what the field takes.
    Values { value: String },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Field { id, label, .. } => write!(f, "field {id} {label:?} fits nearly as well"),
            Doubt::Column { name, .. } => write!(f, "column {name:?} fits nearly as well"),
            Doubt::Values { value } => write!(f, "{value:?} is no value for it"),
        }
    }
}

/// What was decided about one column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnBinding {
    /// Position among the columns given.
    pub column: usize,
    pub name: String,
    /// The element to fill, `None` when no field fits.
    pub field: Option<u32>,
    /// The field's label; the nearest field's when unbound.
    pub label: String,
    /// 0..=1; of the nearest field when unbound.
    pub score: f32,
    pub why: Why,
    pub doubt: Option<Doubt>,
    /// The model's share for the chosen field among its candidates, where it was asked.
    pub model: Option<f32>,
}

/// The whole table, to be shown before anything is entered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Binding {
    pub columns: Vec<ColumnBinding>,
    /// Fields that no column fills.
    pub unfilled: Vec<u32>,
}

impl Binding {
    /// Columns that would not be entered anywhere.
    pub fn unmapped(&self) -> impl Iterator<Item = &ColumnBinding> {
        self.columns.iter().filter(|c| c.field.is_none())
    }

    /// Columns somebody should look at.
    pub fn doubtful(&self) -> impl Iterator<Item = &ColumnBinding> {
        self.columns.iter().filter(|c| c.doubt.is_some())
    }

    /// Whether every column has its field beyond doubt.
    pub fn is_certain(&self) -> bool {
        self.columns.iter().all(|c| c.field.is_some() && c.doubt.is_none())
    }
}

/// The model's vote on columns whose labels leave doubt. The prompt's words come from `agent/prompt`.
pub struct Voice<'a> {
    pub scorer: &'a mut dyn Scorer,
    /// Instructions and examples before every question.
    pub prefix: &'a str,
    /// The question about one column, behind which a field's label is the answer.
    pub question: &'a dyn Fn(&Column) -> String,
    /// The same question without a column: how likely each label is anyway.
    pub neutral: &'a str,
    pub stop: &'a AtomicBool,
}

/// One cell of the matrix.
#[derive(Debug, Clone, Copy)]
struct Fit {
    score: f32,
    why: Why,
    /// The values contradict the field.
    misfit: bool,
}

/// Binds columns to fields one to one.
///
/// # Errors
/// `ModelError::Stopped` when the user stopped while the model was asked; any other failure of the model only means
/// that its vote is missing.
pub fn bind(columns: &[Column], fields: &[Field], voice: Option<Voice<'_>>) -> Result<Binding, ModelError> {
    let names: Vec<Name> = fields.iter().map(|f| Name::new(&f.label)).collect();
    let mut fits: Vec<Vec<Fit>> = columns
        .iter()
        .map(|column| {
            let name = Name::new(&column.name);
            fields.iter().zip(&names).map(|(field, label)| fit(&name, column, label, field)).collect()
        })
        .collect();
    let mut shares: Vec<Vec<Option<f32>>> = vec![vec![None; fields.len()]; columns.len()];
    if let Some(mut voice) = voice {
        for (c, column) in columns.iter().enumerate() {
            let best = fits[c].iter().map(|f| f.score).fold(0.0, f32::max);
            let near = fits[c].iter().filter(|f| best - f.score < MARGIN).count();
            if best >= SURE && near <= 1 {
                continue;
            }
            match vote(&mut voice, column, fields, &fits[c]) {
                Ok(votes) => apply(&votes, &mut fits[c], &mut shares[c]),
                Err(ModelError::Stopped) => return Err(ModelError::Stopped),
                Err(ModelError::File { .. } | ModelError::Run(_) | ModelError::Grammar(_)) => break,
            }
        }
    }
    Ok(decide(columns, fields, &fits, &shares))
}

/// How well a column fits a field by names and values.
fn fit(name: &Name, column: &Column, label: &Name, field: &Field) -> Fit {
    let likeness = name.likeness(label);
    let mut fit = Fit {
        score: likeness.score,
        why: match likeness.reason {
            Reason::Equal => Why::Equal,
            Reason::Synonym => Why::Synonym,
            Reason::Similar | Reason::Different => Why::Similar,
        },
        misfit: false,
    };
    if column.samples.is_empty() {
        return fit;
    }
    let all = |test: &dyn Fn(&str) -> bool| column.samples.iter().all(|v| test(v));
    let flags = all(&|v| words().truth(v).is_some());
    match field.role {
        Role::Checkbox | Role::Switch => {
            // A sheet may also name the thing itself in the cell: urgent under Urgent.
            let named = all(&|v| words().truth(v).is_some() || norm(v) == norm(&field.label));
            fit.misfit = !named;
        }
        Role::Radio | Role::Combobox if !field.choices.is_empty() => {
            if all(&|v| field.choice(v).is_some()) {
                if fit.score < 0.75 {
                    // Yes and no are choices of many fields; other words are choices of few.
                    let told = if flags { 0.3 } else { 0.75 };
                    if told > fit.score {
                        fit.score = told;
                        fit.why = Why::Type;
                    }
                } else {
                    fit.score = (fit.score + 0.02).min(1.0);
                }
            } else if !column.samples.iter().any(|v| field.choice(v).is_some()) {
                fit.misfit = true;
            }
        }
        _ => match label.kind() {
            Kind::Number => fit.misfit = !all(&looks_numeric),
            Kind::Date => fit.misfit = !all(&|v| v.chars().any(|c| c.is_ascii_digit())),
            Kind::Phone => fit.misfit = !all(&|v| v.chars().filter(char::is_ascii_digit).count() >= 3),
            Kind::Email => fit.misfit = !all(&|v| v.contains('@')),
            Kind::Flag | Kind::Free | Kind::Text => {
                let typical = label.concept().is_some_and(|c| all(&|v| words().concepts_of_value(v).contains(&c)));
                if typical && fit.score < 0.7 {
                    fit.score = 0.7;
                    fit.why = Why::Type;
                }
            }
        },
    }
    if fit.misfit && fit.why != Why::Equal {
        fit.score *= 0.75;
    }
    fit
}

/// Whether a value reads as a number, with separators, sign, currency or unit around it.
pub(crate) fn looks_numeric(value: &str) -> bool {
    let value = norm(value);
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let other = value.chars().filter(|c| c.is_alphabetic()).count();
    digits > 0 && other <= 3 && !value.chars().any(|c| matches!(c, ':' | '@' | '/')) && value.matches('-').count() <= 1
}

/// The model's share of each candidate: how much likelier its label becomes by the question about this column.
fn vote(
    voice: &mut Voice<'_>,
    column: &Column,
    fields: &[Field],
    fits: &[Fit],
) -> Result<Vec<(usize, f32)>, ModelError> {
    let mut candidates: Vec<usize> = (0..fields.len()).filter(|f| !fields[*f].label.is_empty()).collect();
    candidates.sort_by(|a, b| fits[*b].score.total_cmp(&fits[*a].score));
    candidates.truncate(MODEL_CANDIDATES);
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let question = (voice.question)(column);
    let ask = |context: &str| -> Vec<Continuation> {
        let labels = candidates.iter().map(|f| fields[*f].label.clone());
        labels.map(|text| Continuation { context: context.to_string(), text }).collect()
    };
    let given = voice.scorer.score(voice.prefix, &ask(&question), voice.stop)?;
    let anyway = voice.scorer.score(voice.prefix, &ask(voice.neutral), voice.stop)?;
    let gains = given.iter().zip(&anyway).map(|(g, a)| (g.logprob - a.logprob) / g.tokens.max(1) as f32);
    let gains: Vec<f32> = gains.map(|g| if g.is_finite() { g } else { f32::MIN / 4.0 }).collect();
    let most = gains.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = gains.iter().map(|g| (g - most).exp()).collect();
    let sum: f32 = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    Ok(candidates.into_iter().zip(weights).map(|(f, w)| (f, w / sum)).collect())
}

/// Mixes the model's vote in: it lifts unsure candidates up to [`MODEL_BEST`] and parts sure ones that are tied.
fn apply(votes: &[(usize, f32)], fits: &mut [Fit], shares: &mut [Option<f32>]) {
    for (f, share) in votes {
        let Some(fit) = fits.get_mut(*f) else { continue };
        shares[*f] = Some(*share);
        if fit.score >= SURE {
            // Sure labels can only be tied with each other: a nudge within the margin.
            fit.score = (fit.score - MARGIN * (1.0 - share)).max(SURE);
        } else if fit.score >= MODEL_FLOOR && !fit.misfit {
            let mixed = (0.55 * fit.score + 0.45 * share).min(MODEL_BEST);
            if mixed > fit.score {
                if fit.score < THRESHOLD && mixed >= THRESHOLD {
                    fit.why = Why::Model;
                }
                fit.score = mixed;
            }
        }
    }
}

fn decide(columns: &[Column], fields: &[Field], fits: &[Vec<Fit>], shares: &[Vec<Option<f32>>]) -> Binding {
    let scores: Vec<Vec<f64>> = fits.iter().map(|r| r.iter().map(|f| f64::from(f.score)).collect()).collect();
    // Just under the threshold, so that a score equal to it counts.
    let chosen = assign::best(&scores, f64::from(THRESHOLD) - 1e-6);
    let label = |f: usize| fields.get(f).map(|f| f.label.clone()).unwrap_or_default();
    let mut out = Vec::with_capacity(columns.len());
    for (c, column) in columns.iter().enumerate() {
        let nearest = (0..fields.len()).max_by(|a, b| fits[c][*a].score.total_cmp(&fits[c][*b].score));
        let Some(f) = chosen[c] else {
            // Its own best field went to another column that fits about as well: somebody has to choose.
            let lost = nearest.filter(|f| fits[c][*f].score >= THRESHOLD);
            let winner = lost.and_then(|f| Some((f, chosen.iter().position(|x| *x == Some(f))?)));
            let doubt = winner.filter(|(f, w)| fits[*w][*f].score - fits[c][*f].score < MARGIN);
            out.push(ColumnBinding {
                column: c,
                name: column.name.clone(),
                field: None,
                label: nearest.map(label).unwrap_or_default(),
                score: nearest.map_or(0.0, |f| fits[c][f].score),
                why: Why::Unbound,
                doubt: doubt.map(|(f, w)| Doubt::Column { name: columns[w].name.clone(), score: fits[w][f].score }),
                model: None,
            });
            continue;
        };
        let mine = fits[c][f];
        let rival_field = (0..fields.len()).filter(|x| *x != f && mine.score - fits[c][*x].score < MARGIN).find(|x| {
            // A field that another column claims more clearly is no rival.
            chosen.iter().position(|y| *y == Some(*x)).is_none_or(|o| fits[o][*x].score - fits[c][*x].score < MARGIN)
        });
        let rival_column = (0..columns.len())
            .filter(|o| *o != c && chosen[*o].is_none())
            .find(|o| mine.score - fits[*o][f].score < MARGIN && fits[*o][f].score >= THRESHOLD);
        let strange = mine.misfit.then(|| column.samples.first().cloned().unwrap_or_default());
        let doubt = if let Some(x) = rival_field {
            Some(Doubt::Field { id: fields[x].id, label: label(x), score: fits[c][x].score })
        } else if let Some(o) = rival_column {
            Some(Doubt::Column { name: columns[o].name.clone(), score: fits[o][f].score })
        } else {
            strange.map(|value| Doubt::Values { value })
        };
        out.push(ColumnBinding {
            column: c,
            name: column.name.clone(),
            field: Some(fields[f].id),
            label: label(f),
            score: mine.score,
            why: mine.why,
            doubt,
            model: shares[c][f],
        });
    }
    let filled: Vec<u32> = out.iter().filter_map(|c| c.field).collect();
    Binding { columns: out, unfilled: fields.iter().map(|f| f.id).filter(|id| !filled.contains(id)).collect() }
}

#[cfg(test)]
mod tests;
