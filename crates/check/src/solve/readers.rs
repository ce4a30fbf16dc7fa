//! Flat lists: what belongs to a unit, and who read which version.

use rustc_hash::FxHashMap;

use super::versions::Versions;

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

    /// The items of all owners.
    pub fn all(&self) -> &[u32] {
        &self.items
    }

    /// The items of an owner; none if nothing was grouped.
    pub fn of(&self, owner: u32) -> &[u32] {
        match self.first.get(owner as usize..owner as usize + 2) {
            Some(&[start, end]) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Who reads which version.
#[derive(Debug, Default)]
pub struct Readers {
    early: Vec<(u32, u32)>,
    settled: Lists,
    late: FxHashMap<u32, Vec<u32>>,
    is_settled: bool,
}

impl Readers {
    /// A read comes from a version.
    pub fn add(&mut self, version: u32, read: u32) {
        match self.is_settled {
            false => self.early.push((version, read)),
            true => self.late.entry(version).or_default().push(read),
        }
    }

    /// What was added so far is laid out flat; additions from now on are few.
    pub fn settle(&mut self, versions: &Versions) {
        let early = std::mem::take(&mut self.early);
        self.settled = Lists::group(versions.count() as usize, early.iter().copied());
        self.is_settled = true;
    }

    /// How many reads come from a version.
    pub fn count(&self, version: u32) -> usize {
        let late = if self.late.is_empty() { None } else { self.late.get(&version) };
        self.settled.of(version).len() + late.map_or(0, Vec::len)
    }

    /// One of the reads that come from a version.
    pub fn of(&self, version: u32, at: usize) -> u32 {
        let settled = self.settled.of(version);
        settled.get(at).copied().unwrap_or_else(|| self.late[&version][at - settled.len()])
    }
}
