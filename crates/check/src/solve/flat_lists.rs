//! Flat lists: what belongs to a unit, a node, an order or a version, all in one vector.

use std::marker::PhantomData;

use tristan_ground::joined;

/// Pairs of an owner and an item that can be gone through again, in the same order.
pub(super) trait Pairs<O, T> {
    /// Calls `add` with every pair.
    fn each(&self, add: impl FnMut(O, T));
}

impl<O, T, I: Iterator<Item = (O, T)> + Clone> Pairs<O, T> for I {
    fn each(&self, mut add: impl FnMut(O, T)) {
        self.clone().for_each(|(owner, item)| add(owner, item));
    }
}

/// A list of items per owner, all in one vector.
#[derive(Clone, Debug)]
pub(crate) struct FlatLists<O, T> {
    first: Vec<u32>,
    items: Vec<T>,
    owners: PhantomData<O>,
}

impl<O, T> Default for FlatLists<O, T> {
    fn default() -> Self {
        Self { first: Vec::new(), items: Vec::new(), owners: PhantomData }
    }
}

impl<O: Into<usize>, T: Copy> FlatLists<O, T> {
    /// Groups `(owner, item)` pairs by owner; items keep their order.
    pub(crate) fn group(owners: usize, pairs: impl Iterator<Item = (O, T)> + Clone) -> Self {
        Self::gather(owners, &pairs)
    }

    /// The same for pairs that need not be an iterator.
    pub(super) fn gather(owners: usize, pairs: &impl Pairs<O, T>) -> Self {
        let mut first = vec![0u32; owners + 1];
        let mut any = None;
        pairs.each(|owner, item| {
            first[owner.into() + 1] += 1;
            any = Some(item);
        });
        for owner in 0..owners {
            first[owner + 1] += first[owner];
        }
        let mut next = first.clone();
        let mut items = any.map_or_else(Vec::new, |any| vec![any; first[owners] as usize]);
        pairs.each(|owner, item| {
            let slot = &mut next[owner.into()];
            items[*slot as usize] = item;
            *slot += 1;
        });
        Self { first, items, owners: PhantomData }
    }

    /// FlatLists without items, with room for those of so many owners; see [`FlatLists::push`].
    pub(crate) fn with_capacity(owners: usize, items: usize) -> Self {
        let mut first = Vec::with_capacity(owners + 1);
        first.push(0);
        Self { first, items: Vec::with_capacity(items), owners: PhantomData }
    }

    /// Adds the list of the next owner.
    pub(crate) fn push(&mut self, items: impl Iterator<Item = T>) {
        self.items.extend(items);
        self.first.push(self.items.len() as u32);
    }

    /// Those of some owners, then those of others, and so on.
    pub(super) fn joined(parts: Vec<Self>) -> Self {
        let mut first = vec![0];
        for part in &parts {
            let before = first[first.len() - 1];
            first.extend(part.first.iter().skip(1).map(|start| before + start));
        }
        let items = joined(parts.into_iter().map(|part| part.items).collect());
        Self { first, items, owners: PhantomData }
    }

    /// How many owners there are.
    pub(crate) fn owners(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// The items of each owner.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> + Clone {
        self.first.windows(2).map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }

    /// The items of all owners.
    pub(crate) fn all(&self) -> &[T] {
        &self.items
    }

    /// The items of an owner; none if nothing was grouped.
    pub(crate) fn of(&self, owner: O) -> &[T] {
        let owner = owner.into();
        match self.first.get(owner..owner + 2) {
            Some(&[start, end]) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }
}
