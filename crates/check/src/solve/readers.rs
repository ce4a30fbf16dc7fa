//! Flat lists: what belongs to a unit, and who read which version.

use rustc_hash::FxHashMap;

use crate::ir::{Ir, Unit};

/// A list of numbers per owner, all in one vector.
#[derive(Debug, Default)]
pub struct Lists {
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Groups `(owner, item)` pairs by owner; items keep their order.
    pub fn group(owners: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0u32; owners + 1];
        for (owner, _) in pairs.clone() {
            first[owner as usize + 1] += 1;
        }
        for owner in 0..owners {
            first[owner + 1] += first[owner];
        }
        let mut next = first.clone();
        let mut items = vec![0; first[owners] as usize];
        for (owner, item) in pairs {
            let slot = &mut next[owner as usize];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Self { first, items }
    }

    /// The items of an owner.
    pub fn of(&self, owner: u32) -> &[u32] {
        &self.items[self.first[owner as usize] as usize..self.first[owner as usize + 1] as usize]
    }
}

/// Versions are numbered by order, then by writer; this maps both ways to readers.
#[derive(Debug)]
pub struct Readers {
    /// The number of each order's first version.
    first_version: Vec<u32>,
    early: Vec<(u32, u32)>,
    settled: Lists,
    late: FxHashMap<u32, Vec<u32>>,
    is_settled: bool,
}

impl Readers {
    /// No readers yet.
    pub fn new(ir: &Ir) -> Self {
        let mut first_version = vec![0];
        for order in &ir.orders {
            first_version.push(first_version[first_version.len() - 1] + order.writers.len() as u32);
        }
        Self {
            first_version,
            early: Vec::new(),
            settled: Lists::default(),
            late: FxHashMap::default(),
            is_settled: false,
        }
    }

    /// The number of the version a unit installed in an order.
    pub fn version(&self, ir: &Ir, order: u32, unit: Unit) -> u32 {
        let writers = &ir.orders[order as usize].writers;
        let position = writers.binary_search(&unit).expect("a source is a writer of its order");
        self.first_version[order as usize] + position as u32
    }

    /// A read comes from a unit's version.
    pub fn add(&mut self, ir: &Ir, order: u32, unit: Unit, read: u32) {
        let version = self.version(ir, order, unit);
        match self.is_settled {
            false => self.early.push((version, read)),
            true => self.late.entry(version).or_default().push(read),
        }
    }

    /// What was added so far is laid out flat; additions from now on are few.
    pub fn settle(&mut self) {
        let versions = self.first_version[self.first_version.len() - 1] as usize;
        self.settled = Lists::group(versions, self.early.drain(..).collect::<Vec<_>>().into_iter());
        self.is_settled = true;
    }

    /// How many reads come from a version.
    pub fn count(&self, version: u32) -> usize {
        self.settled.of(version).len() + self.late.get(&version).map_or(0, Vec::len)
    }

    /// One of the reads that come from a version.
    pub fn of(&self, version: u32, at: usize) -> u32 {
        let settled = self.settled.of(version);
        settled.get(at).copied().unwrap_or_else(|| self.late[&version][at - settled.len()])
    }
}
