//! dbcop's JSON form: an array of sessions, bare or in an object that tells where it comes from.
//!
//! ```text
//!   {"params":{…},"info":"PostgreSQL","start":"…","end":"…","data":SESSIONS}    or    SESSIONS
//!   SESSIONS     [[TRANSACTION, …], …]
//!   TRANSACTION  {"events":[EVENT, …],"committed":true}
//!   EVENT        {"Read":{"variable":0,"version":1}}    or    ["r",0,1]
//!                {"Write":{"variable":0,"version":2}}         ["w",0,2]
//! ```
//!
//! A read whose version is `null` found nothing.

use std::fmt;
use std::io::BufRead;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::TraceError;
use crate::elements::nothing_more;
use crate::json_stream::{self, Line};
use crate::listed::{Event, Listed};
use tristan_history::{Datum, History};

/// Reads a whole file.
pub(super) fn read(input: impl BufRead, file: &str) -> Result<History, TraceError> {
    let (line, mut listed) = (Line::default(), Listed::default());
    json_stream::read(input, &line, file, Trace(Place { line: &line, listed: &mut listed }))?;
    Ok(listed.finish())
}

/// Where we are, and what has been read.
struct Place<'a> {
    line: &'a Line,
    listed: &'a mut Listed,
}

impl Place<'_> {
    fn again(&mut self) -> Place<'_> {
        Place { line: self.line, listed: self.listed }
    }
}

/// Implements a seed that fills the history through one or more methods of a visitor.
macro_rules! seed {
    ($name:ident, $expecting:expr, { $($method:item)* }) => {
        impl<'de> DeserializeSeed<'de> for $name<'_> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                deserializer.deserialize_any(self)
            }
        }

        impl<'de> Visitor<'de> for $name<'_> {
            type Value = ();

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str($expecting)
            }

            $($method)*
        }
    };
}

/// The whole file.
struct Trace<'a>(Place<'a>);

seed!(Trace, "an array of sessions, or an object with one in \"data\"", {
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        Sessions(self.0).visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut has_data = false;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "params" | "start" | "end" => drop(map.next_value::<IgnoredAny>()?),
                "info" => self.0.listed.database(map.next_value()?),
                "data" if has_data => return Err(self.0.line.twice("data")),
                "data" => {
                    map.next_value_seed(Sessions(self.0.again()))?;
                    has_data = true;
                }
                _ => {
                    let known = "\"params\", \"info\", \"start\", \"end\" or \"data\"";
                    return Err(self.0.line.other_field(&name, known));
                }
            }
        }
        match has_data {
            true => Ok(()),
            false => Err(self.0.line.missing("an object", "data", "the sessions")),
        }
    }
});

struct Sessions<'a>(Place<'a>);

seed!(Sessions, "an array of sessions", {
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Session(self.0.again()))?.is_some() {
            self.0.listed.next_session();
        }
        Ok(())
    }
});

struct Session<'a>(Place<'a>);

seed!(Session, "a session, which is an array of transactions", {
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Transaction(self.0.again()))?.is_some() {}
        Ok(())
    }
});

struct Transaction<'a>(Place<'a>);

seed!(Transaction, "a transaction like {\"events\":[],\"committed\":true}", {
    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.0.listed.begin(self.0.line.number());
        let (mut has_events, mut committed) = (false, None);
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "events" if has_events => return Err(self.0.line.twice("events")),
                "events" => {
                    map.next_value_seed(Events(self.0.again()))?;
                    has_events = true;
                }
                "committed" if committed.is_some() => return Err(self.0.line.twice("committed")),
                "committed" => committed = Some(map.next_value()?),
                _ => return Err(self.0.line.other_field(&name, "\"events\" or \"committed\"")),
            }
        }
        if !has_events {
            return Err(self.0.line.missing("a transaction", "events", "what it did"));
        }
        let Some(committed) = committed else {
            let what = "whether it committed";
            return Err(self.0.line.missing("a transaction", "committed", what));
        };
        self.0.listed.end(committed, self.0.line.number());
        Ok(())
    }
});

struct Events<'a>(Place<'a>);

seed!(Events, "an array of events", {
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some((line, event)) = list.next_element_seed(OneEvent(self.0.line))? {
            self.0.listed.event(event, line);
        }
        Ok(())
    }
});

/// An event and its line.
#[derive(Clone, Copy)]
struct OneEvent<'a>(&'a Line);

impl<'de> DeserializeSeed<'de> for OneEvent<'_> {
    type Value = (u32, Event);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let line = self.0.number();
        Ok((line, deserializer.deserialize_any(self)?))
    }
}

impl<'de> Visitor<'de> for OneEvent<'_> {
    type Value = Event;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an event like {\"Read\":{\"variable\":0,\"version\":1}} or [\"r\",0,1]")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Event, A::Error> {
        let event = match map.next_key::<String>()?.as_deref() {
            Some("Read") => {
                let Fields { variable, version } = map.next_value()?;
                Event::Read(variable, version)
            }
            Some("Write") => {
                let Fields { variable, version } = map.next_value()?;
                Event::Write(variable, self.written(version)?)
            }
            Some(other) => return Err(self.0.other_field(other, "\"Read\" or \"Write\"")),
            None => {
                return Err(self.0.error("an empty event, expected \"Read\" or \"Write\""));
            }
        };
        match map.next_key::<String>()? {
            None => Ok(event),
            Some(other) => Err(self.0.other_field(&other, "the end of the event")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Event, A::Error> {
        let too_short = |length| de::Error::invalid_length(length, &self);
        let tag: Tag = list.next_element()?.ok_or_else(|| too_short(0))?;
        let key = list.next_element()?.ok_or_else(|| too_short(1))?;
        let value: Option<Datum> = list.next_element()?.ok_or_else(|| too_short(2))?;
        nothing_more(&mut list, 3, &self)?;
        Ok(match tag {
            Tag::Read => Event::Read(key, value),
            Tag::Write => Event::Write(key, self.written(value)?),
        })
    }
}

impl OneEvent<'_> {
    fn written<E: de::Error>(self, version: Option<Datum>) -> Result<Datum, E> {
        let missing = || self.0.error("a write of null, expected the version that was written");
        version.ok_or_else(missing)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    variable: Datum,
    version: Option<Datum>,
}

/// The first element of an event that is an array.
#[derive(Clone, Copy, Deserialize)]
enum Tag {
    #[serde(rename = "r")]
    Read,
    #[serde(rename = "w")]
    Write,
}
