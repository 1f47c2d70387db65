//! One record said in a sentence, split into field-value pairs.
