//! What clients say.

use std::sync::Arc;

use tristan_sqltext::{Dialect, control, split};

use super::prepared::{Portal, Prepared};
use super::{Postgres, Waiting};
use crate::bytes::{Bytes, lossy};
use crate::framer::Frame;
use crate::said::Said;

/// The version of the protocol that is spoken here, without its minor number.
const VERSION: u16 = 3;

impl Postgres {
    /// The first message: who the client is.
    pub(super) fn start(&mut self, frame: Frame<'_>) {
        self.started = true;
        let mut body = Bytes(frame.body);
        if body.u32_be().map(|code| code >> 16) != Some(u32::from(VERSION)) {
            // A request to cancel a query; no answer will come.
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

    /// One message; `None` if it makes no sense here.
    pub(super) fn client_message(&mut self, frame: Frame<'_>) -> Option<()> {
        let mut body = Bytes(frame.body);
        if self.skips && !matches!(frame.kind, b'S' | b'X') {
            return self.skipped(frame);
        }
        match frame.kind {
            b'Q' => self.query(body, frame.whole),
            b'P' => self.parse(body, frame.whole)?,
            b'B' => self.bind(body)?,
            b'D' => self.describe(body)?,
            b'E' => {
                let portal = self.portal(&body.text_until_zero()?);
                let statement = Box::new(self.call(&portal));
                self.waiting.push_back(Waiting::Execute { statement, portal, copies: false });
            }
            b'C' => self.close(body)?,
            b'S' => {
                if std::mem::take(&mut self.skips) {
                    self.names.skipped(&self.waiting);
                }
                let batch = self.session.batch_called();
                self.waiting.push_back(Waiting::Sync(batch));
            }
            b'F' => {
                self.session.note("a function was called without SQL; the call is not in this log");
                self.waiting.push_back(Waiting::Function);
            }
            b'c' | b'f' => self.copied(),
            b'X' => self.session.leaves(),
            // Copied data, Flush, passwords.
            _ => {}
        }
        Some(())
    }

    /// A message that the server will neither carry out nor answer. What it would have executed is in
    /// the log all the same, as skipped.
    fn skipped(&mut self, frame: Frame<'_>) -> Option<()> {
        let mut body = Bytes(frame.body);
        match frame.kind {
            b'Q' => {
                let text = lossy(body.0.strip_suffix(&[0]).unwrap_or(body.0));
                for part in split(&text, Dialect::PostgreSql) {
                    self.session.skip(Said::plain(&part, frame.whole));
                }
            }
            b'P' => {
                let (name, prepared) = Prepared::read(body, frame.whole)?;
                self.names.sent(&Waiting::Parse(name, Arc::new(prepared)));
            }
            b'B' => {
                let (name, portal) = self.read_bind(body)?;
                self.names.sent(&Waiting::Bind(name, portal));
            }
            b'E' => {
                let portal = self.portal(&body.text_until_zero()?);
                let part = self.session.part(&portal.prepared.sql);
                let types = portal.prepared.type_names(portal.params.len());
                self.session.skip(portal.said(&part, &types));
            }
            _ => {}
        }
        Some(())
    }

    fn query(&mut self, body: Bytes<'_>, whole: bool) {
        let text = body.0.strip_suffix(&[0]).unwrap_or(body.0);
        let text = lossy(text);
        for part in split(&text, Dialect::PostgreSql) {
            let control = control(&part.tokens, Dialect::PostgreSql);
            let said = Said { control: &control, ..Said::plain(&part, whole) };
            let statement = Box::new(self.session.call(said));
            self.waiting.push_back(Waiting::Part { statement, formats: Vec::new() });
        }
        let batch = self.session.batch_called();
        self.waiting.push_back(Waiting::QueryEnd(batch));
    }

    fn parse(&mut self, body: Bytes<'_>, whole: bool) -> Option<()> {
        let (name, prepared) = Prepared::read(body, whole)?;
        self.named(Waiting::Parse(name, Arc::new(prepared)));
        Some(())
    }

    /// Something that changes what names stand for.
    fn named(&mut self, waiting: Waiting) {
        self.names.sent(&waiting);
        self.waiting.push_back(waiting);
    }

    fn bind(&mut self, body: Bytes<'_>) -> Option<()> {
        let (name, portal) = self.read_bind(body)?;
        self.named(Waiting::Bind(name, portal));
        Some(())
    }

    fn read_bind(&self, mut body: Bytes<'_>) -> Option<(String, Arc<Portal>)> {
        let (name, of) = (body.text_until_zero()?, body.text_until_zero()?);
        let prepared = self.names.statement(&of).unwrap_or_else(|| Prepared::unseen(&of));
        let known = Arc::clone(&prepared);
        // Of parameters that are too long to be kept, nothing is known.
        let mut portal = Portal::read(body, prepared).unwrap_or_else(|| Portal::of(known));
        portal.bound = self.session.moment();
        Some((name, Arc::new(portal)))
    }

    fn portal(&self, name: &str) -> Arc<Portal> {
        self.names.portal(name).unwrap_or_else(|| Arc::new(Portal::of(Prepared::unseen(name))))
    }

    fn describe(&mut self, mut body: Bytes<'_>) -> Option<()> {
        let kind = body.u8()?;
        let name = body.text_until_zero()?;
        self.waiting.push_back(match kind {
            b'S' => Waiting::DescribeStatement(self.names.statement(&name).unwrap_or_default()),
            _ => Waiting::DescribePortal(self.names.portal(&name).unwrap_or_default()),
        });
        Some(())
    }

    /// Writes down that a portal is executed.
    pub(super) fn call(&mut self, portal: &Portal) -> crate::session::Statement {
        let part = self.session.part(&portal.prepared.sql);
        let types = portal.prepared.type_names(portal.params.len());
        // A query sees the state in which it was bound.
        let bound = self.session.passed_on(portal.bound);
        self.session.call(Said { bound, ..portal.said(&part, &types) })
    }

    fn close(&mut self, mut body: Bytes<'_>) -> Option<()> {
        let kind = body.u8()?;
        let name = body.text_until_zero()?;
        self.named(match kind {
            b'S' => Waiting::CloseStatement(name),
            _ => Waiting::ClosePortal(name),
        });
        Some(())
    }

    /// The client has sent all that is to be copied, or gave up. The server has overheard every
    /// `Sync` that came in between.
    fn copied(&mut self) {
        if let Some(Waiting::Execute { copies, .. }) = self.waiting.front_mut()
            && std::mem::take(copies)
        {
            self.drop_syncs();
        }
    }

    /// The server overhears a `Sync` while data are copied.
    pub(super) fn drop_syncs(&mut self) {
        self.waiting.retain(|waiting| !matches!(waiting, Waiting::Sync(_)));
    }
}

fn level(text: &str) -> String {
    text.trim().to_lowercase().replace([' ', '_'], "-")
}
