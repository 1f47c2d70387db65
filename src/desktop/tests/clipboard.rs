//! The clipboard, with programs of other toolkits on the other side.

use super::*;

/// Long enough to be handed over in pieces.
fn long_text() -> String {
    "客户名称：深圳市有限公司 line\n".repeat(9000)
}

#[test]
fn an_empty_clipboard_holds_nothing() {
    let display = TestDisplay::start();
    let mut desktop = display.open();
    assert_eq!(desktop.clipboard().unwrap(), None);
    assert_eq!(desktop.primary_selection().unwrap(), None);
}

#[test]
fn what_is_put_on_the_clipboard_is_read_by_us_and_by_another() {
    let display = TestDisplay::start();
    let (mut desktop, mut other) = (display.open(), display.open());
    for text in ["short", "", "Ünïcode 订单 😀", &long_text()] {
        desktop.set_clipboard(text).unwrap();
        assert_eq!(other.clipboard().unwrap().as_deref(), Some(text));
        assert_eq!(desktop.clipboard().unwrap().as_deref(), Some(text));
    }
    other.set_clipboard("theirs").unwrap();
    assert_eq!(desktop.clipboard().unwrap().as_deref(), Some("theirs"));
    drop(other);
    desktop.set_clipboard("ours again").unwrap();
    assert_eq!(desktop.clipboard().unwrap().as_deref(), Some("ours again"));
}

#[test]
fn a_gtk_program_pastes_what_we_put_on_the_clipboard() {
    let mut display = TestDisplay::start();
    let out = display.app("gtk_app.py", "text", &["--title", "Target"]);
    let mut desktop = display.open();
    front(&mut desktop, "Target");
    let text = long_text();
    desktop.set_clipboard(&text).unwrap();
    desktop.press_chord("ctrl+v").unwrap();
    expect_file(&out, &text);
    assert_eq!(desktop.clipboard().unwrap().as_deref(), Some(text.as_str()), "it survives being pasted");
}

#[test]
fn the_clipboard_of_a_gtk_program_is_read_whole() {
    let mut display = TestDisplay::start();
    let text = long_text();
    let path = display.path("out0");
    std::fs::write(&path, &text).unwrap();
    display.app("gtk_app.py", "copy", &[]);
    wait_until("the program owns the clipboard", || display.path("out0.ready").exists().then_some(()));
    let mut desktop = display.open();
    assert_eq!(desktop.clipboard().unwrap().as_deref(), Some(text.as_str()));
}
