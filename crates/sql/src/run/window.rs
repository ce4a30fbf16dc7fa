//! Window functions: one column for each, behind the rows that grouping leaves.
//!
//! The rows of a partition are sorted; rows with equal keys are peers. Functions that look at single rows
//! depend on the order of peers, which the server chooses. Few orders are all tried; if there are more, the
//! query is refused, but only if peers differ in something that the query uses.
//!
//! Layer `run`; knows aggregates and orders.

use rustc_hash::FxHashMap;

use crate::error::{ExecutionError, Result, unsupported};
use crate::plan::{Aggregate, Expr, FrameUnit, Window, WindowFunction, Windowing, may_fail};
use crate::value::Value;

use super::frame::Frame;
use super::source::Wide;
use super::state::Run;
use super::window_frame::{Partition, Place, Width};

/// How many orders of peers are tried.
pub(super) const MOST_ORDERS: usize = 24;

/// The partitions of windows with the same PARTITION BY and ORDER BY.
struct Arrangement<'w> {
    like: &'w Window,
    partitions: Vec<Partition>,
    /// Has the server chosen the order of peers?
    settled: bool,
}

/// The rows of a query and what is around it.
#[derive(Clone, Copy)]
struct Input<'i> {
    rows: &'i Wide,
    used: &'i [usize],
    outer: Option<&'i Frame<'i>>,
}

/// Aggregates over longer frames, which are computed for each row again, are refused.
const LONGEST_FRAME: usize = 4_000;

