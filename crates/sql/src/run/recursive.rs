//! WITH RECURSIVE.
//!
//! ```text
//!   base ──► rows ──► step ──► new rows ──► step ──► … until there are no new rows
//! ```
//!
//! Layer `run`; runs queries.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::error::{Result, unsupported};
use crate::plan::Query;
use crate::value::{Collation, Value};

use super::frame::Frame;
use super::source::Wide;
use super::state::Run;

/// More rows are refused.
const MOST_ROWS: usize = 100_000;

/// MySQL and MariaDB stop after 1000 steps, unless a setting says otherwise.
const MOST_ROUNDS: usize = 900;

/// The parts of a recursive query.
pub(super) struct Recursion<'q> {
    pub(super) number: usize,
    pub(super) all: bool,
    pub(super) base: &'q Query,
    pub(super) step: &'q Query,
    pub(super) collations: &'q [Collation],
}

impl Run<'_> {
    pub(super) fn recursive(
        &mut self,
        recursion: &Recursion<'_>,
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        if self.forgiving {
            return unsupported("an error in a recursive query");
        }
        let mut known = FxHashMap::default();
        let mut all: Wide = Vec::new();
        let mut last = self.chosen_rows(recursion.base, outer)?;
        for round in 0.. {
            if round > MOST_ROUNDS && !self.dialect.is_strictly_typed() {
                return unsupported("a recursive query with this many steps");
            }
            if !recursion.all {
                last = self.new_rows(last, &mut known, recursion.collations)?;
            }
            if last.is_empty() {
                return Ok(all);
            }
            all.extend(last.iter().cloned());
            if all.len() > MOST_ROWS {
                return unsupported("a recursive query with this many rows");
            }
            self.working.push((recursion.number, Arc::new(last)));
            let next = self.chosen_rows(recursion.step, outer);
            self.working.pop();
            last = next?;
        }
        Ok(all)
    }

    /// The rows that were not there before, each once.
    fn new_rows(
        &mut self,
        rows: Wide,
        known: &mut FxHashMap<Vec<Value>, Vec<Value>>,
        collations: &[Collation],
    ) -> Result<Wide> {
        let mut new = Vec::new();
        for row in rows {
            let key = self.canonical_row(&row, collations);
            match known.get(&key) {
                Some(before) if *before == row => {}
                Some(_) => {
                    return unsupported("equal rows with different spellings in a recursive query");
                }
                None => {
                    known.insert(key, row.clone());
                    new.push(row);
                }
            }
        }
        Ok(new)
    }

    /// The rows that came last in a recursive query.
    pub(super) fn working_rows(&self, number: usize) -> Result<Arc<Wide>> {
        match self.working.iter().rev().find(|(one, _)| *one == number) {
            Some((_, rows)) => Ok(Arc::clone(rows)),
            None => unsupported("a recursive query that is referred to from outside"),
        }
    }
}
