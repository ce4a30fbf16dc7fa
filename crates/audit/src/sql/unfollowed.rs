//! Statements that are not judged, and the tables that are lost with them.
//!
//! ```text
//!   UPDATE stock SET n = rank() OVER ()      not supported, changes stock      stock is lost
//!   INSERT INTO report SELECT … FROM stock   depends on stock                  report is lost
//!   SELECT … FROM report                     depends on report                 not judged
//!   UPDATE account SET …                     touches neither                   judged
//! ```
//!
//! A statement that cannot be carried out may leave anything in the tables that it changes. These tables are
//! lost: from the first line of the log to its last, nothing is said about them. Statements that touch a lost
//! table are left out, and what they change is lost as well.
//!
//! # Why the rest can be judged
//!
//! Let `L` be the lost tables, and let the log be explained by an execution `E` at a level.
//!
//! 1. A statement that is kept neither reads nor writes a table of `L`: its reach (see
//!    [`crate::statement::Reach`]) has none.
//! 2. A statement that is left out changes tables of `L` only. Either its words say so
//!    ([`tristan_sqltext::effects`]), or its reach does, and what it changes was added to `L` until nothing new
//!    came.
//!
//! So, leaving out statements and rows of `L` from `E` changes no row of the other tables, by 2, and no answer
//! of a kept statement, by 1: what remains of `E` explains the kept statements, at the same level, since a level
//! forbids things and there are fewer of them. If nothing explains the kept statements, nothing explains the
//! log, and it is right to reject it. An accepted log is one in which every *judged* answer is right.
//!
//! What passes values around tables would break this: user variables and `LAST_INSERT_ID()` of MySQL. A
//! statement that uses them next to a lost table is not kept; if it sets a variable, nothing is judged.
//! Where the words of a statement do not say what it changes, nothing is judged either. Errors of foreign
//! keys, which may come from lost tables, are never judged.

use std::collections::BTreeSet;
use std::sync::Arc;

use tristan_sql::{Table, TableId};
use tristan_sqltext::{Effects, Token, TokenKind, Words, effects, has_word, tokens};

use super::machine::Sql;
use super::refused::RefusedError;
use crate::model::{Call, Observed};
use crate::statement::UnsupportedError;

/// How many reasons for not judging statements are told apart.
const MOST_REASONS: usize = 100;

impl Sql {
    /// Leaves out a statement that cannot be carried out. The tables that it may have changed are lost.
    pub(super) fn leave_unjudged(
        &mut self,
        call: &Call,
        refused: RefusedError,
    ) -> Result<(), UnsupportedError> {
        if self.asks(&call.sql) {
            self.count_question();
            return Ok(());
        }
        let effects = if refused.only_reads { Effects::Nothing } else { self.effects(&call.sql) };
        if !matches!(call.observed, Observed::Error(_)) {
            if self.redefines_view(&call.sql) {
                return Err(refused.error);
            }
            self.note_others(&call.sql);
        }
        match effects {
            Effects::Nothing => {}
            _ if self.did_nothing(&call.observed, &effects) => {}
            Effects::Anything => return Err(refused.error),
            Effects::Tables(names) => {
                let lost = names.iter().all(|name| self.lost(name).is_some());
                let known = !refused.undefined && names.iter().all(|name| self.is_table(name));
                if !lost && !known && !creates(&call.sql, self) {
                    return Err(refused.error);
                }
                self.lose(&names, &refused.feature, &refused.error);
            }
        }
        self.count_unjudged(refused.feature);
        Ok(())
    }

    /// Whether a statement failed and left nothing behind. In MySQL and MariaDB, the statements of a routine before the
    /// one that failed remain.
    fn did_nothing(&self, observed: &Observed, effects: &Effects) -> bool {
        let failed = matches!(observed, Observed::Error(_));
        failed && (self.undoes_settings() || matches!(effects, Effects::Tables(_)))
    }