impl Run<'_> {
    /// The rows with the results of all window functions behind them.
    pub(super) fn windows(
        &mut self,
        windowing: &Windowing,
        rows: Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        let input = Input { rows: &rows, used: &windowing.used, outer };
        let columns = match self.window_columns(&windowing.windows, input) {
            // Which rows the server computes something for depends on its plan.
            Err(ExecutionError::Server(error)) => {
                return unsupported(format!("an error in a window function ({error})"));
            }
            columns => columns?,
        };
        let mut rows = rows;
        for column in columns {
            rows.iter_mut().zip(column).for_each(|(row, value)| row.push(value));
        }
        Ok(rows)
    }

    fn window_columns(&mut self, windows: &[Window], input: Input<'_>) -> Result<Wide> {
        let mut arranged: Vec<Arrangement<'_>> = Vec::new();
        let mut columns = Vec::new();
        for window in windows {
            let alike = |one: &Arrangement<'_>| one.like.sorts_like(window);
            let place = match arranged.iter().position(alike) {
                Some(place) => place,
                None => {
                    let partitions = self.partitions(window, input)?;
                    arranged.push(Arrangement { like: window, partitions, settled: false });
                    arranged.len() - 1
                }
            };
            let arrangement = &mut arranged[place];
            if !arrangement.settled && self.sees_ties(window, &arrangement.partitions, input)? {
                self.settle_ties(&mut arrangement.partitions, input)?;
                arrangement.settled = true;
            }
            self.compute_everywhere(window, input)?;
            columns.push(self.window_column(window, &arrangement.partitions, input)?);
        }
        Ok(columns)
    }

    /// MySQL computes what LEAD and the like show for all rows, even for those that no other row shows.
    fn compute_everywhere(&mut self, window: &Window, input: Input<'_>) -> Result<()> {
        if self.dialect.is_strictly_typed() {
            return Ok(());
        }
        let framed = match &window.function {
            WindowFunction::Aggregate(aggregate) => &aggregate.args[..],
            _ => &[],
        };
        for arg in window.args.iter().chain(framed).filter(|arg| may_fail(arg)) {
            for member in 0..input.rows.len() {
                self.at(arg, member, input)?;
            }
        }
        Ok(())
    }

    fn partitions(&mut self, window: &Window, input: Input<'_>) -> Result<Vec<Partition>> {
        let mut places: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
        let mut parts: Vec<Wide> = Vec::new();
        for (number, row) in input.rows.iter().enumerate() {
            let frame = Frame { row, outer: input.outer };
            let mut canonical = Vec::with_capacity(window.partition.len());
            for (key, collation) in &window.partition {
                let value = self.eval(key, &frame)?;
                canonical.push(self.canonical(&value, *collation));
            }
            let place = *places.entry(canonical).or_insert(parts.len());
            if place == parts.len() {
                parts.push(Vec::new());
            }
            // The number of the row stands behind the keys.
            let mut keys = Vec::with_capacity(window.order.len() + 1);
            for key in &window.order {
                keys.push(self.eval(key, &frame)?);
            }
            keys.push(Value::Int(i64::try_from(number).unwrap_or(i64::MAX)));
            parts[place].push(keys);
        }
        Ok(parts
            .into_iter()
            .map(|mut rows| {
                let ends = self.sort(&mut rows, &window.keys);
                let number = |row: &Vec<Value>| row.last().and_then(Value::as_integer);
                let members = rows.iter().filter_map(number);
                let members = members.filter_map(|one| usize::try_from(one).ok()).collect();
                let keys = rows.iter().filter_map(|row| row.first().cloned()).collect();
                Partition { members, ends, keys }
            })
            .collect())
    }

    /// Whether the order of peers can show in what a function gives.
    fn sees_ties(
        &mut self,
        window: &Window,
        partitions: &[Partition],
        input: Input<'_>,
    ) -> Result<bool> {
        use WindowFunction as F;
        let counts_rows = window.frame.unit == FrameUnit::Rows && !window.frame.is_whole();
        match window.function {
            F::Rank | F::DenseRank | F::PercentRank | F::CumeDist => Ok(false),
            F::RowNumber | F::Ntile | F::Lag | F::Lead => Ok(true),
            F::Aggregate(_) => Ok(counts_rows),
            F::FirstValue | F::LastValue | F::NthValue if counts_rows => Ok(true),
            F::FirstValue | F::LastValue | F::NthValue => {
                for partition in partitions {
                    for peers in partition.groups() {
                        let mut seen = Vec::new();
                        for member in peers {
                            seen.push(self.at(&window.args[0], *member, input)?);
                        }
                        if seen.windows(2).any(|pair| pair[0] != pair[1]) {
                            return Ok(true);
                        }
                    }
                }
                Ok(false)
            }
        }
    }

    /// Lets the server choose the order of peers.
    fn settle_ties(&mut self, partitions: &mut [Partition], input: Input<'_>) -> Result<()> {
        let shown = |member: usize| -> Vec<&Value> {
            input.used.iter().filter_map(|column| input.rows[member].get(*column)).collect()
        };
        let orders = partitions.iter().flat_map(Partition::groups).fold(1, |orders, peers| {
            let peers: Vec<_> = peers.iter().map(|member| shown(*member)).collect();
            usize::saturating_mul(orders, orders_of(&peers))
        });
        if orders > MOST_ORDERS {
            return unsupported("a window function that depends on the order of ties");
        }
        for partition in partitions {
            let mut start = 0;
            for end in &partition.ends {
                let mut left = partition.members[start..*end].to_vec();
                for place in start..*end {
                    let mut different: Vec<usize> = Vec::new();
                    for (index, member) in left.iter().enumerate() {
                        if !different.iter().any(|known| shown(left[*known]) == shown(*member)) {
                            different.push(index);
                        }
                    }
                    let choice = self.any_of(different.len());
                    partition.members[place] = left.remove(different[choice]);
                }
                start = *end;
            }
        }
        Ok(())
    }

    /// What a function gives for each row.
    fn window_column(
        &mut self,
        window: &Window,
        partitions: &[Partition],
        input: Input<'_>,
    ) -> Result<Vec<Value>> {
        let mut column = vec![Value::Null; input.rows.len()];
        let frame = self.frame_width(window, input.outer)?;
        for partition in partitions {
            let (mut start, mut last) = (0, None);
            for (groups, end) in partition.ends.iter().enumerate() {
                for at in start..*end {
                    let place = Place { partition, at, peers: (start, *end), groups };
                    let value = match &window.function {
                        WindowFunction::Aggregate(aggregate) if frame.has_holes() => {
                            let members = frame.members(place, frame.around(place)?);
                            self.aggregate(aggregate, &members, input.rows, input.outer)?
                        }
                        _ if frame.has_holes() => {
                            return unsupported("EXCLUDE in the window of such a function");
                        }
                        WindowFunction::Aggregate(aggregate) => {
                            let around = frame.around(place)?;
                            self.framed(aggregate, place, around, &mut last, input)?
                        }
                        _ => self.window_value(window, place, &frame, input)?,
                    };
                    column[partition.members[at]] = value;
                }
                start = *end;
            }
        }
        Ok(column)
    }

    /// An aggregate over a frame, which is often the frame of the row before.
    fn framed(
        &mut self,
        aggregate: &Aggregate,
        place: Place<'_>,
        (from, to): (usize, usize),
        last: &mut Option<((usize, usize), Value)>,
        input: Input<'_>,
    ) -> Result<Value> {
        if let Some((frame, value)) = last
            && *frame == (from, to)
        {
            return Ok(value.clone());
        }
        let members = &place.partition.members[from..to];
        let whole = members.len() == place.partition.members.len();
        if members.len() > LONGEST_FRAME && !whole {
            return unsupported("an aggregate over a frame of this many rows");
        }
        let value = self.aggregate(aggregate, members, input.rows, input.outer)?;
        *last = Some(((from, to), value.clone()));
        Ok(value)
    }

    fn window_value(
        &mut self,
        window: &Window,
        place: Place<'_>,
        frame: &Width,
        input: Input<'_>,
    ) -> Result<Value> {
        use WindowFunction as F;
        let total = place.partition.members.len();
        let (first, end) = place.peers;
        let (from, to) = frame.around(place)?;
        match window.function {
            F::RowNumber => Ok(whole(place.at + 1)),
            F::Rank => Ok(whole(first + 1)),
            F::DenseRank => Ok(whole(place.groups + 1)),
            F::PercentRank if total <= 1 => Ok(Value::Double(0.0)),
            F::PercentRank => self.with_ten_digits(ratio(first, total - 1)),
            F::CumeDist => self.with_ten_digits(ratio(end, total)),
            F::Ntile => self.ntile(window, place, input),
            F::Lag | F::Lead => self.neighbour(window, place, input),
            F::FirstValue => self.nth(window, place, (from, to), Some(from), input),
            F::LastValue => self.nth(window, place, (from, to), to.checked_sub(1), input),
            F::NthValue => {
                let number = self.here(&window.args[1], place, input)?;
                let nth = match number.as_integer() {
                    None => return Ok(Value::Null),
                    Some(number) if number > 0 => usize::try_from(number - 1).ok(),
                    Some(_) => {
                        return unsupported("nth_value() with a number that is not positive");
                    }
                };
                let nth = nth.and_then(|nth| from.checked_add(nth));
                self.nth(window, place, (from, to), nth, input)
            }
            F::Aggregate(_) => unsupported("an aggregate here"),
        }
    }

    /// The value at a place, if that is in the frame.
    fn nth(
        &mut self,
        window: &Window,
        place: Place<'_>,
        (from, to): (usize, usize),
        nth: Option<usize>,
        input: Input<'_>,
    ) -> Result<Value> {
        match nth.filter(|nth| (from..to).contains(nth)) {
            Some(nth) => self.at(&window.args[0], place.partition.members[nth], input),
            None => Ok(Value::Null),
        }
    }

    fn neighbour(&mut self, window: &Window, place: Place<'_>, input: Input<'_>) -> Result<Value> {
        let distance = match window.args.get(1) {
            None => 1,
            Some(distance) => match self.here(distance, place, input)?.as_integer() {
                Some(distance) if distance < 0 && !self.dialect.is_strictly_typed() => {
                    return unsupported("lag() or lead() with a negative number");
                }
                Some(distance) => distance,
                None if self.dialect.is_strictly_typed() => return Ok(Value::Null),
                None => return unsupported("lag() or lead() with NULL"),
            },
        };
        let at = i128::try_from(place.at).unwrap_or(i128::MAX);
        let back = window.function == WindowFunction::Lag;
        let wanted = if back { at.checked_sub(distance) } else { at.checked_add(distance) };
        let wanted = wanted.and_then(|wanted| usize::try_from(wanted).ok());
        match (wanted.and_then(|wanted| place.partition.members.get(wanted)), window.args.get(2)) {
            (Some(member), _) => self.at(&window.args[0], *member, input),
            (None, Some(otherwise)) => self.here(otherwise, place, input),
            (None, None) => Ok(Value::Null),
        }
    }

    fn with_ten_digits(&self, ratio: Value) -> Result<Value> {
        match self.dialect.is_strictly_typed() || has_ten_digits(&ratio) {
            true => Ok(ratio),
            false => unsupported("a ratio with more digits than are shown"),
        }
    }

    fn ntile(&mut self, window: &Window, place: Place<'_>, input: Input<'_>) -> Result<Value> {
        let buckets = match self.here(&window.args[0], place, input)?.as_integer() {
            None if self.dialect.is_strictly_typed() => return Ok(Value::Null),
            Some(buckets) if buckets > 0 => usize::try_from(buckets).unwrap_or(usize::MAX),
            _ => return unsupported("ntile() with a number that is not positive"),
        };
        let total = place.partition.members.len();
        // The first buckets have one row more.
        let (size, larger) = (total / buckets, total % buckets);
        let in_larger = larger * (size + 1);
        Ok(whole(match place.at.checked_sub(in_larger) {
            None => place.at / (size + 1) + 1,
            Some(behind) => larger + behind / size + 1,
        }))
    }

    /// An expression at the current row.
    fn here(&mut self, expr: &Expr, place: Place<'_>, input: Input<'_>) -> Result<Value> {
        self.at(expr, place.partition.members[place.at], input)
    }

    fn at(&mut self, expr: &Expr, member: usize, input: Input<'_>) -> Result<Value> {
        self.eval(expr, &Frame { row: &input.rows[member], outer: input.outer })
    }
}

/// In how many orders peers can come that look different.
pub(super) fn orders_of<T: PartialEq>(peers: &[T]) -> usize {
    let mut orders: usize = 1;
    for (index, one) in peers.iter().enumerate() {
        let same = peers[..=index].iter().filter(|other| *other == one).count();
        orders = orders.saturating_mul(index + 1) / same;
        if orders > MOST_ORDERS * 1000 {
            return usize::MAX;
        }
    }
    orders
}

fn whole(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// MariaDB shows ten digits behind the point of a ratio; one that has more is not known to the client.
fn has_ten_digits(value: &Value) -> bool {
    match value {
        Value::Double(ratio) => format!("{ratio:.10}").parse() == Ok(*ratio),
        _ => true,
    }
}

#[allow(clippy::cast_precision_loss, reason = "the server divides doubles, too")]
fn ratio(part: usize, total: usize) -> Value {
    Value::Double(part as f64 / total as f64)
}
