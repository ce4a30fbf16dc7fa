//! A statement as a client sends it.

use tristan_sqltext::{Control, Part};

use crate::value::Value;

/// What a statement says, when it is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said<'a> {
    /// Its text and its tokens.
    pub(crate) part: &'a Part<'a>,
    /// What it does to transactions.
    pub(crate) control: &'a Control,
    /// Its parameters.
    pub(crate) params: &'a [Value],
    /// The types of its parameters, as far as they are known.
    pub(crate) types: &'a [String],
    /// Whether the text is all there.
    pub(crate) whole: bool,
    /// When its parameters were bound, if that was passed on before it is called.
    pub(crate) bound: Option<u64>,
}

impl<'a> Said<'a> {
    /// A statement without parameters that does nothing to transactions.
    pub(crate) fn plain(part: &'a Part<'a>, whole: bool) -> Self {
        Self { part, control: &Control::Nothing, params: &[], types: &[], whole, bound: None }
    }
}
