//! The part of HTTP/1.1 that a local page needs: one request per connection, limits on everything.

mod conversation;
mod form;
mod host;
mod query;
mod request;
mod response;

pub(crate) use conversation::conversation;
pub(crate) use form::Form;
pub(crate) use query::{Query, encoded};
pub(crate) use request::{Method, Request};
pub(crate) use response::Response;

/// A request that is not answered as its sender hoped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HttpError {
    /// The status, as in 404.
    pub(crate) status: u16,
    /// What to tell people.
    pub(crate) words: String,
}

impl HttpError {
    pub(crate) fn new(status: u16, words: impl Into<String>) -> Self {
        Self { status, words: words.into() }
    }
}
