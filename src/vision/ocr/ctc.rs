//! From the recognition network's probabilities to characters and the time steps at which they stand.

/// A decoded character: which one, its probability, and its first and last time step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    pub ch: char,
    pub probability: f32,
    pub first: usize,
    pub last: usize,
}

/// A decoded line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Decoded {
    pub chars: Vec<Step>,
}

impl Decoded {
    pub(crate) fn text(&self) -> String {
        self.chars.iter().map(|c| c.ch).collect()
    }

    /// Mean probability of the characters; 0 for an empty line.
    pub(crate) fn confidence(&self) -> f32 {
        if self.chars.is_empty() {
            return 0.0;
        }
        self.chars.iter().map(|c| c.probability).sum::<f32>() / self.chars.len() as f32
    }
}

/// The classes of the network: blank (empty), the dictionary's lines, and the space.
pub(crate) fn alphabet(dictionary: &str) -> Vec<String> {
    let mut classes = vec![String::new()];
    classes.extend(dictionary.split('\n').map(|line| line.trim_end_matches('\r').to_owned()));
    classes.push(" ".to_owned());
    classes
}

/// Greedy decoding: the best class of each step, repeats merged, blanks dropped. `probabilities` holds one row of
/// `alphabet.len()` values per step.
pub(crate) fn decode(probabilities: &[f32], alphabet: &[String]) -> Decoded {
    let mut chars: Vec<Step> = Vec::new();
    let mut previous = 0usize;
    for (step, row) in probabilities.chunks_exact(alphabet.len().max(1)).enumerate() {
        let (class, probability) =
            row.iter().copied().enumerate().fold((0, f32::MIN), |best, (i, p)| if p > best.1 { (i, p) } else { best });
        let entry = alphabet.get(class).map(String::as_str).unwrap_or_default();
        if class == previous {
            if class != 0
                && let Some(last) = chars.last_mut()
            {
                last.last = step;
                last.probability = last.probability.max(probability);
            }
        } else {
            chars.extend(entry.chars().map(|ch| Step { ch, probability, first: step, last: step }));
        }
        previous = class;
    }
    trim(&mut chars);
    Decoded { chars }
}

/// Spaces at either end are the margin of the crop, not text.
fn trim(chars: &mut Vec<Step>) {
    while chars.last().is_some_and(|c| c.ch.is_whitespace()) {
        chars.pop();
    }
    let lead = chars.iter().take_while(|c| c.ch.is_whitespace()).count();
    chars.drain(..lead);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a probability table from a drawing: one sign per step, `_` for blank.
    fn table(steps: &str, alphabet: &[String]) -> Vec<f32> {
        steps
            .chars()
            .flat_map(|sign| {
                let class = alphabet.iter().position(|a| *a == sign.to_string()).unwrap_or(0);
                (0..alphabet.len()).map(move |i| if i == class { 0.9 } else { 0.01 })
            })
            .collect()
    }

    fn read(steps: &str) -> Vec<(char, usize, usize)> {
        let alphabet = alphabet("a\nb\n0");
        decode(&table(steps, &alphabet), &alphabet).chars.iter().map(|c| (c.ch, c.first, c.last)).collect()
    }

    #[test]
    fn repeats_are_one_character_and_a_blank_separates_doubles() {
        assert_eq!(read("_aa__b_"), [('a', 1, 2), ('b', 5, 5)]);
        assert_eq!(read("00_00"), [('0', 0, 1), ('0', 3, 4)]);
    }

    #[test]
    fn spaces_at_the_ends_are_dropped_and_kept_inside() {
        assert_eq!(read("  _a b _ "), [('a', 3, 3), (' ', 4, 4), ('b', 5, 5)]);
    }

    #[test]
    fn an_empty_table_reads_as_nothing() {
        let decoded = decode(&[], &alphabet("a"));
        assert_eq!((decoded.text().as_str(), decoded.confidence()), ("", 0.0));
    }

    #[test]
    fn the_alphabet_is_blank_dictionary_space() {
        assert_eq!(alphabet("x\ny"), ["", "x", "y", " "]);
    }
}
