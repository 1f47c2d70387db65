//! Calling foreign code that panics where it should return an error, without a word on the terminal.
//!
//! Knows no room.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;

/// Runs `work`; a panic in it becomes an error with the panic's words. Only this thread is kept quiet.
pub fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let here = thread::current().id();
    let before = Arc::new(panic::take_hook());
    let elsewhere = Arc::clone(&before);
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() != here {
            elsewhere(info);
        }
    }));
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(Box::new(move |info| before(info)));
    outcome.map_err(|payload| {
        let said = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
        said.unwrap_or("it gave up without a word").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::quietly;

    #[test]
    fn a_panic_becomes_an_error_with_its_words() {
        assert_eq!(quietly(|| 7), Ok(7));
        assert_eq!(quietly(|| -> u8 { panic!("no library {}", "x") }), Err("no library x".to_string()));
    }
}
