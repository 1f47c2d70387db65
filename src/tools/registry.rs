//! What a model may ask for, and checking a call against it before anything happens.

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::model::ToolDefinition;
use crate::policy::{Action, Approved};
use crate::scene::{Scene, ToolCall};

use super::{
    Schema, ToolResult, Workbench, choose, click, done, drag, fill_fields, press_key, read_screen, scroll, type_text,
    wait,
};

/// A call that cannot be run; the text goes back to the model and names what would be allowed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct CallError(pub String);

type Run = fn(&mut Workbench, Map<String, Value>) -> ToolResult;

/// One tool: what a model is told, how its arguments are checked, what it does.
pub struct ToolSpec {
    pub name: &'static str,
    pub description: &'static str,
    /// JSON Schema of the arguments, made from the type that the tool itself parses.
    pub parameters: Schema,
    run: Run,
}

/// All tools that exist. What is not in it cannot be called by any spelling.
pub struct Registry {
    tools: Vec<ToolSpec>,
}

impl Registry {
    /// The built-in tools.
    pub fn built_in() -> Result<Self, CallError> {
        let tools = vec![
            spec::<click::Args>("click", "Click an element once.", click::click)?,
            spec::<click::Args>("double_click", "Double-click an element.", click::double_click)?,
            spec::<click::Args>("right_click", "Open an element's context menu.", click::right_click)?,
            spec::<type_text::Args>("type_text", "Replace the text of a field and read it back.", type_text::run)?,
            spec::<fill_fields::Args>(
                "fill_fields",
                "Enter several fields of a form, each read back; fields that are not named stay as they are.",
                fill_fields::run,
            )?,
            spec::<press_key::Args>("press_key", "Press a key or a chord such as ctrl+s.", press_key::run)?,
            spec::<choose::Args>("choose", "Choose an entry of a drop-down list.", choose::run)?,
            spec::<drag::Args>("drag", "Drag one element onto another.", drag::run)?,
            spec::<scroll::Args>("scroll", "Turn the mouse wheel.", scroll::run)?,
            spec::<wait::Args>("wait", "Wait until the screen is at rest.", wait::run)?,
            spec::<read_screen::Args>("read_screen", "List what is on the screen.", read_screen::run)?,
            spec::<done::Args>("done", "End the task and say what was achieved.", done::run)?,
        ];
        Ok(Registry { tools })
    }

    /// The tools as a model is told of them, in a fixed order.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools
            .iter()
            .map(|tool| ToolDefinition {
                name: tool.name.into(),
                description: tool.description.into(),
                parameters: tool.parameters.value().clone(),
            })
            .collect()
    }

    /// Checks a call's tool and arguments, and that the element it names is on the screen. Nothing happens yet.
    ///
    /// # Errors
    /// What is wrong and what would be allowed, for the model to read.
    pub fn check(&self, call: &ToolCall, scene: &Scene) -> Result<(), CallError> {
        let tool = self.find(&call.tool)?;
        let faults = tool.parameters.faults(&call.arguments);
        if !faults.is_empty() {
            return Err(CallError(format!("{}: {}", tool.name, faults.join("; "))));
        }
        super::workbench::named_elements(&Value::Object(call.arguments.clone()))
            .into_iter()
            .try_for_each(|wanted| wanted.find(scene).map(|_| ()))
    }

    /// Runs a call that was checked and approved.
    pub fn run(&self, bench: &mut Workbench, action: &Approved<Action>) -> ToolResult {
        let call = &action.get().call;
        match self.find(&call.tool) {
            Ok(tool) => (tool.run)(bench, call.arguments.clone()),
            Err(error) => ToolResult::failed(error.0),
        }
    }

    fn find(&self, name: &str) -> Result<&ToolSpec, CallError> {
        self.tools.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let known: Vec<_> = self.tools.iter().map(|tool| tool.name).collect();
            CallError(format!("there is no tool \"{name}\"; the tools are: {}", known.join(", ")))
        })
    }
}

fn spec<A: JsonSchema>(name: &'static str, description: &'static str, run: Run) -> Result<ToolSpec, CallError> {
    Ok(ToolSpec { name, description, parameters: Schema::of::<A>(name)?, run })
}
