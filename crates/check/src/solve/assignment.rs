//! A total assignment: a source for every read, an order for every key's versions.

use super::conflict::Literal;
use crate::ir::{Ir, Source, Unit};

/// One way to resolve every superposition.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Which units take effect.
    pub live: Vec<bool>,
    /// The source of every read of a live unit that has one; `None` for the others.
    pub sources: Vec<Option<Source>>,
    /// Per version order, the live writers, earliest version first.
    pub versions: Vec<Vec<Unit>>,
}

impl Assignment {
    /// Decides who takes effect: the sure ones, and whoever a live unit reads from. Reads of
    /// units that do not take effect lose their source.
    pub fn settle(ir: &Ir, mut sources: Vec<Option<Source>>) -> (Vec<bool>, Vec<Option<Source>>) {
        let mut live: Vec<bool> = ir.units.iter().map(|unit| unit.sure).collect();
        if live.iter().all(|&sure| sure) {
            return (live, sources);
        }
        let mut reads_of: Vec<Vec<u32>> = vec![Vec::new(); ir.units.len()];
        for (index, read) in ir.reads.iter().enumerate() {
            reads_of[read.unit as usize].push(index as u32);
        }
        let mut queue: Vec<Unit> = (0..live.len() as Unit).filter(|&u| live[u as usize]).collect();
        while let Some(reader) = queue.pop() {
            for &read in &reads_of[reader as usize] {
                let shown = match (&ir.reads[read as usize].shows, sources[read as usize]) {
                    (Some(listed), _) => listed.as_slice(),
                    (None, Some(Source::Unit(ref source))) => std::slice::from_ref(source),
                    _ => &[],
                };
                for &unit in shown {
                    if !std::mem::replace(&mut live[unit as usize], true) {
                        queue.push(unit);
                    }
                }
            }
        }
        for (read, source) in ir.reads.iter().zip(&mut sources) {
            if !live[read.unit as usize] {
                *source = None;
            }
        }
        (live, sources)
    }

    /// The position of every live unit's version in its order; `u32::MAX` for others.
    pub fn position(&self, order: u32, unit: Unit) -> Option<usize> {
        self.versions[order as usize].iter().position(|&writer| writer == unit)
    }

    /// Whether the assignment makes the literal true.
    pub fn satisfies(&self, literal: Literal) -> bool {
        match literal {
            Literal::Reads(read, source) => self.sources[read as usize] == Some(source),
            Literal::Before(order, first, second) => {
                match (self.position(order, first), self.position(order, second)) {
                    (Some(first), Some(second)) => first < second,
                    _ => false,
                }
            }
        }
    }
}
