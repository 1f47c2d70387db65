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

/// Weight of the word score against the model's score, both standardised over the shortlist. On 53 single-step cases:
/// words alone 36 right, the model alone 44, with this weight 44 (with random weights 24); at 0.6 43, at 1.2 43.
const PRIOR_WEIGHT: f32 = 0.8;
/// Differences below this are rounding, not opinion: a voice that gives everything the same score stays silent.
const SILENT: f32 = 1e-4;
/// Most tokens of generated arguments.
const MAX_ARGUMENT_TOKENS: usize = 256;

impl ChatModel for LocalModel {
    fn name(&self) -> &str {
        &self.facts.name
    }

    fn chooses(&self) -> bool {
        true
    }

    fn decide(&mut self, turn: &Turn, stop: &AtomicBool) -> Result<Decision> {
        let started = Instant::now();
        let (passes, tokens) = (self.network.passes, self.network.tokens);
        if turn.options.is_empty() {
            return Err(ModelError::Run("there is no option to choose from".into()));
        }
        if turn.request.trim().is_empty() {
            return Err(ModelError::Run("there is no request to decide about".into()));
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fixture;
    use super::*;
    use crate::model::OpenArguments;

    fn option(phrase: &str, prior: f32) -> ActionOption {
        ActionOption {
            call: ToolCall::new("click", json!({ "element": phrase })),
            phrase: phrase.into(),
            prior,
            open: None,
        }
    }

    fn turn(options: Vec<ActionOption>) -> Turn {
        Turn {
            messages: Vec::new(),
            tools: Vec::new(),
            request: "in the beginning".into(),
            channel_prefix: "the thin thing\naction: ".into(),
            channel_separator: "\nrequest: ".into(),
            options,
        }
    }

    fn go() -> AtomicBool {
        AtomicBool::new(false)
    }

    #[test]
    fn every_option_gets_a_score_and_the_best_comes_first() {
        let mut model = fixture::model();
        let options = ["Save", "Cancel", "Quantity", "客户名称"].map(|phrase| option(phrase, 0.1)).to_vec();
        let decision = model.decide(&turn(options), &go()).unwrap();
        assert_eq!(decision.scores.len(), 4);
        assert!(decision.scores.windows(2).all(|w| w[0].total >= w[1].total));
        let Reply::Call(call) = decision.reply else { panic!("{:?}", decision.reply) };
        assert_eq!(call.arguments["element"], json!(decision.scores[0].phrase));
        assert!(decision.confidence > 0.25 && decision.confidence <= 1.0);
        // Equal word scores leave the choice to the model alone.
        assert!(decision.scores.windows(2).all(|w| w[0].model >= w[1].model));
    }

    #[test]
    fn the_model_and_the_words_both_have_a_say() {
        let mut model = fixture::model();
        let by_model = model.decide(&turn(vec![option("Save", 0.0), option("Cancel", 0.0)]), &go()).unwrap();
        let (winner, loser) = (&by_model.scores[0].phrase, &by_model.scores[1].phrase);
        let options = vec![option(winner, 0.2), option(loser, 0.1), option("Help", 0.9), option("Print", 0.2)];
        let decision = model.decide(&turn(options), &go()).unwrap();
        let score = |phrase: &str| decision.scores.iter().find(|s| s.phrase == phrase).unwrap().total;
        assert!(score(winner) > score(loser));
        let loudest = decision.scores.iter().max_by(|a, b| a.model.total_cmp(&b.model)).unwrap();
        let help = decision.scores.iter().find(|s| s.phrase == "Help").unwrap();
        let plain = help.model - loudest.model;
        assert!(plain <= 0.0 && help.total > f32::NEG_INFINITY);
    }

    #[test]
    fn likelihood_is_that_of_the_request_after_prefix_phrase_and_separator() {
        let mut model = fixture::model();
        let decision = model.decide(&turn(vec![option("Save", 0.0)]), &go()).unwrap();
        let item = Continuation { context: "Save\nrequest:".into(), text: " in the beginning".into() };
        let score = model.score("the thin thing\naction: ", &[item], &go()).unwrap()[0];
        assert!((decision.scores[0].model - score.logprob / score.tokens as f32).abs() < 1e-4);
        assert_eq!(decision.confidence, 1.0);
    }

    #[test]
    fn the_prefix_is_read_once_for_all_decisions() {
        let mut model = fixture::model();
        let turn = turn(vec![option("Save", 0.0), option("Cancel", 0.0)]);
        let first = model.decide(&turn, &go()).unwrap();
        let second = model.decide(&turn, &go()).unwrap();
        assert_eq!(first.model_calls, second.model_calls + 1);
        assert!(second.tokens < first.tokens);
        assert_eq!(first.scores, second.scores);
    }

    #[test]
    fn open_arguments_are_written_for_the_chosen_option_and_known_ones_stay() {
        let mut model = fixture::model();
        let mut open = option("Remarks", 0.0);
        open.open = Some(OpenArguments {
            prompt: "the text:".into(),
            schema: json!({
                "type": "object",
                "properties": { "element": { "const": "other" }, "text": { "enum": ["one", "two"] } },
                "required": ["element", "text"],
                "additionalProperties": false,
            }),
        });
        let decision = model.decide(&turn(vec![open]), &go()).unwrap();
        let Reply::Call(call) = decision.reply else { panic!("{:?}", decision.reply) };
        assert_eq!(call.arguments["element"], "Remarks");
        assert!(["one", "two"].contains(&call.arguments["text"].as_str().unwrap()));
    }

    #[test]
    fn nothing_to_choose_from_is_an_error() {
        assert!(matches!(fixture::model().decide(&turn(Vec::new()), &go()), Err(ModelError::Run(_))));
    }

    #[test]
    fn an_empty_request_is_an_error_and_no_crash() {
        let mut turn = turn(vec![option("Save", 0.0)]);
        turn.request.clear();
        assert!(matches!(fixture::model().decide(&turn, &go()), Err(ModelError::Run(_))));
    }

    #[test]
    fn a_stop_is_heard() {
        let stopped = fixture::model().decide(&turn(vec![option("Save", 0.0)]), &AtomicBool::new(true));
        assert!(matches!(stopped, Err(ModelError::Stopped)));
    }

    #[test]
    fn values_without_difference_have_no_voice() {
        assert_eq!(standardised(&[0.3, 0.3, 0.3]), [0.0, 0.0, 0.0]);
        let z = standardised(&[1.0, 2.0, 3.0]);
        assert!((z[0] + 1.224_745).abs() < 1e-4 && z[1].abs() < 1e-6);
    }
}
