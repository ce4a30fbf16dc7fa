//! What a protocol has to offer so that it can be listened to.

use crate::framer::FrameError;
use crate::session::Session;

/// Listens to both sides of one connection.
pub(crate) trait Decoder: Send {
    /// What is said on the connection.
    fn session(&mut self) -> &mut Session;

    /// The client sent bytes, which are not passed on yet.
    ///
    /// # Errors
    /// When they make no sense.
    fn client_said(&mut self, bytes: &[u8]) -> Result<(), FrameError>;

    /// The server sent bytes, which are not passed on yet.
    ///
    /// # Errors
    /// When they make no sense.
    fn server_said(&mut self, bytes: &[u8]) -> Result<(), FrameError>;

    /// Whether the server may carry out what the client says, now or later.
    fn can_write(&self) -> bool;

    /// No more answers will come, or they cannot be decoded: ends whatever waits for one.
    fn drop_waiting(&mut self);
}
