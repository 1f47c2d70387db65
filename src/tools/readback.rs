//! Whether what was read on the screen is what should stand there.

use unicode_normalization::UnicodeNormalization;

/// Whether two texts are the same to a reader: full-width forms and spacing do not count, everything else does.
/// `0` and `O`, `1` and `l` stay different: where the eyes are unsure, an exact read-back decides.
pub fn same_text(a: &str, b: &str) -> bool {
    normalised(a).eq(normalised(b))
}

fn normalised(text: &str) -> impl Iterator<Item = char> + '_ {
    text.nfkc().filter(|c| !c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::same_text;

    #[test]
    fn spacing_and_full_width_forms_are_the_same_text_to_a_reader() {
        assert!(same_text("Sample Ltd", "SampleLtd"));
        assert!(same_text("１２，５", "12,5"));
        assert!(!same_text("00120", "120"));
        assert!(!same_text("O0", "00"));
        assert!(!same_text("确定", "取消"));
        assert!(!same_text("Ltd", "ltd"));
    }
}
