//! Which reads show that a unit of unknown outcome took effect.
//!
//! A committed reader with one possible source shows that this source took effect, and a list shows
//! it of every transaction in it; what took effect shows the same of its own sources, and so on.
//!
//! ```text
//!   committed ──reads from── unknown ──reads from── unknown
//!      sure                   shown                  shown
//! ```

use std::collections::VecDeque;

use super::{Ir, ReadId, Source, Unit};

/// Per unit, the read that shows that it took effect; `None` for committed units, and for units of
/// which nothing shows it. Following the readers leads to a committed one.
pub(crate) fn supports(ir: &Ir) -> Vec<Option<ReadId>> {
    let mut support = vec![None; ir.units.len()];
    if !ir.units.iter().any(|unit| unit.unknown) {
        return support;
    }
    let mut reads_of: Vec<Vec<ReadId>> = vec![Vec::new(); ir.units.len()];
    for (id, read) in ReadId::enumerate(&ir.reads) {
        reads_of[read.unit.index()].push(id);
    }
    let mut sure: Vec<bool> = ir.units.iter().map(|unit| !unit.unknown).collect();
    let committed = |unit: &Unit| sure[unit.index()];
    let mut queue: VecDeque<Unit> = Unit::all(ir.units.len()).filter(committed).collect();
    while let Some(reader) = queue.pop_front() {
        for &id in &reads_of[reader.index()] {
            let read = &ir.reads[id.index()];
            let only = match read.sources.iter().as_slice() {
                [Source::Unit(only)] => Some(*only),
                _ => None,
            };
            for unit in read.shows().unwrap_or_default().iter().copied().chain(only) {
                if !std::mem::replace(&mut sure[unit.index()], true) {
                    support[unit.index()] = Some(id);
                    queue.push_back(unit);
                }
            }
        }
    }
    support
}

/// Adds the readers that show of these units that they took effect.
pub(crate) fn add_supporters(ir: &Ir, units: &mut std::collections::BTreeSet<Unit>) {
    let shown = |unit: &Unit| ir.units[unit.index()].unknown && ir.units[unit.index()].sure;
    let mut open: Vec<Unit> = units.iter().copied().filter(shown).collect();
    if open.is_empty() {
        return;
    }
    let support = supports(ir);
    while let Some(unit) = open.pop() {
        let Some(read) = support[unit.index()] else { continue };
        let reader = ir.reads[read.index()].unit;
        if units.insert(reader) && shown(&reader) {
            open.push(reader);
        }
    }
}

/// Says of units of unknown outcome that they surely took effect only if a read of the problem shows
/// it.
pub(super) fn settle(ir: &mut Ir) {
    let support = supports(ir);
    for (unit, support) in ir.units.iter_mut().zip(support) {
        unit.sure &= !unit.unknown || support.is_some();
    }
}
