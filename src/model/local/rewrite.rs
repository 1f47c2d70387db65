//! Rewriting a model file: in another storage type, or with random weights.

use std::path::Path;

use rayon::prelude::*;

use super::gguf::Gguf;
use super::tensor_type::{TensorType, encode};
use crate::model::{ModelError, Result};

/// Writes a copy of a model whose matrices are stored as `kind`; header facts (tokenizer included) stay as they are.
///
/// Vectors (norms) and tensors whose rows are no whole blocks of `kind` keep their type.
///
/// # Errors
/// [`ModelError::File`] when the input cannot be read or the output cannot be written.
pub fn requantise(input: &Path, output: &Path, kind: TensorType) -> Result<()> {
    rewrite(input, output, |_, dims, old, data| {
        let keep = dims.len() < 2 || old == kind || !dims[0].is_multiple_of(kind.block_elements());
        if keep { Ok((old, data.to_vec())) } else { Ok((kind, encode(kind, &decoded(old, data)?)?)) }
    })
}

/// Writes a copy of a model with the same shapes, types, header and vocabulary, but random weights.
///
/// Matrices get normal numbers of the spread that the original has, so that the network's numbers stay sensible;
/// vectors (norms) stay. The same seed gives the same file. It exists to prove that the weights matter.
///
/// # Errors
/// [`ModelError::File`] when the input cannot be read or the output cannot be written.
pub fn randomise(input: &Path, output: &Path, seed: u64) -> Result<()> {
    rewrite(input, output, |index, dims, kind, data| {
        if dims.len() < 2 {
            return Ok((kind, data.to_vec()));
        }
        let original = decoded(kind, data)?;
        let square: f64 = original.iter().map(|v| f64::from(*v).powi(2)).sum();
        let spread = (square / original.len().max(1) as f64).sqrt() as f32;
        let mut random = Random(seed.wrapping_add((index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        let values: Vec<f32> = original.iter().map(|_| random.normal() * spread).collect();
        // The K types are slow to encode and their quality does not matter for noise.
        let kind = if kind.block_elements() > 32 { TensorType::Q8_0 } else { kind };
        Ok((kind, encode(kind, &values)?))
    })
}

type Rewritten = std::result::Result<(TensorType, Vec<u8>), String>;

fn rewrite(
    input: &Path,
    output: &Path,
    change: impl Fn(usize, &[usize], TensorType, &[u8]) -> Rewritten + Sync,
) -> Result<()> {
    let problem = |path: &Path, reason: String| ModelError::File { file: path.display().to_string(), reason };
    let bytes = std::fs::read(input).map_err(|e| problem(input, e.to_string()))?;
    let file = Gguf::parse(&bytes).map_err(|e| problem(input, e))?;
    let tensors = file
        .tensors()
        .par_iter()
        .enumerate()
        .map(|(i, t)| {
            let dims = &t.dims[..t.rank];
            let (kind, data) = change(i, dims, t.kind, t.data).map_err(|e| format!("tensor {:?}: {e}", t.name))?;
            Ok((t.name, dims, kind, data))
        })
        .collect::<std::result::Result<Vec<_>, String>>()
        .map_err(|e| problem(input, e))?;
    // A half-written model must never stand under the final name.
    let partial = output.with_extension("partial");
    std::fs::write(&partial, file.rewrite(&tensors))
        .and_then(|()| std::fs::rename(&partial, output))
        .map_err(|e| problem(output, e.to_string()))
}

fn decoded(kind: TensorType, data: &[u8]) -> std::result::Result<Vec<f32>, String> {
    let mut values = vec![0.0; data.len() / kind.block_bytes() * kind.block_elements()];
    kind.decode(data, &mut values)?;
    Ok(values)
}

/// SplitMix64, a small seeded source of random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in 0..1, 24 bits.
    fn uniform(&mut self) -> f32 {
        (self.next() >> 40) as f32 / 16_777_216.0
    }

    /// Close to standard normal: twelve uniform numbers.
    fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.uniform()).sum::<f32>() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn through(change: impl Fn(&Path, &Path)) -> (Vec<u8>, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("a.gguf"), folder.path().join("b.gguf"));
        let before = fixture::file(TensorType::F32);
        std::fs::write(&input, &before).unwrap();
        change(&input, &output);
        let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        (before, std::fs::read(&output).unwrap())
    }

    #[test]
    fn requantising_changes_the_type_and_keeps_header_and_meaning() {
        let (before, after) = through(|a, b| requantise(a, b, TensorType::Q8_0).unwrap());
        let (before, after) = (Gguf::parse(&before).unwrap(), Gguf::parse(&after).unwrap());
        assert_eq!(after.array("tokenizer.ggml.merges"), before.array("tokenizer.ggml.merges"));
        for (a, b) in before.tensors().iter().zip(after.tensors()) {
            assert_eq!((a.name, a.dims), (b.name, b.dims));
            let wanted = if a.rank == 1 { TensorType::F32 } else { TensorType::Q8_0 };
            assert_eq!(b.kind, wanted, "{}", a.name);
            let (x, y) = (decoded(a.kind, a.data).unwrap(), decoded(b.kind, b.data).unwrap());
            assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 0.01), "{}", a.name);
        }
    }

    #[test]
    fn random_weights_have_the_same_shapes_and_spread_and_follow_the_seed() {
        let (before, after) = through(|a, b| randomise(a, b, 7).unwrap());
        let (_, again) = through(|a, b| randomise(a, b, 7).unwrap());
        let (_, other) = through(|a, b| randomise(a, b, 8).unwrap());
        assert_eq!(after, again);
        assert_ne!(after, other);
        let (before, after) = (Gguf::parse(&before).unwrap(), Gguf::parse(&after).unwrap());
        let spread = |v: &[f32]| (v.iter().map(|x| x * x).sum::<f32>() / v.len() as f32).sqrt();
        for (a, b) in before.tensors().iter().zip(after.tensors()) {
            assert_eq!((a.name, a.dims, a.kind), (b.name, b.dims, b.kind));
            let (x, y) = (decoded(a.kind, a.data).unwrap(), decoded(b.kind, b.data).unwrap());
            assert_eq!(x == y, a.rank == 1, "{}", a.name);
            assert!((spread(&x) / spread(&y) - 1.0).abs() < 0.1, "{}", a.name);
        }
    }

    #[test]
    fn a_missing_input_is_named() {
        let error = requantise(Path::new("/nowhere/a.gguf"), Path::new("/nowhere/b"), TensorType::Q8_0).unwrap_err();
        assert!(error.to_string().contains("/nowhere/a.gguf"), "{error}");
    }
}
