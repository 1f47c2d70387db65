//! The list of files that a complete executable carries: `models/manifest.toml`, built into the program.

use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;

use super::write::{Part, Source, read_at, sha256_of};
use super::{PackError, names};

const MANIFEST: &str = include_str!("../../models/manifest.toml");

/// One pinned file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestFile {
    /// What the program asks for, see [`names`].
    pub name: String,
    /// Its name in the models folder.
    pub file: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// `gguf`, `onnx` or `library`.
    pub kind: String,
    /// SPDX expression.
    pub licence: String,
    /// Package and version that it comes from.
    pub package: String,
    /// The package's archive.
    pub wheel: String,
    /// SHA-256 of the archive.
    pub wheel_sha256: String,
    /// The file's path inside the archive.
    pub member: String,
    /// What it is for, in a few words.
    pub purpose: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    files: Vec<ManifestFile>,
}

/// The pinned files.
///
/// # Errors
/// When the list built into this program cannot be read; a test shows that it can.
pub fn files() -> Result<Vec<ManifestFile>, PackError> {
    toml::from_str::<Manifest>(MANIFEST)
        .map(|manifest| manifest.files)
        .map_err(|error| PackError::Manifest(error.to_string()))
}

/// The pinned files as parts to pack, taken from `folder` and checked while they are packed.
///
/// # Errors
/// As [`files`].
pub fn parts(folder: &Path) -> Result<Vec<Part>, PackError> {
    let part = |file: ManifestFile| Part {
        source: Source::File(folder.join(&file.file)),
        name: file.name,
        kind: file.kind,
        licence: file.licence,
        origin: file.package,
        sha256: Some(file.sha256),
    };
    Ok(files()?.into_iter().map(part).collect())
}

/// Another model for the language model's place. Its licence is known when it is one of the pinned files, under
/// whatever name; else it is the user's affair.
///
/// # Errors
/// When the file cannot be read or is no GGUF file.
pub fn model(path: &Path) -> Result<Part, PackError> {
    let mut magic = Vec::new();
    let file = std::fs::File::open(path).map_err(read_at(path))?;
    file.take(4).read_to_end(&mut magic).map_err(read_at(path))?;
    if magic != b"GGUF" {
        return Err(PackError::NotGguf(path.to_owned()));
    }
    let sha256 = sha256_of(path)?;
    let (licence, origin) = match files()?.into_iter().find(|file| file.sha256 == sha256) {
        Some(known) => (known.licence, known.package),
        None => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            ("not stated".to_owned(), name.to_string_lossy().into_owned())
        }
    };
    Ok(Part {
        name: names::LLM.to_owned(),
        source: Source::File(path.to_owned()),
        kind: "gguf".to_owned(),
        licence,
        origin,
        sha256: Some(sha256),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_list_names_every_part_that_the_program_asks_for() {
        let files = files().unwrap();
        let found: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(found, [names::LLM, names::OCR_DET, names::OCR_REC, names::ONNXRUNTIME]);
        for file in &files {
            assert_eq!(file.sha256.len(), 64, "{}", file.name);
            assert_eq!(file.wheel_sha256.len(), 64, "{}", file.name);
            assert!(!file.licence.contains("GPL"), "{}", file.name);
        }
    }

    #[test]
    fn a_file_that_is_no_gguf_is_not_taken_as_a_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.gguf");
        std::fs::write(&path, b"PK\x03\x04").unwrap();
        let error = model(&path).unwrap_err().to_string();
        assert!(error.ends_with("model.gguf is no GGUF file"), "{error}");
        std::fs::write(&path, b"GG").unwrap();
        model(&path).unwrap_err();
    }
}
