//! Frames of window functions: which rows of a partition a row sees.
//!
//! ROWS counts rows, GROUPS counts groups of peers, and RANGE measures how far keys are apart.
//!
//! Layer `run`; knows partitions that are sorted.

use crate::error::{Result, unsupported};
use crate::plan::{FrameBound, FrameExclusion, FrameUnit, Window};
use crate::value::{Collation, Decimal, Interval, Value, add_interval};

use super::frame::Frame;
use super::state::Run;

/// Rows by their numbers, in order, and where each group of peers ends.
pub(super) struct Partition {
    pub(super) members: Vec<usize>,
    pub(super) ends: Vec<usize>,
    /// The first key of each row.
    pub(super) keys: Vec<Value>,
}

/// A row of a partition.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    pub(super) partition: &'p Partition,
    /// The number of the row in the order of the partition.
    pub(super) at: usize,
    /// Its peers, itself among them.
    pub(super) peers: (usize, usize),
    /// How many groups of peers are in front.
    pub(super) groups: usize,
}

/// A frame whose bounds are known.
pub(super) struct Width {
    unit: FrameUnit,
    start: Side,
    end: Side,
    exclusion: FrameExclusion,
    descending: bool,
}

/// One end of a frame, seen from the current row.
enum Side {
    /// The end of the partition.
    Unbounded,
    /// So many rows or groups away; nothing away is the current row, or its peers.
    Away(i128),
    /// As far away as this, before or behind.
    Apart { by: Value, behind: bool },
}

impl Run<'_> {
    pub(super) fn frame_width(
        &mut self,
        window: &Window,
        outer: Option<&Frame<'_>>,
    ) -> Result<Width> {
        let frame = &window.frame;
        let mut side = |bound: &FrameBound| {
            let (expr, behind) = match bound {
                FrameBound::Unbounded => return Ok(Side::Unbounded),
                FrameBound::Current => return Ok(Side::Away(0)),
                FrameBound::Preceding(expr) => (expr, false),
                FrameBound::Following(expr) => (expr, true),
            };
            let by = self.eval(expr, &Frame { row: &[], outer })?;
            if frame.unit == FrameUnit::Range {
                return match is_negative(&by) {
                    Some(false) => Ok(Side::Apart { by, behind }),
                    _ => unsupported("a frame whose size is NULL or negative"),
                };
            }
            match by.as_integer().filter(|number| (0..1 << 40).contains(number)) {
                Some(number) => Ok(Side::Away(if behind { number } else { -number })),
                None => unsupported("a frame whose size is NULL, negative or huge"),
            }
        };
        let (start, end) = (side(&frame.start)?, side(&frame.end)?);
        let descending = window.keys.first().is_some_and(|key| key.descending);
        Ok(Width { unit: frame.unit, start, end, exclusion: frame.exclusion, descending })
    }
}

fn is_negative(by: &Value) -> Option<bool> {
    match by {
        Value::Interval(span) => Some(span.length() < 0),
        other => other.as_decimal().map(|number| number.sign() < 0),
    }
}

impl Width {
    /// Whether some rows between the bounds do not belong to the frame.
    pub(super) fn has_holes(&self) -> bool {
        self.exclusion != FrameExclusion::None
    }

    /// The first row of the frame, and the one behind its last.
    pub(super) fn around(&self, place: Place<'_>) -> Result<(usize, usize)> {
        let total = place.partition.members.len();
        let start = match &self.start {
            Side::Unbounded => 0,
            Side::Apart { by, behind } => self.edge(place, by, *behind, true)?,
            Side::Away(by) => match self.unit {
                FrameUnit::Rows => moved(place.at, *by, total),
                FrameUnit::Range => place.peers.0,
                FrameUnit::Groups => match group(place, *by) {
                    Some(group) => place.partition.group_start(group),
                    None if *by < 0 => 0,
                    None => total,
                },
            },
        };
        let end = match &self.end {
            Side::Unbounded => total,
            Side::Apart { by, behind } => self.edge(place, by, *behind, false)?,
            Side::Away(by) => match self.unit {
                FrameUnit::Rows => moved(place.at + 1, *by, total),
                FrameUnit::Range => place.peers.1,
                FrameUnit::Groups => match group(place, *by) {
                    Some(group) => place.partition.ends.get(group).copied().unwrap_or(total),
                    None if *by < 0 => 0,
                    None => total,
                },
            },
        };
        Ok((start.min(end), end))
    }

    /// The rows of the frame, without those that are excluded.
    pub(super) fn members(&self, place: Place<'_>, (from, to): (usize, usize)) -> Vec<usize> {
        let (first, behind) = place.peers;
        let kept = |at: &usize| match self.exclusion {
            FrameExclusion::None => true,
            FrameExclusion::Current => *at != place.at,
            FrameExclusion::Group => !(first..behind).contains(at),
            FrameExclusion::Ties => *at == place.at || !(first..behind).contains(at),
        };
        (from..to).filter(kept).map(|at| place.partition.members[at]).collect()
    }

    /// Where a frame begins whose first key may be this far from the current one, or ends whose last may be.
    fn edge(&self, place: Place<'_>, by: &Value, behind: bool, start: bool) -> Result<usize> {
        let keys = &place.partition.keys;
        if keys.iter().any(Value::is_null) {
            return unsupported("RANGE with an offset and keys that are NULL");
        }
        let Some(limit) = apart(&keys[place.at], by, behind != self.descending) else {
            return unsupported("RANGE with an offset of this type");
        };
        let order = |key: &Value| {
            let order = key.compare(&limit, Collation::Bytes);
            order.map(|order| if self.descending { order.reverse() } else { order })
        };
        if keys.iter().any(|key| order(key).is_none()) {
            return unsupported("RANGE with an offset of this type");
        }
        Ok(keys.partition_point(|key| match order(key) {
            Some(order) if start => order.is_lt(),
            Some(order) => order.is_le(),
            None => false,
        }))
    }
}

/// A key plus or minus an offset.
fn apart(key: &Value, by: &Value, plus: bool) -> Option<Value> {
    match (key, by) {
        (Value::Int(_) | Value::Decimal(_), _) => {
            let (key, by): (Decimal, Decimal) = (key.as_decimal()?, by.as_decimal()?);
            Some(Value::Decimal(if plus { key.add(&by) } else { key.sub(&by) }))
        }
        (_, Value::Interval(span)) => {
            let span: Interval = if plus { *span } else { span.negative()? };
            let moved =
                |micros| add_interval(micros, span.months.into(), span.days.into(), span.micros);
            match key {
                Value::Date(day) => moved(i64::from(*day) * 86_400_000_000).map(Value::Timestamp),
                Value::Timestamp(micros) => moved(*micros).map(Value::Timestamp),
                Value::Instant(micros) => moved(*micros).map(Value::Instant),
                _ => None,
            }
        }
        _ => None,
    }
}

fn moved(from: usize, by: i128, total: usize) -> usize {
    let to = i128::try_from(from).unwrap_or(i128::MAX).saturating_add(by);
    usize::try_from(to.max(0)).unwrap_or(usize::MAX).min(total)
}

/// The group that is so many groups away, if there is one.
fn group(place: Place<'_>, by: i128) -> Option<usize> {
    let group = i128::try_from(place.groups).ok()?.checked_add(by)?;
    usize::try_from(group).ok().filter(|group| *group < place.partition.ends.len())
}

impl Partition {
    /// Its groups of peers.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.members[*start..*end])
    }

    fn group_start(&self, group: usize) -> usize {
        group.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0)
    }
}
