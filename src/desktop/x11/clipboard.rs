//! The clipboard: X selections spoken directly, with a thread that serves what we offer as long as we live.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask,
    PropMode, Property, PropertyNotifyEvent, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::desktop::{DesktopError, Result};

use super::atoms::Atoms;
use super::{Wire, connect, lost, windows};

/// How long the owner of a selection may take for an answer, and for each piece of a long one.
const ANSWER: Duration = Duration::from_secs(2);
/// Between two looks for an event.
const POLL: Duration = Duration::from_millis(2);
/// Longer texts are handed over in pieces of this size (ICCCM's INCR).
const PIECE: usize = 64 * 1024;
/// More than this is not read: no clipboard text is that long.
const MOST: usize = 64 * 1024 * 1024;
/// Transfers in pieces that are served at the same time; the oldest is given up.
const MOST_TRANSFERS: usize = 8;

/// Our side of the clipboard.
pub struct Clipboard {
    /// Receives what others offer; never shown.
    window: Window,
    offer: Option<Offer>,
}

/// The thread that hands out our text, with a connection of its own.
struct Offer {
    connection: Arc<RustConnection>,
    window: Window,
    quit: Atom,
    text: Arc<Mutex<Arc<str>>>,
    thread: Option<JoinHandle<()>>,
}

impl Clipboard {
    /// Makes the hidden window; touches no selection.
    pub fn new(wire: &Wire) -> Result<Clipboard> {
        let window = hidden_window(&wire.connection, wire.root)?;
        Ok(Clipboard { window, offer: None })
    }

    /// The hidden window. It lives exactly as long as our connection.
    pub fn window(&self) -> Window {
        self.window
    }

    /// The text of a selection; `None` when nobody owns it or it holds no text.
    ///
    /// # Errors
    /// [`DesktopError::Clipboard`] when the owner does not answer in time.
    pub fn read(&mut self, wire: &Wire, selection: Atom) -> Result<Option<String>> {
        let owner = wire.connection.get_selection_owner(selection).map_err(lost)?.reply().map_err(lost)?.owner;
        if owner == x11rb::NONE {
            return Ok(None);
        }
        for target in [wire.atoms.UTF8_STRING, AtomEnum::STRING.into()] {
            if let Some(bytes) = self.convert(wire, selection, target)? {
                return Ok(Some(windows::latin1_or_utf8(&bytes)));
            }
        }
        Ok(None)
    }

    /// Offers the text as the clipboard's content.
    ///
    /// # Errors
    /// [`DesktopError::Clipboard`] when the server does not give us the selection.
    pub fn offer(&mut self, wire: &Wire, text: &str) -> Result<()> {
        let offer = match self.offer.take() {
            // A thread that has ended lost its connection; a new one is started in its place.
            Some(offer) if offer.thread.as_ref().is_some_and(|thread| !thread.is_finished()) => offer,
            Some(_) | None => Offer::start(wire)?,
        };
        let offer = self.offer.insert(offer);
        *offer.text.lock().unwrap_or_else(PoisonError::into_inner) = Arc::from(text);
        let clipboard = wire.atoms.CLIPBOARD;
        offer.connection.set_selection_owner(offer.window, clipboard, x11rb::CURRENT_TIME).map_err(lost)?;
        let owner = offer.connection.get_selection_owner(clipboard).map_err(lost)?.reply().map_err(lost)?.owner;
        if owner == offer.window { Ok(()) } else { Err(DesktopError::Clipboard("another program keeps it".to_owned())) }
    }

