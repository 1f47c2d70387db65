//! The process behind a window, asked from the server: many programs (Tk, Motif) do not tell it themselves.
//!
//! x11rb has the X-Resource extension behind a cargo feature that would rebuild the window toolkit too; the one
//! request that is needed is written out here.

use std::io::IoSlice;

use x11rb::connection::RequestConnection;
use x11rb::cookie::Cookie;
use x11rb::errors::ParseError;
use x11rb::protocol::xproto::Window;
use x11rb::rust_connection::RustConnection;
use x11rb::x11_utils::TryParse;

use crate::desktop::Result;

use super::lost;

const EXTENSION: &str = "X-Resource";
const QUERY_CLIENT_IDS: u8 = 4;
/// Asks for the process id of a client on this machine.
const LOCAL_CLIENT_PID: u32 = 2;

/// The answer: the process ids found, of which there is one or none.
struct ClientIds(Vec<u32>);

impl TryParse for ClientIds {
    fn try_parse(value: &[u8]) -> std::result::Result<(Self, &[u8]), ParseError> {
        // Reply header of 32 bytes with the count at 8; then per client: id, mask, length in bytes, values.
        let word = |at: usize| -> std::result::Result<u32, ParseError> {
            let bytes = value.get(at..at + 4).ok_or(ParseError::InsufficientData)?;
            Ok(u32::from_ne_bytes(bytes.try_into().map_err(|_| ParseError::InsufficientData)?))
        };
        let count = word(8)?;
        let mut pids = Vec::new();
        let mut at = 32;
        for _ in 0..count {
            let (mask, length) = (word(at + 4)?, word(at + 8)? as usize);
            if mask == LOCAL_CLIENT_PID && length == 4 {
                pids.push(word(at + 12)?);
            }
            at += 12 + length;
        }
        Ok((ClientIds(pids), value.get(at..).unwrap_or_default()))
    }
}

/// The process that made the window; `None` when the server cannot tell.
pub fn of_window(connection: &RustConnection, window: Window) -> Result<Option<u32>> {
    let Some(extension) = connection.extension_information(EXTENSION).map_err(lost)? else { return Ok(None) };
    let mut request = vec![extension.major_opcode, QUERY_CLIENT_IDS];
    request.extend(4u16.to_ne_bytes());
    for word in [1, window, LOCAL_CLIENT_PID] {
        request.extend(word.to_ne_bytes());
    }
    let cookie: Cookie<'_, RustConnection, ClientIds> =
        connection.send_request_with_reply(&[IoSlice::new(&request)], Vec::new()).map_err(lost)?;
    // Servers older than the request answer with an error: then it is simply not known.
    Ok(cookie.reply().ok().and_then(|ids| ids.0.first().copied()).filter(|pid| *pid != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_answer_is_an_error_and_not_a_crash() {
        let mut reply = vec![0u8; 32];
        reply[8..12].copy_from_slice(&1u32.to_ne_bytes());
        assert!(ClientIds::try_parse(&reply).is_err());
        for word in [7u32, LOCAL_CLIENT_PID, 4, 4242] {
            reply.extend(word.to_ne_bytes());
        }
        assert_eq!(ClientIds::try_parse(&reply).unwrap().0.0, [4242]);
    }
}