    /// Leaves out a statement that touches a table that is excluded from the audit. Returns `false` if there
    /// is none.
    pub(super) fn leave_unfollowed(
        &mut self,
        call: &Call,
        reach: &tristan_sql::Reach,
    ) -> Result<bool, UnsupportedError> {
        if self.unfollowed.is_empty() && self.lost.is_empty() {
            return Ok(false);
        }
        let names = |regions: &[tristan_sql::Region]| -> Vec<String> {
            let tables = regions.iter().filter_map(|region| self.catalog.by_id(region.table));
            tables.map(|table| table.short_name().to_lowercase()).collect()
        };
        let writes = names(&reach.writes);
        // A lost table that only foreign keys reach tells nothing about the others, except those behind it.
        let own: Vec<tristan_sql::Region> = reach
            .reads
            .iter()
            .chain(&reach.writes)
            .filter(|region| !reach.cascades.contains(&region.table))
            .cloned()
            .collect();
        let own = names(&own);
        if !own.iter().any(|name| self.is_lost(name)) {
            let reached = writes.iter().filter(|name| self.is_lost(name)).cloned().collect();
            self.lose_behind(reached, &call.sql);
        }
        let missing = own.iter().find_map(|name| Some((name, self.lost(name)?)));
        let remembers = self.remembers(&call.sql);
        let feature = match missing {
            Some((table, why)) => excluded(table, why),
            None if remembers || reach.anything => {
                "what it depends on is not known, because some tables are excluded from the audit"
                    .to_owned()
            }
            None => return Ok(false),
        };
        let error = UnsupportedError(format!("{feature}: {}", call.sql));
        if reach.anything || remembers && !self.only_asks(&call.sql) {
            return Err(error);
        }
        let because = match missing {
            Some((table, _)) => {
                format!("it is filled from table {table}, which is excluded from the audit")
            }
            None => feature.clone(),
        };
        self.lose(&writes, &because, &error);
        self.count_unjudged(feature);
        Ok(true)
    }

    /// Tables that foreign keys change together with a lost table are lost, too.
    fn lose_behind(&mut self, reached: Vec<String>, sql: &str) {
        let behind = self.catalog.with_followers(reached);
        let because =
            "a foreign key changes it together with a table that is excluded from the audit";
        let error = UnsupportedError(format!("a table is excluded because {because}: {sql}"));
        self.lose(&behind, because, &error);
    }

    /// Why a table that a statement names is excluded from the audit, if there is one.
    pub(super) fn unfollowed_name(&self, sql: &str) -> Option<String> {
        if self.unfollowed.is_empty() && self.lost.is_empty() {
            return None;
        }
        let tokens = tokens(sql, self.catalog.dialect().text());
        let mut names = tokens.iter().filter_map(name_of);
        names.find_map(|name| Some(excluded(&name, self.lost(&name)?)))
    }

    /// Why a table is excluded from the audit, if it is.
    fn lost(&self, name: &str) -> Option<&str> {
        self.unfollowed.get(name).or_else(|| self.lost.get(name)).map(String::as_str)
    }

    /// Whether a table is excluded from the audit.
    pub(super) fn is_lost(&self, name: &str) -> bool {
        self.lost(name).is_some()
    }

    /// The tables that a statement names, directly or through a view.
    pub(super) fn named_tables(&self, sql: &str) -> Vec<TableId> {
        let tokens = tokens(sql, self.catalog.dialect().text());
        let names: BTreeSet<String> = tokens.iter().filter_map(name_of).collect();
        self.catalog.tables_behind(|name| names.contains(&name.to_lowercase()))
    }

    /// Excludes tables from the audit; if one of them is new, the log has to be read again.
    pub(super) fn lose(&mut self, names: &[String], because: &str, error: &UnsupportedError) {
        for name in names {
            if !self.unfollowed.contains_key(name) {
                self.failure.get_or_insert_with(|| error.clone());
                self.lost.entry(name.clone()).or_insert_with(|| because.to_owned());
            }
        }
    }

