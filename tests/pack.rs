//! The finished executable and `deskhand pack`, tried on the real thing: dist/deskhand, which `make test` builds first.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use deskhand::payload::{self, PAYLOAD_VARIABLE, Payload, names};

fn finished() -> PathBuf {
    let path = std::env::var_os(PAYLOAD_VARIABLE);
    PathBuf::from(path.expect("DESKHAND_PAYLOAD must name dist/deskhand; `make test` builds it and sets that"))
}

/// Runs an executable that must find everything inside itself.
fn run(executable: &Path, arguments: &[&str]) -> Output {
    Command::new(executable).args(arguments).env_remove(PAYLOAD_VARIABLE).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn the_finished_executable_carries_every_pinned_part_undamaged() {
    let payload = Payload::open(&finished()).unwrap();
    let own = |file: &payload::manifest::ManifestFile| file.system.as_ref().is_none_or(|system| system == "linux");
    for file in payload::manifest::files().unwrap().into_iter().filter(own) {
        let bytes = payload.get(&file.name).unwrap();
        // The language model is stored in another type than it comes in.
        assert!(file.name == names::LLM || bytes.len() as u64 == file.size, "{}", file.name);
        let entry = payload.entries().find(|entry| entry.name == file.name).unwrap();
        assert_eq!(entry.licence, file.licence);
        assert!(entry.origin.starts_with(file.origin.name()), "{}", entry.origin);
    }
    assert!(payload.get(names::LLM).unwrap().starts_with(b"GGUF"));
}

#[test]
fn the_inference_runtime_is_loaded_from_memory() {
    let payload = Payload::open(&finished()).unwrap();
    let library = payload::runtime_library(&payload).unwrap();
    assert!(library.path().starts_with("/proc/self/fd"), "{:?}", library.path());
    if let Err(error) = ort::init_from(library.path()) {
        panic!("{error}");
    }
}

#[test]
fn another_model_is_packed_into_a_new_executable_that_packs_again() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("tiny.gguf");
    std::fs::write(&model, b"GGUF and nothing more").unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let packed = run(&finished(), &["pack", "--model", model.to_str().unwrap(), "-o", one.to_str().unwrap(), "--json"]);
    assert!(packed.status.success(), "{}", text(&packed.stderr));
    let document: serde_json::Value = serde_json::from_slice(&packed.stdout).unwrap();
    assert_eq!(document["bytes"], std::fs::metadata(&one).unwrap().len());
    assert_eq!(document["parts"][0]["name"], "llm");
    assert_eq!(document["parts"][0]["origin"], "tiny.gguf");
    assert_eq!(document["parts"][0]["licence"], "not stated");
    let carried = Payload::open(&finished()).unwrap().entries().count();
    assert_eq!(document["parts"].as_array().unwrap().len(), carried);
    assert_eq!(&*Payload::open(&one).unwrap().get(names::LLM).unwrap(), b"GGUF and nothing more");
    let packed = run(&one, &["pack", "--model", model.to_str().unwrap(), "-o", two.to_str().unwrap()]);
    assert!(packed.status.success(), "{}", text(&packed.stderr));
    assert!(text(&packed.stdout).contains("onnxruntime"), "{}", text(&packed.stdout));
    assert!(std::fs::read(&one).unwrap() == std::fs::read(&two).unwrap(), "packing the same again gives the same");
}

#[test]
fn a_damaged_finished_executable_says_so_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut");
    std::fs::copy(finished(), &cut).unwrap();
    let file = std::fs::File::options().write(true).open(&cut).unwrap();
    file.set_len(file.metadata().unwrap().len() - 1_000_000).unwrap();
    drop(file);
    let out = folder.path().join("out");
    let packed = run(&cut, &["pack", "--model", "any.gguf", "-o", out.to_str().unwrap()]);
    assert!(!packed.status.success());
    let told = text(&packed.stderr);
    assert!(told.contains("is cut off or damaged at its end: copy the file again"), "{told}");
    assert_eq!(told.trim_end().lines().count(), 1, "{told}");
    assert!(!out.exists());
}
