//! Where transactions come from: a log that is read again each time, or a piece that is kept.

use std::rc::Rc;
use std::vec;

use super::piece::Piece;
use crate::error::Error;
use crate::log::{Header, Item, LogReader, LogSource};
use crate::model::Txn;

/// Something that is judged, and can be read as often as needed.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Log(&'a dyn LogSource),
    Piece(&'a Piece),
}

impl<'a> Source<'a> {
    /// What people call it.
    pub(crate) fn name(self) -> &'a str {
        match self {
            Self::Log(log) => log.name(),
            Self::Piece(piece) => &piece.name,
        }
    }

    /// The statements that make the tables with which it begins, besides those that it contains.
    pub(crate) fn schema(self) -> &'a [String] {
        match self {
            Self::Log(_) => &[],
            Self::Piece(piece) => &piece.start.schema,
        }
    }

    /// What it consists of, from the beginning.
    pub(crate) fn items(self) -> Result<Items, Error> {
        Ok(match self {
            Self::Log(log) => Items::Log(Box::new(LogReader::open(log)?)),
            Self::Piece(piece) => {
                Items::Piece(piece.header.clone(), piece.txns.clone().into_iter())
            }
        })
    }
}

/// What a source consists of, one after the other.
pub(crate) enum Items {
    Log(Box<LogReader>),
    Piece(Header, vec::IntoIter<Rc<Txn>>),
}

impl Items {
    /// What the first line of the log says.
    pub(crate) fn header(&self) -> &Header {
        match self {
            Self::Log(reader) => reader.header(),
            Self::Piece(header, _) => header,
        }
    }

    /// What was strange about the log.
    pub(crate) fn warnings(&self) -> &[String] {
        match self {
            Self::Log(reader) => reader.warnings(),
            Self::Piece(..) => &[],
        }
    }

    pub(crate) fn next_item(&mut self) -> Result<Option<Item>, Error> {
        match self {
            Self::Log(reader) => reader.next_item(),
            Self::Piece(_, txns) => {
                Ok(txns.next().map(|txn| Item::Txn(Box::new(Txn::clone(&txn)))))
            }
        }
    }
}
