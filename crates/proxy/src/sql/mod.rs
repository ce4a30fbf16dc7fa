//! As much SQL as one needs to follow transactions, and no more: words, where a statement ends, and
//! which statements begin and end transactions or choose levels.

mod control;
mod split;
mod tokens;
mod words;

pub(crate) use control::{Control, Scope, control};
pub(crate) use split::{Part, split};
pub(crate) use tokens::{Token, TokenKind, tokens};
pub(crate) use words::{Words, has_word};
