//! The header: what the trace says about itself before the first transaction.

use std::io::{self, Write};

use super::VERSION;
use super::initial::{InitialState, ShownInitial};
use super::line::Line;
use super::vocabulary::{Field, FieldSet};
use crate::choice;
use crate::error::ContentError;
use crate::object::Object;
use tristan_history::{Header, History, HistoryBuilder};

const FIELDS: FieldSet = FieldSet::of(&[
    Field::Tristan,
    Field::Initial,
    Field::Database,
    Field::Level,
    Field::Assume,
    Field::Open,
    Field::Own,
    Field::Order,
    Field::Times,
    Field::Context,
]);

/// Reads a header line.
pub(super) fn read(line: Line, builder: &mut HistoryBuilder) -> Result<Header, ContentError> {
    line.check(format_args!("header"), FieldSet::default(), FIELDS)?;
    let version = line.tristan.unwrap_or_default();
    if version != VERSION {
        return Err(ContentError::new(format!("version \"{version}\""), format!("\"{VERSION}\"")));
    }
    Ok(Header {
        initial: line.initial.unwrap_or(InitialState::Empty).numbered(builder)?,
        database: line.database,
        level: line.level,
        assumptions: line.assume.unwrap_or_default(),
        open_aborted: choice::OPEN.read_or_usual(line.open.as_deref())?,
        own_writes: choice::OWN.read_or_usual(line.own.as_deref())?,
        key_order: choice::ORDER.read_or_usual(line.order.as_deref())?,
        clock: choice::TIMES.read_or_usual(line.times.as_deref())?,
    })
}

/// Prints the header line.
pub(crate) fn write(history: &History, out: &mut impl Write) -> io::Result<()> {
    let header = &history.header;
    let mut object = Object::open(out)?;
    object.field("tristan", VERSION)?;
    object.field("initial", &ShownInitial(history))?;
    object.maybe("database", header.database.as_ref())?;
    object.maybe("level", header.level.as_ref())?;
    if !header.assumptions.is_empty() {
        object.field("assume", &header.assumptions)?;
    }
    object.maybe("open", choice::OPEN.unusual(header.open_aborted))?;
    object.maybe("own", choice::OWN.unusual(header.own_writes))?;
    object.maybe("order", choice::ORDER.unusual(header.key_order))?;
    object.maybe("times", choice::TIMES.unusual(header.clock))?;
    object.close()
}
