//! What clients say.

use std::collections::VecDeque;
use std::sync::Arc;

use tristan_sqltext::{Part, Words, control, split, tokens};

use super::greeting::{Client, MULTI_STATEMENTS};
use super::prepared::{Ahead, Prepared};
use super::{Command, MySql, Running};
use crate::bytes::{Bytes, lossy};
use crate::framer::Frame;
use crate::said::Said;
use crate::value::Value;

/// MariaDB's way to name the statement that was prepared last.
const LAST: u32 = u32::MAX;

impl MySql {
    /// One packet; `None` if it makes no sense here.
    pub(super) fn client_packet(&mut self, frame: Frame<'_>) -> Option<()> {
        let mut body = Bytes(frame.body);
        if self.can.is_none() {
            let client = Client::read(body)?;
            self.can = Some(client.can);
            self.greeting.user = Some(client.user);
            self.greeting.database = client.database;
            return Some(());
        }
        if self.sends_file {
            self.sends_file = !frame.body.is_empty();
            return Some(());
        }
        // Commands start anew with number 0; others belong to a login.
        if frame.kind != 0 || !self.ready {
            return Some(());
        }
        let command = match body.u8()? {
            // Quit, a piece of a parameter, the end of a statement: they have no answer.
            0x01 => {
                self.session.leaves();
                return Some(());
            }
            0x18 => return self.piece(body),
            0x19 => {
                self.statements.remove(&body.u32_le()?);
                return Some(());
            }
            0x02 => self.one(&format!("USE {}", lossy(body.0)), frame.whole),
            0x03 => self.query(body, frame.whole),
            0x05 => self.one(&format!("CREATE DATABASE {}", lossy(body.0)), frame.whole),
            0x06 => self.one(&format!("DROP DATABASE {}", lossy(body.0)), frame.whole),
            0x0a => self.one("SHOW PROCESSLIST", frame.whole),
            0x16 => {
                let prepared =
                    Arc::new(Prepared::new(lossy(body.0), frame.whole, self.session.dialect));
                self.last_prepared = Some(Arc::clone(&prepared));
                Command::Prepare(prepared)
            }
            0x17 => self.execute(body, true)?,
            // The same statement for many rows of parameters, which are not read.
            0xfa => self.execute(body, false)?,
            0x1c => self.fetch(body)?,
            0x04 => Command::Fields,
            0x11 => Command::Login,
            0x1f => Command::Reset,
            // A client that asks for the log of changes gets a stream that has no end.
            0x12 | 0x1e => return None,
            _ => Command::Other,
        };
        self.waiting.push_back(command);
        Some(())
    }

    fn query(&mut self, body: Bytes<'_>, whole: bool) -> Command {
        let text = lossy(body.0);
        let several = self.can.is_some_and(|can| can & MULTI_STATEMENTS != 0);
        let mut parts = split(&text, self.session.dialect);
        if parts.is_empty() || (!several && parts.len() > 1) {
            // The server will complain about it.
            parts = vec![Part { text: &text, tokens: tokens(&text, self.session.dialect) }];
        }
        let parts = parts.iter().map(|part| self.call(part, &[], &[], whole)).collect();
        Command::Run { parts, binary: false, prepared: None }
    }

    fn one(&mut self, text: &str, whole: bool) -> Command {
        let part = Part { text, tokens: tokens(text, self.session.dialect) };
        let parts = VecDeque::from([self.call(&part, &[], &[], whole)]);
        Command::Run { parts, binary: false, prepared: None }
    }

    /// Writes down that a statement is executed.
    pub(super) fn call(
        &mut self,
        part: &Part<'_>,
        params: &[Value],
        types: &[String],
        whole: bool,
    ) -> Running {
        let control = control(&part.tokens, self.session.dialect);
        let said = Said { part, control: &control, params, types, whole, bound: None };
        self.running(said)
    }

    /// The same for a statement that was prepared.
    pub(super) fn call_prepared(
        &mut self,
        prepared: &Prepared,
        params: &[Value],
        types: &[String],
    ) -> Running {
        let part = self.session.part(&prepared.sql);
        let said = Said {
            params,
            types,
            control: &prepared.control,
            ..Said::plain(&part, prepared.whole)
        };
        self.running(said)
    }

    fn running(&mut self, said: Said<'_>) -> Running {
        let procedure = Words::new(&said.part.tokens).is("call");
        let statement = self.session.call(said);
        Running { statement, batch: self.session.batch_called(), procedure }
    }

    fn execute(&mut self, mut body: Bytes<'_>, one: bool) -> Option<Command> {
        let number = body.u32_le()?;
        let mut fresh = Ahead::default();
        let (prepared, ahead) = match self.statements.get_mut(&number) {
            Some((prepared, ahead)) => (Arc::clone(prepared), ahead),
            None if number == LAST => (self.last_prepared.clone()?, &mut fresh),
            // The server will complain about it, or it was prepared before we listened.
            None => (Prepared::unseen(number), &mut fresh),
        };
        let params = match one {
            true => prepared.params(body, ahead).unwrap_or_default(),
            false => Vec::new(),
        };
        let types = ahead.type_names();
        let parts = VecDeque::from([self.call_prepared(&prepared, &params, &types)]);
        Some(Command::Run { parts, binary: true, prepared: Some(prepared) })
    }

    /// More rows of a statement whose rows are asked for in portions.
    fn fetch(&mut self, mut body: Bytes<'_>) -> Option<Command> {
        let number = body.u32_le()?;
        let prepared = self.statements.get(&number).map(|(prepared, _)| Arc::clone(prepared));
        let prepared = prepared.unwrap_or_default();
        let text = format!("FETCH /* {} */", prepared.sql.replace("*/", "* /"));
        let part = Part { text: &text, tokens: tokens(&text, self.session.dialect) };
        let mut running = self.call(&part, &[], &[], true);
        running.statement.result.columns = prepared.columns.get().cloned();
        Some(Command::Run { parts: VecDeque::from([running]), binary: true, prepared: None })
    }

    fn piece(&mut self, mut body: Bytes<'_>) -> Option<()> {
        let (number, place) = (body.u32_le()?, body.u16_le()?);
        if let Some((_, ahead)) = self.statements.get_mut(&number) {
            ahead.piece(place, body.0);
        }
        Some(())
    }
}
