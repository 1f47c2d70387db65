//! The payload as a whole: what was packed comes back, and nothing else ever does.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;

use super::format::{ALIGN, END_LEN};
use super::*;

/// Nobody stops it.
static GO: AtomicBool = AtomicBool::new(false);
const PROGRAM: &[u8] = b"\x7fELF and the rest of a program";

fn part(name: &str, file: &Path) -> Part {
    Part {
        name: name.to_owned(),
        source: Source::File(file.to_owned()),
        kind: "onnx".to_owned(),
        licence: "MIT".to_owned(),
        origin: "a test".to_owned(),
        sha256: None,
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn first() -> Vec<u8> {
    (0..3000u32).map(|i| (i * 7) as u8).collect()
}

fn second() -> Vec<u8> {
    b"the second part".to_vec()
}

/// A packed file of two parts, as bytes.
fn packed() -> Vec<u8> {
    static PACKED: OnceLock<Vec<u8>> = OnceLock::new();
    let pack_once = || {
        let folder = Folder::new();
        let program = folder.file("program", PROGRAM);
        let parts = [part("one", &folder.file("1", &first())), part("two", &folder.file("2", &second()))];
        let out = folder.path("out");
        pack(&program, &parts, &out, &GO, &mut |_| {}).unwrap();
        std::fs::read(out).unwrap()
    };
    PACKED.get_or_init(pack_once).clone()
}

fn open(bytes: &[u8]) -> (Folder, Result<Payload>) {
    let folder = Folder::new();
    let payload = Payload::open(&folder.file("it", bytes));
    (folder, payload)
}

fn error_of(bytes: &[u8]) -> String {
    open(bytes).1.unwrap_err().to_string()
}

#[test]
fn what_was_packed_is_mapped_back_in_place_and_aligned() {
    let bytes = packed();
    assert!(bytes.starts_with(PROGRAM));
    let (_folder, payload) = open(&bytes);
    let payload = payload.unwrap();
    assert_eq!(payload.executable_len(), PROGRAM.len() as u64);
    let found: Vec<(&str, u64)> = payload.entries().map(|e| (e.name.as_str(), e.length)).collect();
    assert_eq!(found, [("one", 3000), ("two", 15)]);
    assert!(payload.entries().all(|entry| entry.offset % ALIGN == 0 && entry.licence == "MIT"));
    let (one, two) = (payload.get("one").unwrap(), payload.get("two").unwrap());
    drop(payload);
    assert_eq!(&*one, first());
    assert_eq!(&*two, second());
    assert_eq!(one.as_ptr() as usize % 4096, 0);
    assert_eq!(one.clone().as_ptr(), one.as_ptr());
}

#[test]
fn a_bare_program_says_how_to_get_a_complete_one() {
    assert!(error_of(PROGRAM).contains("carries no models: make the complete executable with `make build`"));
    assert!(error_of(b"").contains("carries no models"));
}

#[test]
fn a_program_that_merely_contains_the_magic_letters_carries_nothing() {
    let mut bytes = PROGRAM.to_vec();
    bytes.extend(&packed()[packed().len() - 8..]);
    bytes.extend([0; 100]);
    assert!(error_of(&bytes).contains("carries no models"));
}

#[test]
fn a_cut_off_file_is_told_from_a_bare_program() {
    let bytes = packed();
    for cut in [1, 40, END_LEN, END_LEN + 100, 70_000] {
        let error = error_of(&bytes[..bytes.len() - cut]);
        assert!(error.contains("is cut off or damaged at its end"), "{cut}: {error}");
    }
}

#[test]
fn a_damaged_table_of_contents_is_named() {
    let mut bytes = packed();
    let at = bytes.len() - END_LEN - 5;
    bytes[at] ^= 1;
    assert!(error_of(&bytes).contains("the table of contents inside"));
    let mut bytes = packed();
    let at = bytes.len() - END_LEN + 3;
    bytes[at] ^= 1;
    assert!(error_of(&bytes).contains("its end block is damaged"));
}

#[test]
fn a_damaged_part_is_named_and_the_others_still_work() {
    let mut bytes = packed();
    bytes[2 * ALIGN as usize + 2999] ^= 0x80;
    let (_folder, payload) = open(&bytes);
    let payload = payload.unwrap();
    for _ in 0..2 {
        let error = payload.get("one").unwrap_err().to_string();
        assert!(error.contains("the part \"one\" inside") && error.contains("is damaged"), "{error}");
    }
    assert_eq!(&*payload.get("two").unwrap(), second());
}

#[test]
fn a_newer_format_is_refused_with_both_numbers() {
    let mut bytes = packed();
    let at = bytes.len() - 16;
    bytes[at] = 9;
    let error = error_of(&bytes);
    assert!(error.contains("have format 9 and this program reads up to 1"), "{error}");
}

#[test]
fn an_unknown_part_is_refused_with_the_list_of_those_present() {
    let (_folder, payload) = open(&packed());
    let error = payload.unwrap().get("three").unwrap_err().to_string();
    assert!(error.ends_with("has no part \"three\"; it has: one, two"), "{error}");
}

#[test]
fn a_signature_appended_later_does_not_hide_the_parts() {
    let mut bytes = packed();
    bytes.extend(std::iter::repeat_n(0x5a, 20_000));
    let (_folder, payload) = open(&bytes);
    assert_eq!(&*payload.unwrap().get("one").unwrap(), first());
    bytes.extend(std::iter::repeat_n(0x5a, 2_000_000));
    assert!(error_of(&bytes).contains("cut off or damaged"), "too far from the end");
}

#[test]
fn packing_a_packed_program_replaces_its_parts() {
    let folder = Folder::new();
    let program = folder.file("program", &packed());
    let out = folder.path("out");
    let heard = std::cell::RefCell::new(Vec::new());
    let parts = [part("new", &folder.file("n", b"new"))];
    let result = pack(&program, &parts, &out, &GO, &mut |part| heard.borrow_mut().push(part.name.clone())).unwrap();
    assert_eq!(result.executable_bytes, PROGRAM.len() as u64);
    assert_eq!(result.bytes, std::fs::metadata(&out).unwrap().len());
    assert_eq!(*heard.borrow(), ["new"]);
    let payload = Payload::open(&out).unwrap();
    assert_eq!(payload.entries().count(), 1);
    assert_eq!(&*payload.get("new").unwrap(), b"new");
    // The same parts in another program: byte for byte what packing the bare program gives.
    let again = folder.path("again");
    pack(&folder.file("bare", PROGRAM), &parts, &again, &GO, &mut |_| {}).unwrap();
    assert_eq!(std::fs::read(out).unwrap(), std::fs::read(again).unwrap());
}

#[test]
fn a_part_of_one_executable_goes_into_another() {
    let (folder, payload) = open(&packed());
    let payload = payload.unwrap();
    let entry = payload.entries().next().unwrap();
    let taken = Part {
        source: Source::Payload(payload.get("one").unwrap()),
        sha256: Some(entry.sha256.clone()),
        ..part("one", Path::new(""))
    };
    let out = folder.path("out");
    pack(&folder.file("bare", PROGRAM), &[taken], &out, &GO, &mut |_| {}).unwrap();
    assert_eq!(&*Payload::open(&out).unwrap().get("one").unwrap(), first());
}

#[test]
fn an_empty_part_comes_back_empty() {
    let folder = Folder::new();
    let out = folder.path("out");
    pack(&folder.file("program", PROGRAM), &[part("none", &folder.file("n", b""))], &out, &GO, &mut |_| {}).unwrap();
    assert!(Payload::open(&out).unwrap().get("none").unwrap().is_empty());
}

#[test]
fn packing_over_the_running_or_the_given_program_is_refused() {
    let folder = Folder::new();
    let program = folder.file("program", PROGRAM);
    let error = pack(&program, &[], &program, &GO, &mut |_| {}).unwrap_err();
    assert!(matches!(error, PackError::OverItself(_)), "{error}");
    let own = std::env::current_exe().unwrap();
    let error = pack(&program, &[], &own, &GO, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("choose another name"), "{error}");
    assert_eq!(std::fs::read(&program).unwrap(), PROGRAM);
}

#[test]
fn what_is_no_executable_is_not_packed() {
    let folder = Folder::new();
    let error = pack(&folder.file("a", b"#!/bin/sh\n"), &[], &folder.path("out"), &GO, &mut |_| {}).unwrap_err();
    assert!(matches!(error, PackError::NotExecutable(_)), "{error}");
}

#[test]
fn a_windows_executable_of_4_gib_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    let program = folder.file("program.exe", b"MZ and the rest of a program");
    let large = folder.path("large.gguf");
    // Sparse: takes no room on the disk.
    std::fs::File::create(&large).unwrap().set_len(4 * 1024 * 1024 * 1024 - 1000).unwrap();
    let error = pack(&program, &[part("llm", &large)], &folder.path("out.exe"), &GO, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("Windows starts no executable of 4 GiB"), "{error}");
    assert_eq!(folder.names(), ["large.gguf", "program.exe"]);
    let small = folder.file("small.gguf", b"GGUF");
    pack(&program, &[part("llm", &small)], &folder.path("out.exe"), &GO, &mut |_| {}).unwrap();
    assert_eq!(&*Payload::open(&folder.path("out.exe")).unwrap().get("llm").unwrap(), b"GGUF");
}

#[test]
fn a_failed_packing_leaves_nothing_behind_and_the_old_result_alone() {
    let folder = Folder::new();
    let program = folder.file("program", PROGRAM);
    let one = folder.file("1", b"one");
    folder.file("out", b"old result");
    let wrong = Part { sha256: Some("00".repeat(32)), ..part("wrong", &one) };
    let error = pack(&program, &[part("one", &one), wrong], &folder.path("out"), &GO, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("is not the file that was expected for the part \"wrong\""), "{error}");
    let absent = [part("absent", &folder.path("absent"))];
    let error = pack(&program, &absent, &folder.path("out"), &GO, &mut |_| {}).unwrap_err().to_string();
    assert!(error.ends_with("absent cannot be read"), "{error}");
    let twice = [part("one", &one), part("one", &one)];
    assert!(matches!(pack(&program, &twice, &folder.path("out"), &GO, &mut |_| {}).unwrap_err(), PackError::Name(_)));
    assert_eq!(folder.names(), ["1", "out", "program"]);
    assert_eq!(std::fs::read(folder.path("out")).unwrap(), b"old result");
}

#[test]
fn a_stopped_packing_leaves_nothing_behind() {
    let folder = Folder::new();
    let program = folder.file("program", PROGRAM);
    let parts = [part("one", &folder.file("1", &first())), part("two", &folder.file("2", &second()))];
    let stop = AtomicBool::new(false);
    let stop_after_one = &mut |_: &Entry| stop.store(true, Ordering::Relaxed);
    let error = pack(&program, &parts, &folder.path("out"), &stop, stop_after_one).unwrap_err();
    assert!(matches!(error, PackError::Stopped), "{error}");
    assert_eq!(folder.names(), ["1", "2", "program"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_real_executable_with_parts_still_runs() {
    let folder = Folder::new();
    let out = folder.path("echo");
    pack(Path::new("/bin/echo"), &[part("one", &folder.file("1", &first()))], &out, &GO, &mut |_| {}).unwrap();
    // A process that another test starts at this moment holds our file open for writing until it becomes its program;
    // as long as that lasts the system refuses to run the file.
    let run = loop {
        match std::process::Command::new(&out).arg("still works").output() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            run => break run.unwrap(),
        }
    };
    assert!(run.status.success());
    assert_eq!(run.stdout, b"still works\n");
    assert_eq!(&*Payload::open(&out).unwrap().get("one").unwrap(), first());
}

#[cfg(target_os = "linux")]
#[test]
fn the_runtime_library_lies_in_sealed_memory_until_the_guard_is_dropped() {
    let folder = Folder::new();
    let out = folder.path("out");
    let library = folder.file("library", &first());
    pack(&folder.file("program", PROGRAM), &[part(names::ONNXRUNTIME, &library)], &out, &GO, &mut |_| {}).unwrap();
    let guard = runtime_library(&Payload::open(&out).unwrap()).unwrap();
    let path = guard.path().to_owned();
    assert_eq!(std::fs::read(&path).unwrap(), first());
    let mut writable = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    std::io::Write::write_all(&mut writable, b"changed").unwrap_err();
    drop(writable);
    assert_eq!(std::fs::read(&path).unwrap(), first());
    let (_other, bare) = open(&packed());
    let error = runtime_library(&bare.unwrap()).unwrap_err().to_string();
    assert!(error.contains("has no part \"onnxruntime\""), "{error}");
}

/// A place in the packed file, the meaningful ones (blocks, table, parts) as often as the padding.
fn place(len: usize) -> impl Strategy<Value = usize> {
    let align = ALIGN as usize;
    prop_oneof![
        0..len,
        align..align + 32,
        2 * align..2 * align + 3000,
        3 * align..3 * align + 15,
        3 * align..len,
        len - END_LEN..len,
    ]
}

/// Whatever was done to the file: what is handed out is what was packed.
fn nothing_wrong_is_handed_out(bytes: &[u8]) {
    let (_folder, payload) = open(bytes);
    let Ok(payload) = payload else { return };
    for (name, right) in [("one", first()), ("two", second())] {
        if let Ok(found) = payload.get(name) {
            assert_eq!(&*found, right, "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bits_never_yield_wrong_bytes(flips in prop::collection::vec((place(packed().len()), 0u8..8), 1..4)) {
        let mut bytes = packed();
        for (at, bit) in flips {
            bytes[at] ^= 1 << bit;
        }
        nothing_wrong_is_handed_out(&bytes);
    }

    #[test]
    fn truncated_files_are_always_refused(keep in place(packed().len())) {
        open(&packed()[..keep]).1.unwrap_err();
    }

    #[test]
    fn removed_or_doubled_pieces_never_yield_wrong_bytes(
        from in place(packed().len()), length in 1usize..70_000, double in any::<bool>()
    ) {
        let mut bytes = packed();
        let to = bytes.len().min(from + length);
        if double {
            let piece = bytes[from..to].to_vec();
            bytes.splice(from..from, piece);
        } else {
            bytes.drain(from..to);
        }
        nothing_wrong_is_handed_out(&bytes);
    }
}

proptest! {
    #[test]
    fn any_file_can_be_opened_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        open(&bytes).1.unwrap_err();
    }

    #[test]
    fn any_numbers_in_an_end_block_are_survived(
        executable in any::<u64>(), table in any::<u64>(), table_len in any::<u64>(), small in any::<bool>()
    ) {
        let shrink = |n: u64| if small { n % 400 } else { n };
        let mut bytes = vec![0; 300];
        let end = super::format::End {
            executable: shrink(executable), table: shrink(table), table_len: shrink(table_len), table_sum: 0,
        };
        bytes.extend(end.to_block());
        open(&bytes).1.unwrap_err();
    }

    #[test]
    fn any_places_in_a_table_with_right_checksums_are_survived(offset in any::<u64>(), length in any::<u64>()) {
        for offset in [offset, offset / ALIGN * ALIGN, ALIGN] {
            let table = format!(
                r#"{{"entries":[{{"name":"one","offset":{offset},"length":{length},"xxh3":"","sha256":"","kind":"","licence":"","origin":""}}]}}"#
            );
            let mut bytes = vec![0; ALIGN as usize];
            bytes.extend(table.as_bytes());
            let end = super::format::End {
                executable: 1,
                table: ALIGN,
                table_len: table.len() as u64,
                table_sum: xxhash_rust::xxh3::xxh3_64(table.as_bytes()),
            };
            bytes.extend(end.to_block());
            nothing_wrong_is_handed_out(&bytes);
        }
    }
}