    /// The selection as one target type; `None` when the owner has no such form of it.
    fn convert(&self, wire: &Wire, selection: Atom, target: Atom) -> Result<Option<Vec<u8>>> {
        let property = wire.atoms.DESKHAND_SELECTION;
        let connection = &wire.connection;
        while connection.poll_for_event().map_err(lost)?.is_some() {}
        connection.delete_property(self.window, property).map_err(lost)?;
        connection.convert_selection(self.window, selection, target, property, x11rb::CURRENT_TIME).map_err(lost)?;
        connection.flush().map_err(lost)?;
        let answered = wait_for(wire, |event| match event {
            Event::SelectionNotify(event) if event.selection == selection && event.target == target => {
                Some(event.property != x11rb::NONE)
            }
            _ => None,
        })?;
        if !answered {
            return Ok(None);
        }
        let whole = self.take_property(wire, property)?;
        if whole.type_ != wire.atoms.INCR {
            return Ok((whole.format == 8).then_some(whole.value));
        }
        let mut bytes = Vec::new();
        loop {
            wait_for(wire, |event| match event {
                Event::PropertyNotify(event) if event.atom == property && event.state == Property::NEW_VALUE => {
                    Some(())
                }
                _ => None,
            })?;
            let piece = self.take_property(wire, property)?.value;
            if piece.is_empty() {
                return Ok(Some(bytes));
            }
            bytes.extend(piece);
            if bytes.len() > MOST {
                return Err(DesktopError::Clipboard("its text is too long".to_owned()));
            }
        }
    }

    /// Reads and deletes the property; deleting it asks the owner for the next piece.
    fn take_property(&self, wire: &Wire, property: Atom) -> Result<x11rb::protocol::xproto::GetPropertyReply> {
        let length = u32::try_from(MOST / 4).unwrap_or(u32::MAX);
        wire.connection
            .get_property(true, self.window, property, AtomEnum::ANY, 0, length)
            .map_err(lost)?
            .reply()
            .map_err(lost)
    }
}

/// The first event that `wanted` accepts, within [`ANSWER`]; others are dropped.
fn wait_for<T>(wire: &Wire, wanted: impl Fn(&Event) -> Option<T>) -> Result<T> {
    let deadline = Instant::now() + ANSWER;
    loop {
        match wire.connection.poll_for_event().map_err(lost)? {
            Some(event) => {
                if let Some(found) = wanted(&event) {
                    return Ok(found);
                }
            }
            None if Instant::now() >= deadline => {
                return Err(DesktopError::Clipboard("the program that owns it does not answer".to_owned()));
            }
            None => sleep(POLL),
        }
    }
}

fn hidden_window(connection: &RustConnection, root: Window) -> Result<Window> {
    let window = connection.generate_id().map_err(lost)?;
    let values = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    connection
        .create_window(0, window, root, -10, -10, 1, 1, 0, WindowClass::INPUT_ONLY, x11rb::COPY_FROM_PARENT, &values)
        .map_err(lost)?;
    Ok(window)
}

impl Offer {
    fn start(wire: &Wire) -> Result<Offer> {
        let connection = Arc::new(connect::connect(&wire.display)?.connection);
        let atoms = Atoms::new(&*connection).map_err(lost)?.reply().map_err(lost)?;
        let window = hidden_window(&connection, wire.root)?;
        let text: Arc<Mutex<Arc<str>>> = Arc::new(Mutex::new(Arc::from("")));
        let server =
            Server { connection: Arc::clone(&connection), atoms, text: Arc::clone(&text), transfers: Vec::new() };
        let thread = thread::Builder::new()
            .name("clipboard".to_owned())
            .spawn(move || server.serve())
            .map_err(|error| DesktopError::Clipboard(error.to_string()))?;
        Ok(Offer { connection, window, quit: atoms.DESKHAND_QUIT, text, thread: Some(thread) })
    }
}

impl Drop for Offer {
    fn drop(&mut self) {
        let message = ClientMessageEvent::new(32, self.window, self.quit, [0; 5]);
        let sent = self.connection.send_event(false, self.window, EventMask::NO_EVENT, message).is_ok()
            && self.connection.flush().is_ok();
        // Without a connection the thread has ended by itself or never will; it must not hold us up.
        if let Some(thread) = self.thread.take()
            && (sent || thread.is_finished())
        {
            let _ = thread.join();
        }
    }
}

/// A long text on its way to one requestor.
struct Transfer {
    requestor: Window,
    property: Atom,
    kind: Atom,
    bytes: Vec<u8>,
    sent: usize,
}

