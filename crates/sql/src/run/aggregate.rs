//! GROUP BY and aggregates.
//!
//! Layer `run`; works on rows that FROM and WHERE have left.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::plan::{Aggregate, AggregateFunction, Grouping};
use crate::types::Type;
use crate::value::{Asked, Decimal, Interval, Value};

use super::collect::statistic;
use super::frame::Frame;
use super::source::Wide;
use super::state::{Decision, Run};

/// The rows of one group, by their numbers.
#[derive(Default)]
struct Group {
    keys: Vec<Vec<Value>>,
    members: Vec<usize>,
}

impl Run<'_> {
    /// One row per group: keys, aggregates, and the columns of one of its rows that are shown.
    pub(super) fn groups(
        &mut self,
        grouping: &Grouping,
        rows: Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        self.prepare_distinct(grouping, &rows, outer)?;
        let groups = self.split(grouping, &rows, outer)?;
        let mut result = Vec::with_capacity(groups.len());
        for mut group in groups {
            let mut row = match group.keys.len() {
                0 => Vec::new(),
                several => group.keys.swap_remove(self.any_of(several)),
            };
            let aggregates = grouping.aggregates.iter();
            let values = aggregates
                .map(|aggregate| self.aggregate(aggregate, &group.members, &rows, outer))
                .collect::<Result<Vec<_>>>();
            let Some(values) = self.forgive(values)? else { continue };
            row.extend(values);
            if !grouping.shown.is_empty() {
                row.extend(self.shown(&grouping.shown, &group.members, &rows));
            }
            result.push(row);
        }
        Ok(result)
    }

    /// Before it reads anything, MySQL may look at what has no columns in an aggregate with DISTINCT. An
    /// error there shows without any rows, or does not, by the plan.
    fn prepare_distinct(
        &mut self,
        grouping: &Grouping,
        rows: &Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<()> {
        if self.dialect.folds_constants() || !rows.is_empty() {
            return Ok(());
        }
        for aggregate in grouping.aggregates.iter().filter(|aggregate| aggregate.distinct) {
            for arg in &aggregate.args {
                if let Err(ExecutionError::Server(error)) =
                    self.eval(arg, &Frame { row: &[], outer })
                    && self.choices.choose(2) == 0
                {
                    return Err(ExecutionError::Server(error));
                }
            }
        }
        Ok(())
    }

    fn split(
        &mut self,
        grouping: &Grouping,
        rows: &Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Vec<Group>> {
        if let Some(sets) = &grouping.sets {
            return self.split_by_sets(grouping, sets, rows, outer);
        }
        if grouping.keys.is_empty() {
            return Ok(vec![Group { keys: Vec::new(), members: (0..rows.len()).collect() }]);
        }
        let mut places: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
        let mut groups: Vec<Group> = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let frame = Frame { row, outer };
            let mut key = Vec::with_capacity(grouping.keys.len());
            let mut canonical = Vec::with_capacity(grouping.keys.len());
            for (expr, collation) in &grouping.keys {
                let value = self.eval(expr, &frame)?;
                canonical.push(self.canonical(&value, *collation));
                key.push(value);
            }
            let place = *places.entry(canonical).or_insert_with(|| {
                groups.push(Group::default());
                groups.len() - 1
            });
            groups[place].members.push(number);
            if !groups[place].keys.contains(&key) {
                groups[place].keys.push(key);
            }
        }
        Ok(groups)
    }

    /// The groups of several sets of keys. Keys that are not in a set are NULL; the last key says which.
    fn split_by_sets(
        &mut self,
        grouping: &Grouping,
        sets: &[Vec<usize>],
        rows: &Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Vec<Group>> {
        let keys = &grouping.keys[..grouping.keys.len() - 1];
        let mut values = Vec::with_capacity(rows.len());
        for row in rows {
            let frame = Frame { row, outer };
            values.push(
                keys.iter().map(|(key, _)| self.eval(key, &frame)).collect::<Result<Vec<_>>>()?,
            );
        }
        let mut groups: Vec<Group> = Vec::new();
        // MariaDB shows no sum of no rows, unlike PostgreSQL.
        if rows.is_empty() && !self.dialect.is_strictly_typed() {
            return Ok(groups);
        }
        for set in sets {
            let out = (0..keys.len()).filter(|key| !set.contains(key));
            let left_out = Value::Int(out.fold(0, |bits, key| bits | 1_i64 << key));
            let mut places: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
            if set.is_empty() {
                let nulls = vec![Value::Null; keys.len()];
                let keys = vec![[nulls, vec![left_out.clone()]].concat()];
                groups.push(Group { keys, members: Vec::new() });
                places.insert(Vec::new(), groups.len() - 1);
            }
            for (number, row) in values.iter().enumerate() {
                let canonical =
                    set.iter().map(|key| self.canonical(&row[*key], keys[*key].1)).collect();
                let place = *places.entry(canonical).or_insert_with(|| {
                    groups.push(Group::default());
                    groups.len() - 1
                });
                let value = |key: usize| match set.contains(&key) {
                    true => row[key].clone(),
                    false => Value::Null,
                };
                let key: Vec<Value> =
                    (0..keys.len()).map(value).chain([left_out.clone()]).collect();
                groups[place].members.push(number);
                if !groups[place].keys.contains(&key) {
                    groups[place].keys.push(key);
                }
            }
        }
        Ok(groups)
    }

    /// Columns of any one row of the group.
    fn shown(&mut self, columns: &[usize], members: &[usize], rows: &Wide) -> Vec<Value> {
        let mut variants: Wide = Vec::new();
        for member in members {
            let shown: Vec<Value> =
                columns.iter().map(|column| rows[*member][*column].clone()).collect();
            if !variants.contains(&shown) {
                variants.push(shown);
            }
        }
        match variants.len() {
            0 => vec![Value::Null; columns.len()],
            several => variants.swap_remove(self.any_of(several)),
        }
    }

    /// Whether the FILTER of an aggregate lets a row in.
    pub(super) fn admits(&mut self, aggregate: &Aggregate, frame: &Frame<'_>) -> Result<bool> {
        match &aggregate.filter {
            Some(filter) => Ok(self.truth(filter, frame)? == Some(true)),
            None => Ok(true),
        }
    }

    pub(super) fn aggregate(
        &mut self,
        aggregate: &Aggregate,
        members: &[usize],
        rows: &Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Value> {
        if aggregate.function == AggregateFunction::StringAgg {
            return self.string_agg(aggregate, members, rows, outer);
        }
        match aggregate.function {
            AggregateFunction::Collect(what) => {
                return self.collect(what, aggregate, members, rows, outer);
            }
            AggregateFunction::OrderedSet(what) => {
                return self.ordered_set(what, aggregate, members, rows, outer);
            }
            _ => {}
        }
        let mut values = Vec::new();
        let mut seen = FxHashSet::default();
        for member in members {
            let frame = Frame { row: &rows[*member], outer };
            if !self.admits(aggregate, &frame)? {
                continue;
            }
            let mut args = Vec::with_capacity(1);
            for arg in &aggregate.args {
                match self.eval(arg, &frame) {
                    // Any value that is not NULL does.
                    Err(ExecutionError::Server(_)) if self.only_counts(aggregate) => {
                        args.push(Value::Int(1));
                    }
                    value => args.push(value?),
                }
            }
            if args.iter().any(Value::is_null) {
                continue;
            }
            let collation = aggregate.collation;
            if aggregate.distinct {
                let key = args.iter().map(|arg| self.canonical(arg, collation));
                if !seen.insert(key.collect::<Vec<_>>()) {
                    continue;
                }
            }
            values.push(args.into_iter().next().unwrap_or(Value::Int(1)));
        }
        match aggregate.function {
            AggregateFunction::Count => {
                Ok(Value::Int(i64::try_from(values.len()).unwrap_or(i64::MAX)))
            }
            _ if values.is_empty() => Ok(Value::Null),
            AggregateFunction::Min => self.extreme_of(aggregate, values, Ordering::Less),
            AggregateFunction::Max => self.extreme_of(aggregate, values, Ordering::Greater),
            AggregateFunction::Sum => sum(aggregate.result, &values),
            AggregateFunction::Avg => self.average(aggregate, &values),
            AggregateFunction::BoolAnd => {
                Ok(Value::Bool(values.iter().all(|value| *value == Value::Bool(true))))
            }
            AggregateFunction::Statistic(what) => statistic(what, &values),
            AggregateFunction::StringAgg
            | AggregateFunction::Collect(_)
            | AggregateFunction::OrderedSet(_) => unsupported("this aggregate here"),
            AggregateFunction::BoolOr => Ok(Value::Bool(values.contains(&Value::Bool(true)))),
        }
    }

    /// Whether the server counts what cannot be NULL without computing it, as MySQL may do.
    fn only_counts(&mut self, aggregate: &Aggregate) -> bool {
        if aggregate.function != AggregateFunction::Count
            || aggregate.distinct
            || self.dialect.folds_constants()
        {
            return false;
        }
        self.decide(Decision::CountsOnly(aggregate.id))
    }

    /// Of values that are equal but look different, any.
    fn extreme_of(
        &mut self,
        aggregate: &Aggregate,
        values: Vec<Value>,
        wanted: Ordering,
    ) -> Result<Value> {
        let mut best: Vec<Value> = Vec::new();
        for value in values {
            let order = match best.first() {
                None => Some(wanted),
                Some(best) => self.compare(Asked::Order, &value, best, aggregate.collation)?,
            };
            match order {
                Some(Ordering::Equal) if !best.contains(&value) => best.push(value),
                Some(Ordering::Equal) => {}
                Some(order) if order == wanted => best = vec![value],
                Some(_) => {}
                None => return unsupported("an order of these values"),
            }
        }
        let choice = self.any_of(best.len());
        Ok(best.swap_remove(choice))
    }

    fn average(&self, aggregate: &Aggregate, values: &[Value]) -> Result<Value> {
        let count = i128::try_from(values.len()).unwrap_or(i128::MAX);
        if aggregate.result == Type::Double {
            let Value::Double(total) = sum(Type::Double, values)? else { return Ok(Value::Null) };
            #[allow(clippy::cast_precision_loss, reason = "the server divides doubles, too")]
            return Ok(Value::Double(total / count as f64));
        }
        let Value::Decimal(total) = sum(Type::NUMERIC, values)? else { return Ok(Value::Null) };
        let count = Decimal::from_integer(count);
        Ok(Value::Decimal(match aggregate.result {
            Type::Decimal(Some(_)) => total.divide_in_groups(&count, 4),
            _ => total.divide_significantly(&count),
        }))
    }
}

fn sum(result: Type, values: &[Value]) -> Result<Value> {
    match result {
        Type::Real | Type::Double => {
            let mut total = 0.0;
            for value in values {
                total += value.to_f64().unwrap_or(0.0);
                if result == Type::Real {
                    #[allow(clippy::cast_possible_truncation, reason = "single precision")]
                    let single = total as f32;
                    total = f64::from(single);
                }
            }
            Ok(Value::Double(total))
        }
        Type::Interval => sum_of_intervals(values),
        Type::Int(int) => {
            let total: i128 = values.iter().filter_map(Value::as_integer).sum();
            let (low, high) = int.range();
            match Some(total)
                .filter(|total| (low..=high).contains(total))
                .and_then(Value::from_integer)
            {
                Some(value) => Ok(value),
                None => fail(ErrorClass::OutOfRange, "a sum that is too large"),
            }
        }
        _ => {
            let mut total = Decimal::from_integer(0);
            for value in values {
                match value.as_decimal() {
                    Some(decimal) => total = total.add(&decimal),
                    None => return unsupported("a sum of values that are not numbers"),
                }
            }
            Ok(Value::Decimal(total))
        }
    }
}

fn sum_of_intervals(values: &[Value]) -> Result<Value> {
    let mut total = Interval::default();
    for value in values {
        let Value::Interval(one) = value else { return unsupported("a sum of these values") };
        match total.plus(one) {
            Some(sum) => total = sum,
            None => return unsupported("a sum of intervals that is too large"),
        }
    }
    Ok(Value::Interval(total))
}
