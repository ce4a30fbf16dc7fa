//! What clients say.

use std::sync::Arc;

use super::prepared::{Portal, Prepared};
use super::{Postgres, Waiting};
use crate::bytes::{Bytes, lossy};
use crate::framer::Frame;
use crate::protocol::Protocol;
use crate::session::Said;
use crate::sql::{control, split};

/// The version of the protocol that is spoken here, without its minor number.
const VERSION: u16 = 3;

impl Postgres {
    /// The first message: who the client is.
    pub(super) fn start(&mut self, frame: Frame<'_>) {
        self.started = true;
        let mut body = Bytes(frame.body);
        if body.u32_be().map(|code| code >> 16) != Some(u32::from(VERSION)) {
            // Somebody wants a query to be cancelled; no answer will come.
            return;
        }
        while let Some(name) = body.text_until_zero().filter(|name| !name.is_empty()) {
            let Some(value) = body.text_until_zero() else { break };
            match name.as_str() {
                "user" => self.greeting.user = Some(value),
                "database" => self.greeting.database = Some(value),
                "default_transaction_isolation" => self.session.txns.set_usual_level(level(&value)),
                "options" => self.start_options(&value),
                _ => {}
            }
        }
    }

    /// `-c default_transaction_isolation=serializable`
    fn start_options(&mut self, options: &str) {
        if let Some((_, value)) = options.split_once("default_transaction_isolation=") {
            // A blank that belongs to the value has a backslash before it.
            let value = value.replace("\\ ", "-");
            let value = value.split_whitespace().next().unwrap_or_default();
            self.session.txns.set_usual_level(level(value));
        }
    }

    pub(super) fn client_message(&mut self, frame: Frame<'_>) -> Option<()> {
        let mut body = Bytes(frame.body);
        match frame.kind {
            b'Q' => self.query(body, frame.whole),
            b'P' => self.parse(body, frame.whole)?,
            b'B' => self.bind(body)?,
            b'D' => self.describe(body)?,
            b'E' => self.execute(&body.text_until_zero()?),
            b'C' => self.close(body)?,
            b'S' => {
                let batch = self.session.batch_called();
                self.waiting.push_back(Waiting::Sync(batch));
            }
            b'F' => {
                self.session.note("a function was called without SQL; that is not in this log");
                self.waiting.push_back(Waiting::Function);
            }
            b'c' | b'f' => self.copied(),
            b'X' => self.session.leaves(),
            // Copied data, Flush, passwords.
            _ => {}
        }
        Some(())
    }

    fn query(&mut self, body: Bytes<'_>, whole: bool) {
        let text = body.0.strip_suffix(&[0]).unwrap_or(body.0);
        let text = lossy(text);
        for part in split(&text, Protocol::Postgres) {
            let control = control(&part.tokens, Protocol::Postgres);
            let said = Said { part: &part, control: &control, params: &[], types: &[], whole };
            let statement = Box::new(self.session.call(said));
            self.waiting.push_back(Waiting::Part { statement, formats: Vec::new() });
        }
        let batch = self.session.batch_called();
        self.waiting.push_back(Waiting::QueryEnd(batch));
    }

    fn parse(&mut self, body: Bytes<'_>, whole: bool) -> Option<()> {
        let (name, prepared) = Prepared::read(body, whole)?;
        let prepared = Arc::new(prepared);
        self.statements.insert(name, Arc::clone(&prepared));
        self.waiting.push_back(Waiting::Parse(prepared));
        Some(())
    }

    fn bind(&mut self, mut body: Bytes<'_>) -> Option<()> {
        let (name, of) = (body.text_until_zero()?, body.text_until_zero()?);
        let prepared = self.statements.get(&of).cloned().unwrap_or_default();
        let known = Arc::clone(&prepared);
        // Of parameters that are too long to be kept, nothing is known.
        let portal = Portal::read(body, prepared).unwrap_or_else(|| Portal::of(known));
        let portal = Arc::new(portal);
        self.portals.insert(name, Arc::clone(&portal));
        self.waiting.push_back(Waiting::Bind(portal));
        Some(())
    }

    fn describe(&mut self, mut body: Bytes<'_>) -> Option<()> {
        let kind = body.u8()?;
        let name = body.text_until_zero()?;
        self.waiting.push_back(match kind {
            b'S' => {
                Waiting::DescribeStatement(self.statements.get(&name).cloned().unwrap_or_default())
            }
            _ => Waiting::DescribePortal(self.portals.get(&name).cloned().unwrap_or_default()),
        });
        Some(())
    }

    fn execute(&mut self, name: &str) {
        let portal = self.portals.get(name).cloned().unwrap_or_default();
        let statement = Box::new(self.call(&portal));
        self.waiting.push_back(Waiting::Execute { statement, portal, copies: false });
    }

    /// Writes down that a portal is executed.
    pub(super) fn call(&mut self, portal: &Portal) -> crate::session::Statement {
        let prepared = &portal.prepared;
        let part = self.session.part(&prepared.sql);
        let types = prepared.type_names(portal.params.len());
        self.session.call(Said {
            part: &part,
            control: &prepared.control,
            params: &portal.params,
            types: &types,
            whole: prepared.whole,
        })
    }

    fn close(&mut self, mut body: Bytes<'_>) -> Option<()> {
        let kind = body.u8()?;
        let name = body.text_until_zero()?;
        match kind {
            b'S' => drop(self.statements.remove(&name)),
            _ => drop(self.portals.remove(&name)),
        }
        self.waiting.push_back(Waiting::Close);
        Some(())
    }

    /// The client has sent all that is to be copied, or gave up. The server has overheard every
    /// `Sync` that came in between.
    fn copied(&mut self) {
        if matches!(self.waiting.front(), Some(Waiting::Execute { copies: true, .. })) {
            self.waiting.retain(|waiting| !matches!(waiting, Waiting::Sync(_)));
        }
    }
}

fn level(text: &str) -> String {
    text.trim().to_lowercase().replace([' ', '_'], "-")
}
