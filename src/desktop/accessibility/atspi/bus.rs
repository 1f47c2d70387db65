//! The line to the accessibility bus: many questions at a time, each answered or not.

use std::collections::HashMap;
use std::future::Future;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::future::{Either, select};
use zbus::connection::Builder;
use zbus::message::{Flags, Type};
use zbus::zvariant::{DynamicType, OwnedObjectPath, OwnedValue};
use zbus::{Connection, Message, MessageStream};

use super::super::AccessibilityError;

/// Questions under way at once. More only fill the queues between us and the program.
const IN_FLIGHT: usize = 64;
/// For saying hello to a bus that is there; an absent one refuses at once.
const HELLO: Duration = Duration::from_millis(300);

/// An object of a program: the program's name on the bus, the object's path.
pub type Object = (String, OwnedObjectPath);

/// A connection to the accessibility bus.
pub struct Bus {
    connection: Connection,
    replies: MessageStream,
}

/// The session bus that the environment names. Nothing is started for it.
pub fn session_address() -> Option<String> {
    if let Ok(address) = std::env::var("DBUS_SESSION_BUS_ADDRESS") {
        return (!address.is_empty() && !address.starts_with("autolaunch:")).then_some(address);
    }
    let path = Path::new(&std::env::var_os("XDG_RUNTIME_DIR")?).join("bus");
    path.exists().then(|| format!("unix:path={}", path.display()))
}

impl Bus {
    /// The accessibility bus: the one that the environment names, else the one that the session knows of.
    pub fn open(session: Option<&str>) -> Option<Bus> {
        async_io::block_on(within(Instant::now() + HELLO, async {
            let named = std::env::var("AT_SPI_BUS_ADDRESS").ok().filter(|a| !a.is_empty() && session.is_none());
            let address = match named {
                Some(address) => address,
                None => {
                    let session = session.map(str::to_string).or_else(session_address)?;
                    let mut session = Bus::connect(&session).await.ok()?;
                    let ask = call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", &()).ok()?;
                    read::<String>(session.ask(&[ask]).await.ok()?.first()?)?
                }
            };
            Bus::connect(&address).await.ok()
        }))
        .flatten()
    }

    async fn connect(address: &str) -> zbus::Result<Bus> {
        let connection = Builder::address(address)?.build().await?;
        let replies = MessageStream::from(&connection);
        Ok(Bus { connection, replies })
    }

    /// Asks all questions and gives the answers in the same order; `None` where the answer is an error.
    ///
    /// # Errors
    /// [`AccessibilityError::Connection`] when the bus is gone.
    pub async fn ask(&mut self, calls: &[Message]) -> Result<Vec<Option<Message>>, AccessibilityError> {
        let mut answers = vec![None; calls.len()];
        let mut open = HashMap::new();
        let mut next = calls.iter().enumerate();
        loop {
            while open.len() < IN_FLIGHT
                && let Some((index, call)) = next.next()
            {
                open.insert(call.primary_header().serial_num(), index);
                self.connection.send(call).await.map_err(gone)?;
            }
            if open.is_empty() {
                return Ok(answers);
            }
            let message = match self.replies.next().await {
                Some(message) => message.map_err(gone)?,
                None => return Err(AccessibilityError::Connection("the bus has closed the connection".into())),
            };
            // Anything else is a signal, or the late answer to a question of a reading that ran out of time.
            let index = message.header().reply_serial().and_then(|serial| open.remove(&serial));
            if let Some(index) = index
                && message.message_type() == Type::MethodReturn
            {
                answers[index] = Some(message);
            }
        }
    }
}

fn gone(error: zbus::Error) -> AccessibilityError {
    AccessibilityError::Connection(error.to_string())
}

/// A question that starts no program.
///
/// # Errors
/// [`AccessibilityError::Answer`] when the program's or the object's name is none.
pub fn call<B>(to: &str, path: &str, interface: &str, member: &str, body: &B) -> Result<Message, AccessibilityError>
where
    B: serde::Serialize + DynamicType,
{
    let build = || {
        let call = Message::method_call(path, member)?.destination(to)?.interface(interface)?;
        call.with_flags(Flags::NoAutoStart)?.build(body)
    };
    build().map_err(|error: zbus::Error| AccessibilityError::Answer(error.to_string()))
}

/// The content of an answer, when there is one of this kind.
pub fn read<T>(answer: &Option<Message>) -> Option<T>
where
    T: serde::de::DeserializeOwned + zbus::zvariant::Type,
{
    answer.as_ref()?.body().deserialize().ok()
}

/// The content of an answer about a property.
pub fn property<T: TryFrom<OwnedValue>>(answer: &Option<Message>) -> Option<T> {
    T::try_from(read::<OwnedValue>(answer)?).ok()
}

/// The outcome, or `None` when it is not there in time.
pub async fn within<T>(deadline: Instant, work: impl Future<Output = T>) -> Option<T> {
    match select(std::pin::pin!(work), async_io::Timer::at(deadline)).await {
        Either::Left((outcome, _)) => Some(outcome),
        Either::Right(_) => None,
    }
}
