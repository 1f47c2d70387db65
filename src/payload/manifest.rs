//! The list of files that a complete executable carries: `models/manifest.toml`, built into the program.

use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;

use super::write::{Part, Source, read_at, sha256_of};
use super::{PackError, System, names};

const MANIFEST: &str = include_str!("../../models/manifest.toml");

/// One pinned file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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
    /// The system that it is for, as [`System::name`] tells it; every one when it is not given.
    #[serde(default)]
    pub system: Option<String>,
    /// SPDX expression.
    pub licence: String,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
    /// What it is for, in a few words.
    pub purpose: String,
}

/// Where a file comes from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Origin {
    /// A Python package.
    Package {
        /// Package and version.
        package: String,
        /// The package's archive.
        wheel: String,
        /// SHA-256 of the archive.
        wheel_sha256: String,
        /// The file's path inside the archive.
        member: String,
    },
    /// This repository: our own.
    Tree {
        /// The file's path in it.
        tree: String,
    },
}

impl Origin {
    /// In one word or two, for the table of contents.
    pub fn name(&self) -> &str {
        match self {
            Origin::Package { package, .. } => package,
            Origin::Tree { .. } => "Deskhand",
        }
    }
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

/// The pinned files for an executable of that system as parts to pack, taken from `folder` and checked while they are
/// packed.
///
/// # Errors
/// As [`files`].
pub fn parts(folder: &Path, system: System) -> Result<Vec<Part>, PackError> {
    let part = |file: ManifestFile| Part {
        source: Source::File(folder.join(&file.file)),
        name: file.name,
        kind: file.kind,
        licence: file.licence,
        origin: file.origin.name().to_owned(),
        sha256: Some(file.sha256),
    };
    let wanted = |file: &ManifestFile| file.system.as_ref().is_none_or(|name| name == system.name());
    Ok(files()?.into_iter().filter(wanted).map(part).collect())
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
        Some(known) => (known.licence.clone(), known.origin.name().to_owned()),
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
        for system in [System::Linux, System::Windows] {
            let parts = parts(Path::new("models"), system).unwrap();
            let found: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
            let [near, far] = [names::DETECTOR_NEAR, names::DETECTOR_FAR];
            assert_eq!(found, [names::LLM, names::OCR_DET, names::OCR_REC, near, far, names::ONNXRUNTIME]);
        }
        for file in &files().unwrap() {
            assert_eq!(file.sha256.len(), 64, "{}", file.name);
            if let Origin::Package { wheel_sha256, .. } = &file.origin {
                assert_eq!(wheel_sha256.len(), 64, "{}", file.name);
            }
            assert!(!file.licence.contains("GPL"), "{}", file.name);
        }
    }

    #[test]
    fn every_key_of_the_built_in_list_is_known_and_each_file_has_one_origin() {
        let list: toml::Table = toml::from_str(MANIFEST).unwrap();
        let common = ["name", "file", "size", "sha256", "kind", "licence", "purpose", "system"];
        let package = ["package", "wheel", "wheel_sha256", "member"];
        for file in list["files"].as_array().unwrap() {
            let mut origin: Vec<&str> = file.as_table().unwrap().keys().map(String::as_str).collect();
            origin.retain(|key| !common.contains(key));
            origin.sort_unstable();
            let mut wanted = package.to_vec();
            wanted.sort_unstable();
            assert!(origin == ["tree"] || origin == wanted, "{origin:?} in {file}");
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
