//! The same action on the same screen is not tried a third time (A6).

use std::collections::HashMap;

use crate::scene::ToolCall;
use crate::tools::Effect;

/// Counts what was tried without a visible change.
#[derive(Debug, Default)]
pub(super) struct RepetitionGuard {
    fruitless: HashMap<String, usize>,
    refused: usize,
}

/// What the guard says about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Go,
    /// Tried twice without a visible change: not again, think of something else.
    Refuse,
    /// Asked for again after a refusal: the run ends.
    Halt,
}

impl RepetitionGuard {
    pub(super) fn before(&mut self, call: &ToolCall) -> Verdict {
        if self.fruitless.get(&key(call)).is_none_or(|count| *count < 2) {
            return Verdict::Go;
        }
        self.refused += 1;
        if self.refused > 1 { Verdict::Halt } else { Verdict::Refuse }
    }

    /// `final_word`: what cannot be undone is not even tried twice, because it may have happened unseen.
    pub(super) fn after(&mut self, call: &ToolCall, effect: Effect, final_word: bool) {
        match effect {
            Effect::Changed | Effect::Confirmed => self.fruitless.clear(),
            Effect::Unchanged | Effect::Unverifiable => {
                *self.fruitless.entry(key(call)).or_default() += if final_word { 2 } else { 1 };
            }
        }
    }
}

fn key(call: &ToolCall) -> String {
    serde_json::to_string(call).unwrap_or_else(|_| call.tool.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_same_action_without_effect_is_not_tried_a_third_time() {
        let call = ToolCall::new("click", json!({"element": "Next"}));
        let mut guard = RepetitionGuard::default();
        for _ in 0..2 {
            assert_eq!(guard.before(&call), Verdict::Go);
            guard.after(&call, Effect::Unchanged, false);
        }
        assert_eq!(guard.before(&call), Verdict::Refuse);
        assert_eq!(guard.before(&call), Verdict::Halt);
    }

    #[test]
    fn a_save_that_may_have_happened_is_never_repeated() {
        let call = ToolCall::new("click", json!({"element": "Save"}));
        let mut guard = RepetitionGuard::default();
        guard.after(&call, Effect::Unchanged, true);
        assert_eq!(guard.before(&call), Verdict::Refuse);
    }

    #[test]
    fn a_visible_change_wipes_the_slate() {
        let call = ToolCall::new("click", json!({"element": "Next"}));
        let mut guard = RepetitionGuard::default();
        guard.after(&call, Effect::Unchanged, false);
        guard.after(&call, Effect::Changed, false);
        guard.after(&call, Effect::Unchanged, false);
        assert_eq!(guard.before(&call), Verdict::Go);
    }
}
