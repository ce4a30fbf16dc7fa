//! `string_agg()`: texts in an order, of which the server chooses what is not asked for.
//!
//! Layer `run`; one of the aggregates.

use rustc_hash::FxHashMap;

use crate::dialect::Dialect;
use crate::error::{Result, unsupported};
use crate::plan::Aggregate;
use crate::value::Value;

use super::frame::Frame;
use super::source::Wide;
use super::state::Run;
use super::window::{MOST_ORDERS, orders_of};

impl Run<'_> {
    pub(super) fn string_agg(
        &mut self,
        aggregate: &Aggregate,
        members: &[usize],
        rows: &Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Value> {
        let shown = self.sorted_values(aggregate, members, rows, outer, false, |_| true)?;
        let mut whole = String::new();
        for (place, text) in shown.iter().enumerate() {
            let parts = if place == 0 { &text[..1] } else { &text[..] };
            // The text comes first in the row, and what is between in front of it.
            for part in parts.iter().rev() {
                match part {
                    Value::Text(part) => whole.push_str(part),
                    Value::Null => {}
                    _ => return unsupported("string_agg() of values that are not texts"),
                }
            }
        }
        // Longer texts are cut off, unless a setting says otherwise.
        let longest = match self.dialect {
            Dialect::PostgreSql => usize::MAX,
            Dialect::MySql => 1024,
            Dialect::MariaDb => 1 << 20,
        };
        if whole.len() > longest {
            return unsupported("GROUP_CONCAT() of a text this long");
        }
        Ok(if shown.is_empty() { Value::Null } else { Value::text(&whole) })
    }

    /// The arguments for each row, in their order. The server chooses the order of ties, if that matters.
    pub(super) fn sorted_values(
        &mut self,
        aggregate: &Aggregate,
        members: &[usize],
        rows: &Wide,
        outer: Option<&Frame<'_>>,
        nulls: bool,
        matters: impl Fn(&Wide) -> bool,
    ) -> Result<Wide> {
        let mut texts = self.texts(aggregate, members, rows, outer, nulls)?;
        let ends = self.sort(&mut texts, &aggregate.keys);
        let mut shown: Wide =
            texts.into_iter().map(|mut row| row.split_off(aggregate.order.len())).collect();
        if matters(&shown) {
            self.settle_texts(&mut shown, &ends)?;
        }
        Ok(shown)
    }

    /// For each row: what it is sorted by, and the arguments. A row whose first argument is NULL may be left out.
    fn texts(
        &mut self,
        aggregate: &Aggregate,
        members: &[usize],
        rows: &Wide,
        outer: Option<&Frame<'_>>,
        nulls: bool,
    ) -> Result<Wide> {
        let mut known: FxHashMap<Vec<Value>, Vec<Value>> = FxHashMap::default();
        let mut texts = Vec::new();
        for member in members {
            let frame = Frame { row: &rows[*member], outer };
            if !self.admits(aggregate, &frame)? {
                continue;
            }
            let exprs = aggregate.order.iter().chain(&aggregate.args);
            let row = exprs.map(|one| self.eval(one, &frame)).collect::<Result<Vec<_>>>()?;
            let args = row[aggregate.order.len()..].to_vec();
            if args[0].is_null() && !nulls {
                continue;
            }
            if aggregate.distinct {
                let key = args.iter().map(|arg| self.canonical(arg, aggregate.collation));
                match known.insert(key.collect(), args.clone()) {
                    Some(before) if before == args => continue,
                    Some(_) => {
                        return unsupported("an aggregate of equal values that look different");
                    }
                    None => {}
                }
            }
            texts.push(row);
        }
        Ok(texts)
    }

    /// Lets the server choose the order of ties.
    fn settle_texts(&mut self, texts: &mut Wide, ends: &[usize]) -> Result<()> {
        let starts = std::iter::once(&0).chain(ends);
        let ties: Vec<_> = starts.zip(ends).map(|(start, end)| *start..*end).collect();
        let orders = ties.iter().map(|ties| orders_of(&texts[ties.clone()]));
        if orders.fold(1, usize::saturating_mul) > MOST_ORDERS {
            return unsupported("an aggregate that depends on the order of ties");
        }
        for range in ties {
            let mut left = texts[range.clone()].to_vec();
            for place in range {
                let mut different: Vec<usize> = Vec::new();
                for (index, one) in left.iter().enumerate() {
                    if !different.iter().any(|known| left[*known] == *one) {
                        different.push(index);
                    }
                }
                let choice = self.any_of(different.len());
                texts[place] = left.remove(different[choice]);
            }
        }
        Ok(())
    }
}
