//! Choosing among options: how likely is the request, given each action?
//!
//! A small model reads `request | action` far better than it picks a number from a list, so every option's words
//! are put before the request and the request's likelihood is its score (a noisy channel). That voice and the
//! cheap word score of the caller are put on one scale over the shortlist and added.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde_json::Value;

use super::LocalModel;
use crate::model::{
    ActionOption, ChatModel, Continuation, Decision, ModelError, OptionScore, Reply, Result, Scorer, Turn,
};
use crate::scene::ToolCall;

/// Weight of the word score against the model's score, both standardised over the shortlist.
const PRIOR_WEIGHT: f32 = 1.0;
/// Differences below this are rounding, not opinion: a voice that gives everything the same score stays silent.
const SILENT: f32 = 1e-4;
/// Most tokens of generated arguments.
const MAX_ARGUMENT_TOKENS: usize = 256;

impl ChatModel for LocalModel {
    fn name(&self) -> &str {
        &self.facts.name
    }

    fn decide(&mut self, turn: &Turn, stop: &AtomicBool) -> Result<Decision> {
        let started = Instant::now();
        let (passes, tokens) = (self.network.passes, self.network.tokens);
        if turn.options.is_empty() {
            return Err(ModelError::Run("there is no option to choose from".into()));
        }
        let items: Vec<Continuation> = turn
            .options
            .iter()
            .map(|option| Continuation {
                context: format!("{}{}", option.phrase, turn.channel_separator),
                text: turn.request.clone(),
            })
            .collect();
        let likelihood = self.score(&turn.channel_prefix, &items, stop)?;
        let model: Vec<f32> = likelihood.iter().map(|s| s.logprob / s.tokens.max(1) as f32).collect();
        let prior: Vec<f32> = turn.options.iter().map(|o| o.prior).collect();
        let total: Vec<f32> = standardised(&model)
            .into_iter()
            .zip(standardised(&prior))
            .map(|(model, prior)| model + PRIOR_WEIGHT * prior)
            .collect();

        let mut order: Vec<usize> = (0..total.len()).collect();
        order.sort_by(|a, b| total[*b].total_cmp(&total[*a]));
        let chosen = order[0];
        let sum: f32 = total.iter().map(|t| (t - total[chosen]).exp()).sum();
        let call = self.complete(&turn.options[chosen], stop)?;
        let scores = order
            .iter()
            .map(|i| OptionScore {
                phrase: turn.options[*i].phrase.clone(),
                model: model[*i],
                prior: prior[*i],
                total: total[*i],
            })
            .collect();
        Ok(Decision {
            reply: Reply::Call(call),
            confidence: 1.0 / sum,
            scores,
            tokens: self.network.tokens - tokens,
            model_calls: self.network.passes - passes,
            ms: started.elapsed().as_millis() as u64,
        })
    }

    fn scorer(&mut self) -> Option<&mut dyn Scorer> {
        Some(self)
    }
}

impl LocalModel {
    /// The option's call, with the open arguments written by the model.
    fn complete(&mut self, option: &ActionOption, stop: &AtomicBool) -> Result<ToolCall> {
        let mut call = option.call.clone();
        if let Some(open) = &option.open {
            match self.generate_json(&open.prompt, &open.schema, MAX_ARGUMENT_TOKENS, stop)? {
                Value::Object(arguments) => {
                    // What was known before stays as it was.
                    for (name, value) in arguments {
                        call.arguments.entry(name).or_insert(value);
                    }
                }
                other => return Err(ModelError::Run(format!("arguments must be an object, not {other}"))),
            }
        }
        Ok(call)
    }
}

/// Shifted and scaled to mean 0 and spread 1; all zero where the values do not differ.
fn standardised(values: &[f32]) -> Vec<f32> {
    let count = values.len() as f32;
    let mean = values.iter().sum::<f32>() / count;
    let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / count).sqrt();
    if spread < SILENT {
        return vec![0.0; values.len()];
    }
    values.iter().map(|v| (v - mean) / spread).collect()
}