/// What the serving thread works with.
struct Server {
    connection: Arc<RustConnection>,
    atoms: Atoms,
    text: Arc<Mutex<Arc<str>>>,
    transfers: Vec<Transfer>,
}

impl Server {
    /// Answers until told to quit or the connection ends.
    fn serve(mut self) {
        while let Ok(event) = self.connection.wait_for_event() {
            let answered = match event {
                Event::SelectionRequest(request) => self.answer(&request),
                Event::PropertyNotify(notice) => self.send_piece(&notice),
                Event::ClientMessage(message) if message.type_ == self.atoms.DESKHAND_QUIT => return,
                // Errors of requestors that are gone, and news that do not concern us.
                _ => Ok(()),
            };
            if answered.is_err() {
                return;
            }
        }
    }

    fn answer(&mut self, request: &SelectionRequestEvent) -> Result<()> {
        // Old clients leave the property out and mean the target's name.
        let property = if request.property == x11rb::NONE { request.target } else { request.property };
        let given = self.store(request.requestor, property, request.target)?;
        let notice = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target: request.target,
            property: if given { property } else { x11rb::NONE },
        };
        self.connection.send_event(false, request.requestor, EventMask::NO_EVENT, notice).map_err(lost)?;
        self.connection.flush().map_err(lost)
    }

    /// Puts the wanted form on the requestor's window; `false` when there is no such form.
    fn store(&mut self, requestor: Window, property: Atom, target: Atom) -> Result<bool> {
        let atoms = self.atoms;
        let string: Atom = AtomEnum::STRING.into();
        if target == atoms.TARGETS {
            let targets = [atoms.TARGETS, atoms.UTF8_STRING, atoms.TEXT_PLAIN_UTF8, atoms.TEXT, string];
            self.connection
                .change_property32(PropMode::REPLACE, requestor, property, AtomEnum::ATOM, &targets)
                .map_err(lost)?;
            return Ok(true);
        }
        let text = Arc::clone(&self.text.lock().unwrap_or_else(PoisonError::into_inner));
        let (kind, bytes) = if target == atoms.UTF8_STRING || target == atoms.TEXT {
            (atoms.UTF8_STRING, text.as_bytes().to_vec())
        } else if target == atoms.TEXT_PLAIN_UTF8 {
            (target, text.as_bytes().to_vec())
        } else if target == string {
            let latin1: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
            match latin1 {
                Some(bytes) => (string, bytes),
                None => return Ok(false),
            }
        } else {
            return Ok(false);
        };
        if bytes.len() <= PIECE {
            self.connection.change_property8(PropMode::REPLACE, requestor, property, kind, &bytes).map_err(lost)?;
            return Ok(true);
        }
        let watch = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        self.connection.change_window_attributes(requestor, &watch).map_err(lost)?;
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.connection
            .change_property32(PropMode::REPLACE, requestor, property, atoms.INCR, &[length])
            .map_err(lost)?;
        self.transfers.retain(|transfer| (transfer.requestor, transfer.property) != (requestor, property));
        if self.transfers.len() == MOST_TRANSFERS {
            self.transfers.remove(0);
        }
        self.transfers.push(Transfer { requestor, property, kind, bytes, sent: 0 });
        Ok(true)
    }

    /// The requestor has taken a piece: the next one follows, an empty one at the end.
    fn send_piece(&mut self, notice: &PropertyNotifyEvent) -> Result<()> {
        if notice.state != Property::DELETE {
            return Ok(());
        }
        let ours = |transfer: &Transfer| (transfer.requestor, transfer.property) == (notice.window, notice.atom);
        let Some(place) = self.transfers.iter().position(ours) else { return Ok(()) };
        let transfer = &mut self.transfers[place];
        let end = (transfer.sent + PIECE).min(transfer.bytes.len());
        let piece = &transfer.bytes[transfer.sent..end];
        let last = piece.is_empty();
        self.connection
            .change_property8(PropMode::REPLACE, transfer.requestor, transfer.property, transfer.kind, piece)
            .map_err(lost)?;
        transfer.sent = end;
        if last {
            self.transfers.remove(place);
        }
        self.connection.flush().map_err(lost)
    }
}
