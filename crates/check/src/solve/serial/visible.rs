//! Which versions each read may see: its possible sources, without those that saturation excluded.

use super::super::context::Context;
use super::super::flat_lists::FlatLists;
use super::super::versions::{VersionId, Versions};
use crate::ir::{Ir, OrderId, ReadId, Source, Unit};

/// The class of a read without a possible source.
const NOTHING: u32 = u32::MAX;

/// What reads may see. Initial versions have numbers after all others, by order.
#[derive(Debug)]
pub(super) struct Visible<'a> {
    context: &'a Context<'a>,
    /// Versions that no read tells apart, as far as its possible sources go, have the same number.
    classes: Vec<u32>,
    /// The class that each read saw.
    seen: Vec<u32>,
    /// Per read, whether all others of that class are possible sources, as far as is known.
    is_whole: Vec<bool>,
    /// Who wrote each version.
    writers: Vec<Source>,
    /// The reads of each unit.
    reads_of: FlatLists<Unit, ReadId>,
}

impl<'a> Visible<'a> {
    /// What the reads of a problem may see.
    pub(super) fn new(context: &'a Context<'a>) -> Self {
        let Context { ir, versions, .. } = *context;
        let (classes, seen) = classes(ir, versions);
        let mut writers = vec![Source::Initial; classes.len()];
        for unit in Unit::all(ir.units.len()) {
            for written in versions.of_unit(unit) {
                writers[written.version.index()] = Source::Unit(unit);
            }
        }
        let reads = ReadId::enumerate(&ir.reads).map(|(id, read)| (read.unit, id));
        let reads_of = FlatLists::group(ir.units.len(), reads);
        let is_whole = whole(context, &classes, &seen);
        Self { context, classes, seen, is_whole, writers, reads_of }
    }

    /// The number of all versions.
    pub(super) fn versions(&self) -> usize {
        self.classes.len()
    }

    /// The version of an order at the start.
    pub(super) fn initial(&self, order: OrderId) -> VersionId {
        initial(self.context.versions, order)
    }

    /// Who wrote a version.
    pub(super) fn writer(&self, version: VersionId) -> Source {
        self.writers[version.index()]
    }

    /// Versions that no read tells apart have the same number.
    pub(super) fn class(&self, version: VersionId) -> u32 {
        self.classes[version.index()]
    }

    /// The number of the versions that a read may see.
    pub(super) fn class_seen(&self, read: ReadId) -> u32 {
        self.seen[read.index()]
    }

    /// The reads of a unit.
    pub(super) fn reads_of(&self, unit: Unit) -> &[ReadId] {
        self.reads_of.of(unit)
    }

    /// The order that a read looks at.
    pub(super) fn order(&self, read: ReadId) -> OrderId {
        self.context.ir.reads[read.index()].order
    }

    /// Whether a read may see another unit's version of its order.
    pub(super) fn sees(&self, read: ReadId, version: VersionId) -> bool {
        if self.seen[read.index()] != self.classes[version.index()] {
            return false;
        }
        let source = self.writers[version.index()];
        let sources = &self.context.ir.reads[read.index()].sources;
        self.is_whole[read.index()]
            || sources.binary_search(&source).is_ok() && self.is_open(read, source)
    }

    /// Whether saturation has left this source to the read.
    fn is_open(&self, read: ReadId, source: Source) -> bool {
        let Some(known) = self.context.saturated else { return true };
        match known.fixed[read.index()] {
            Some(fixed) => fixed == source,
            None => !known.excluded.contain(self.context.ir, read, source),
        }
    }

    /// Per version, the reads that may see it.
    pub(super) fn readers(&self) -> FlatLists<VersionId, ReadId> {
        let reads = ReadId::enumerate(&self.context.ir.reads);
        let pairs = reads.flat_map(|(id, read)| {
            let open = read.sources.iter().filter(move |&&source| self.is_open(id, source));
            open.map(move |&source| (version(self.context.versions, read.order, source), id))
        });
        FlatLists::group(self.versions(), pairs)
    }
}

/// Per read, whether every version of the class that it saw is a possible source, its own apart, and
/// saturation excluded none.
fn whole(context: &Context<'_>, classes: &[u32], seen: &[u32]) -> Vec<bool> {
    let Context { ir, versions, saturated, .. } = *context;
    let mut sizes = vec![0; classes.len()];
    classes.iter().for_each(|&class| sizes[class as usize] += 1);
    let mut is_whole: Vec<bool> = ir
        .reads
        .iter()
        .zip(seen)
        .map(|(read, &class)| {
            let written = versions.of_unit(read.unit).iter();
            let mut written = written.filter(|written| written.order == read.order);
            let own = written.any(|written| classes[written.version.index()] == class);
            class != NOTHING && read.sources.len() + usize::from(own) == sizes[class as usize]
        })
        .collect();
    if let Some(known) = saturated {
        ReadId::all(seen.len())
            .filter(|&read| known.excluded.concern(read))
            .for_each(|read| is_whole[read.index()] = false);
        let fixed = ReadId::enumerate(&known.fixed).filter(|(_, fixed)| fixed.is_some());
        fixed.for_each(|(read, _)| is_whole[read.index()] = false);
    }
    is_whole
}

fn initial(versions: &Versions, order: OrderId) -> VersionId {
    VersionId::new(versions.count() + order.index())
}

fn version(versions: &Versions, order: OrderId, source: Source) -> VersionId {
    match source {
        Source::Initial => initial(versions, order),
        Source::Unit(unit) => versions.of(order, unit),
    }
}

/// The class of every version, and the one that each read saw. Possible sources of one read hold the
/// same value, so they are in one class.
fn classes(ir: &Ir, versions: &Versions) -> (Vec<u32>, Vec<u32>) {
    let mut parents: Vec<u32> = (0..(versions.count() + ir.orders.len()) as u32).collect();
    let mut seen = vec![NOTHING; ir.reads.len()];
    for (id, read) in ReadId::enumerate(&ir.reads) {
        let number = |&source: &Source| version(versions, read.order, source).0;
        let mut sources = read.sources.iter().map(number);
        let Some(first) = sources.next() else { continue };
        seen[id.index()] = first;
        sources.for_each(|other| join(&mut parents, first, other));
    }
    let classes: Vec<u32> = (0..parents.len() as u32).map(|one| root(&mut parents, one)).collect();
    let class = |version: u32| if version == NOTHING { NOTHING } else { classes[version as usize] };
    let seen = seen.into_iter().map(class).collect();
    (classes, seen)
}

fn root(parents: &mut [u32], mut one: u32) -> u32 {
    while parents[one as usize] != one {
        let above = parents[parents[one as usize] as usize];
        parents[one as usize] = above;
        one = above;
    }
    one
}

fn join(parents: &mut [u32], one: u32, other: u32) {
    let (one, other) = (root(parents, one), root(parents, other));
    parents[one.max(other) as usize] = one.min(other);
}