    /// What a statement may change, as far as its words tell.
    pub(super) fn effects(&self, sql: &str) -> Effects {
        let tokens = tokens(sql, self.catalog.dialect().text());
        let routine = |token: &Token<'_>| {
            name_of(token)
                .is_some_and(|name| self.catalog.has_routine(&name) || self.others.contains(&name))
        };
        let calls = tokens
            .windows(2)
            .any(|pair| pair[1].kind == TokenKind::Symbol("(") && routine(&pair[0]));
        let defines = ["create", "alter", "drop"].iter().any(|first| Words::new(&tokens).is(first));
        let redefines =
            |token: &Token<'_>| name_of(token).is_some_and(|name| self.catalog.has_routine(&name));
        if calls || defines && tokens.iter().any(redefines) {
            return Effects::Anything;
        }
        match effects(&tokens, self.catalog.dialect().text()) {
            Effects::Tables(names) => {
                let names = self.catalog.with_followers(names);
                match names.iter().any(|name| self.hides_changes(name)) {
                    true => Effects::Anything,
                    false => Effects::Tables(names),
                }
            }
            effects => effects,
        }
    }

    /// Whether a statement gives a view that is known another meaning or name, or drops it.
    pub(super) fn redefines_view(&self, sql: &str) -> bool {
        let tokens = tokens(sql, self.catalog.dialect().text());
        let mut words = Words::new(&tokens);
        let named =
            |token: &Token<'_>| name_of(token).is_some_and(|name| self.catalog.has_view(&name));
        if words.eat("alter view") || words.eat("drop view") {
            let mut rest = (0..tokens.len()).map(|place| Words::new(&tokens[place..]));
            return tokens.iter().any(named) && !rest.any(|mut words| words.eat("owner to"));
        }
        if !words.eat("create") {
            return false;
        }
        // `OR REPLACE ALGORITHM = MERGE DEFINER = a@b SQL SECURITY INVOKER`, but nothing that has a query in it.
        while !words.is_empty() && !words.is("view") {
            if ["as", "table", "function", "procedure", "trigger"].iter().any(|word| words.is(word))
            {
                return false;
            }
            words.next();
        }
        words.next();
        words.eat("if not exists");
        words.last_name().is_some_and(|name| self.catalog.has_view(&name))
    }

    /// Whether a change of a table changes others, too: it is a view, or calls routines.
    fn hides_changes(&self, name: &str) -> bool {
        let calls = |table: &Arc<Table>| {
            table.short_name().to_lowercase() == name && table.calls_routines()
        };
        self.others.contains(name)
            || self.catalog.has_view(name)
            || self.catalog.tables().any(calls)
    }

    /// Notes what a statement makes that is no table: a change of a view changes another table, and a call of
    /// a routine may change any.
    pub(super) fn note_others(&mut self, sql: &str) {
        let tokens = tokens(sql, self.catalog.dialect().text());
        let mut words = Words::new(&tokens);
        if !words.eat("create") {
            return;
        }
        let kinds = ["table", "view", "function", "procedure", "aggregate"];
        while !words.is_empty() && !kinds.iter().any(|kind| words.is(kind)) {
            words.next();
        }
        if words.is("table") || words.next().is_none() {
            return;
        }
        words.eat("if not exists");
        self.others.extend(words.last_name());
    }

    /// Whether a name is that of a table, and of no view.
    fn is_table(&self, name: &str) -> bool {
        self.lost(name).is_some()
            || self.catalog.tables().any(|table| table.short_name().to_lowercase() == name)
    }

    /// Whether a statement uses what its session remembers of other statements.
    pub(super) fn remembers(&self, sql: &str) -> bool {
        let tokens = tokens(sql, self.catalog.dialect().text());
        let variable = |token: &Token<'_>| matches!(token.kind, TokenKind::Word(word) if word.starts_with('@'));
        !self.undoes_settings()
            && (tokens.iter().any(variable) || has_word(&tokens, "last_insert_id"))
    }

    /// Whether a statement changes no variable.
    fn only_asks(&self, sql: &str) -> bool {
        let tokens = tokens(sql, self.catalog.dialect().text());
        !has_word(&tokens, "set") && !matches!(self.effects(sql), Effects::Anything)
    }

    pub(super) fn count_unjudged(&mut self, reason: String) {
        let known = self.unjudged.len() < MOST_REASONS || self.unjudged.contains_key(&reason);
        let reason = if known { reason } else { "other reasons".to_owned() };
        *self.unjudged.entry(reason).or_default() += 1;
    }
}

/// The name that a token is, in lower case.
fn name_of(token: &Token<'_>) -> Option<String> {
    match &token.kind {
        TokenKind::Word(word) => Some(word.to_lowercase()),
        TokenKind::Quoted(name) => Some(name.to_lowercase()),
        _ => None,
    }
}

fn excluded(table: &str, why: &str) -> String {
    format!("table {table} is excluded from the audit: {why}")
}

/// Whether a statement makes the table that it names.
fn creates(sql: &str, machine: &Sql) -> bool {
    let tokens = tokens(sql, machine.catalog.dialect().text());
    Words::new(&tokens).is("create") && has_word(&tokens, "table")
}
