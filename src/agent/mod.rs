//! The turn loop: from a sentence to tool calls to an answer.
