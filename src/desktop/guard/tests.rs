//! Any lines are read without harm, and what the hands write is what the guard reads.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;

use super::*;
use crate::desktop::DesktopError;

/// A pipe whose other end keeps everything.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A pipe that takes `left` writes and is broken then.
struct Breaks {
    left: u32,
}

impl Write for Breaks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn mark() -> impl Strategy<Value = Mark> {
    // Few different values, so that the same mark is owed and paid again and again.
    let small = 0u8..3;
    prop_oneof![
        small.clone().prop_map(Mark::Key),
        small.clone().prop_map(Mark::Button),
        (small.clone(), any::<bool>())
            .prop_map(|(code, high)| Mark::Keysym { code, keysym: if high { u32::MAX } else { 7 } }),
        (small.clone(), small.clone()).prop_map(|(modifiers, group)| Mark::Locks { modifiers, group }),
        small.clone().prop_map(|n| Mark::Input { virtual_key: u16::from(n), scan: u16::MAX, flags: 2 }),
        small.prop_map(|n| Mark::Mouse { flags: u32::from(n) }),
    ]
}

/// A line, and what it does to the ledger: a mark that is owed from then on (`true`) or no longer (`false`).
fn line() -> impl Strategy<Value = (Vec<u8>, Option<(bool, Mark)>)> {
    let nonsense = prop_oneof![
        Just("owe key 256".to_owned()),
        Just("owe key +1".to_owned()),
        Just("owe key -1".to_owned()),
        Just("owe key 1 1".to_owned()),
        Just("owe keysym 1".to_owned()),
        Just("paid".to_owned()),
        Just("client x".to_owned()),
        Just("owe  key 1".to_owned()),
        Just(format!("owe key 1{}", " ".repeat(3 * LONGEST_LINE))),
        Just(format!("{}owe key 1", "x".repeat(LONGEST_LINE))),
        "(owe|paid|key|button|keysym|locks|input|mouse| |[0-9]{1,20})*x",
    ];
    prop_oneof![
        4 => (any::<bool>(), mark()).prop_map(|(owed, mark)| {
            let word = if owed { "owe" } else { "paid" };
            (format!("{word} {mark}").into_bytes(), Some((owed, mark)))
        }),
        2 => nonsense.prop_map(|text| (text.into_bytes(), None)),
        // Any bytes after a byte that no line of ours begins with.
        1 => proptest::collection::vec(any::<u8>().prop_filter("a line", |byte| *byte != b'\n'), 0..40)
            .prop_map(|bytes| ([vec![0xff], bytes].concat(), None)),
    ]
}

proptest! {
    #[test]
    fn what_is_owed_after_any_lines_is_what_a_simple_model_says(
        lines in proptest::collection::vec(line(), 0..60), cut_off in any::<bool>(),
    ) {
        let mut model: Vec<Mark> = Vec::new();
        let mut bytes = Vec::new();
        for (line, change) in &lines {
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
            match change {
                Some((true, mark)) if !model.contains(mark) => model.push(*mark),
                Some((false, mark)) => model.retain(|owed| owed != mark),
                Some((true, _)) | None => {}
            }
        }
        if cut_off {
            bytes.extend_from_slice(b"owe key 200");
        }
        let debts = Debts::read(bytes.as_slice());
        prop_assert_eq!(debts.marks().collect::<Vec<_>>(), model.into_iter().rev().collect::<Vec<_>>());
    }

    #[test]
    fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
        let _ = Debts::read(bytes.as_slice());
    }

    #[test]
    fn the_guard_knows_what_may_be_down_and_nothing_else(
        steps in proptest::collection::vec((0..3, proptest::collection::vec(mark(), 1..4)), 0..30),
    ) {
        let kept = Kept::default();
        let ledger = Ledger::new(Box::new(kept.clone()));
        ledger.introduce("unix:/tmp/a b:7.1", 4_194_305);
        let (mut owed, mut released): (Vec<Mark>, Vec<Mark>) = Default::default();
        for (step, marks) in &steps {
            match step {
                0 => {
                    ledger.owe(marks).unwrap();
                    released.retain(|mark| !marks.contains(mark));
                    for mark in marks {
                        if !owed.contains(mark) {
                            owed.push(*mark);
                        }
                    }
                }
                1 => {
                    ledger.released(marks);
                    released.extend(marks);
                }
                _ => {
                    ledger.handled();
                    owed.retain(|mark| !released.contains(mark));
                    released.clear();
                }
            }
            let bytes = kept.0.lock().unwrap().clone();
            let debts = Debts::read(bytes.as_slice());
            prop_assert_eq!(debts.marks().collect::<Vec<_>>(), owed.iter().rev().copied().collect::<Vec<_>>());
            prop_assert_eq!(debts.display(), Some("unix:/tmp/a b:7.1"));
            prop_assert_eq!(debts.client(), Some(4_194_305));
        }
    }
}

#[test]
fn a_release_that_the_system_may_not_have_handled_is_still_owed() {
    let kept = Kept::default();
    let ledger = Ledger::new(Box::new(kept.clone()));
    let owed = || Debts::read(kept.0.lock().unwrap().as_slice()).marks().collect::<Vec<_>>();
    ledger.owe(&[Mark::Key(38)]).unwrap();
    ledger.released(&[Mark::Key(38)]);
    assert_eq!(owed(), [Mark::Key(38)]);
    // Down again before anything is known: what is handled now is the first release only.
    ledger.owe(&[Mark::Key(38)]).unwrap();
    ledger.handled();
    assert_eq!(owed(), [Mark::Key(38)]);
    ledger.paid(&[Mark::Key(38)]);
    assert_eq!(owed(), []);
}

#[test]
fn a_clean_end_does_not_touch_the_desktop() {
    watch("display :64999\nowe key 38\nowe button 1\npaid button 1\npaid key 38\n".as_bytes()).unwrap();
    watch(io::empty()).unwrap();
}

#[test]
fn after_a_broken_pipe_nothing_may_be_pressed_any_more_and_releasing_goes_on() {
    let ledger = Ledger::new(Box::new(Breaks { left: 2 }));
    ledger.owe(&[Mark::Key(38)]).unwrap();
    ledger.paid(&[Mark::Key(38)]);
    ledger.paid(&[Mark::Key(38)]);
    let refused = ledger.owe(&[Mark::Key(39)]);
    assert!(matches!(&refused, Err(DesktopError::Unguarded(reason)) if reason.contains("broken pipe")), "{refused:?}");
    assert!(matches!(ledger.clone().owe(&[Mark::Key(40)]), Err(DesktopError::Unguarded(_))));
}

#[test]
fn without_a_guard_everything_may_be_pressed() {
    let ledger = Ledger::default();
    ledger.introduce(":0", 1);
    ledger.owe(&[Mark::Key(38), Mark::Button(1)]).unwrap();
    ledger.paid(&[Mark::Key(38)]);
}
