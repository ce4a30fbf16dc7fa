//! Plain tables, and what each commit replaced in them.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tristan_sql::{First, Rows};

use crate::world::{At, Hidden, Key, Own, Position, Row, RowId, TableId, Value, Write, canonical};

/// The newest state, and how to go back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    rows: Newest,
    /// What each commit replaced.
    replaced: Vec<Vec<(Key, Option<Row>)>>,
    indexes: RefCell<Vec<Index>>,
    orders: RefCell<Vec<Order>>,
}

/// The rows of the newest state. Joins look up single rows far more often than anyone goes through a table.
#[derive(Clone, Debug, Default)]
struct Newest {
    rows: FxHashMap<Key, Row>,
    keys: BTreeSet<Key>,
}

impl Newest {
    fn get(&self, key: Key) -> Option<&Row> {
        self.rows.get(&key)
    }

    /// Puts a row in its place, or takes it away; gives back what was there.
    fn set(&mut self, key: Key, row: Option<Row>) -> Option<Row> {
        let old = match row {
            Some(row) => self.rows.insert(key, row),
            None => {
                self.keys.remove(&key);
                return self.rows.remove(&key);
            }
        };
        if old.is_none() {
            self.keys.insert(key);
        }
        old
    }

    /// All rows, in the order of their keys.
    fn iter(&self) -> impl Iterator<Item = (Key, &Row)> {
        self.keys.iter().filter_map(|key| Some((*key, self.rows.get(key)?)))
    }

    /// The keys of a table, in order.
    fn of_table(&self, table: TableId) -> impl Iterator<Item = Key> {
        self.keys.range((table, RowId(0))..=(table, RowId(u64::MAX))).copied()
    }
}

/// Which rows of the newest state have which values in some columns.
#[derive(Clone, Debug)]
struct Index {
    table: TableId,
    columns: Vec<usize>,
    keys: FxHashMap<Vec<Value>, BTreeSet<Key>>,
}

impl Index {
    fn change(&mut self, key: Key, old: Option<&Row>, new: Option<&Row>) {
        if key.0 != self.table {
            return;
        }
        if let Some(old) = old
            && let Some(keys) = self.keys.get_mut(&values(old, &self.columns))
        {
            keys.remove(&key);
        }
        if let Some(new) = new {
            self.keys.entry(values(new, &self.columns)).or_default().insert(key);
        }
    }
}

/// The rows of the newest state that have values in some columns, by the numbers in another one.
#[derive(Clone, Debug)]
struct Order {
    table: TableId,
    columns: Vec<usize>,
    by: usize,
    keys: FxHashMap<Vec<Value>, BTreeSet<(i64, Key)>>,
}

impl Order {
    fn change(&mut self, key: Key, old: Option<&Row>, new: Option<&Row>) {
        if key.0 != self.table {
            return;
        }
        if let Some((values, number)) = old.and_then(|old| self.place(old))
            && let Some(keys) = self.keys.get_mut(&values)
        {
            keys.remove(&(number, key));
        }
        if let Some((values, number)) = new.and_then(|new| self.place(new)) {
            self.keys.entry(values).or_default().insert((number, key));
        }
    }

    /// Only columns of whole numbers that cannot be NULL are ordered by.
    fn place(&self, row: &Row) -> Option<(Vec<Value>, i64)> {
        let Some(Value::Int(number)) = row.get(self.by) else { return None };
        Some((values(row, &self.columns), *number))
    }
}

fn values(row: &Row, columns: &[usize]) -> Vec<Value> {
    columns.iter().filter_map(|&column| row.get(column).map(canonical)).collect()
}

impl Tables {
    pub(super) fn load(&mut self, key: Key, row: Row) {
        self.note(key, None, Some(&row));
        self.rows.set(key, Some(row));
    }

    /// A row changes.
    fn note(&mut self, key: Key, old: Option<&Row>, new: Option<&Row>) {
        self.indexes.get_mut().iter_mut().for_each(|index| index.change(key, old, new));
        self.orders.get_mut().iter_mut().for_each(|order| order.change(key, old, new));
    }

    /// The first rows that have these values in the newest state, by the numbers in another column, without those that
    /// are left out; and whether these are all.
    fn find_first(
        &self,
        table: TableId,
        columns: &[usize],
        wanted: &[Value],
        first: First,
        left_out: &BTreeSet<Key>,
    ) -> (Vec<Key>, bool) {
        let wanted: Vec<Value> = wanted.iter().map(canonical).collect();
        let mut orders = self.orders.borrow_mut();
        let is_it = |order: &Order| {
            order.table == table && order.by == first.column && order.columns == columns
        };
        let place = orders.iter().position(is_it).unwrap_or_else(|| {
            let keys = FxHashMap::default();
            let mut order = Order { table, columns: columns.to_vec(), by: first.column, keys };
            self.rows.iter().for_each(|(key, row)| order.change(key, None, Some(row)));
            orders.push(order);
            orders.len() - 1
        });
        let Some(found) = orders[place].keys.get(&wanted) else { return (Vec::new(), true) };
        let (mut keys, mut last) = (Vec::new(), None);
        let mut take = |&(number, key): &(i64, Key)| {
            if keys.len() >= first.wanted && last != Some(number) {
                return false;
            }
            if !left_out.contains(&key) {
                keys.push(key);
                last = Some(number);
            }
            true
        };
        let is_all = match first.descending {
            true => found.iter().rev().all(&mut take),
            false => found.iter().all(&mut take),
        };
        (keys, is_all)
    }

    /// Rows that have these values in the newest state.
    fn find(&self, table: TableId, columns: &[usize], wanted: &[Value]) -> Vec<Key> {
        let wanted: Vec<Value> = wanted.iter().map(canonical).collect();
        let mut indexes = self.indexes.borrow_mut();
        let known =
            indexes.iter().position(|index| index.table == table && index.columns == columns);
        let place = known.unwrap_or_else(|| {
            let mut index = Index { table, columns: columns.to_vec(), keys: FxHashMap::default() };
            for (key, row) in self.rows.iter() {
                index.change(key, None, Some(row));
            }
            indexes.push(index);
            indexes.len() - 1
        });
        indexes[place].keys.get(&wanted).into_iter().flatten().copied().collect()
    }

    /// All rows of a state, in the order of their keys.
    pub(crate) fn into_state(mut self, state: Position) -> Vec<(Key, Row)> {
        let state = usize::try_from(state).unwrap_or(usize::MAX).min(self.replaced.len());
        for (key, old) in self.replaced.drain(state..).rev().flatten() {
            self.rows.set(key, old);
        }
        self.rows.iter().map(|(key, row)| (key, row.clone())).collect()
    }

    /// How many commits there were.
    pub(super) fn position(&self) -> Position {
        self.replaced.len() as Position
    }

    pub(super) fn commit(&mut self, writes: &[Write]) {
        let mut replaced = Vec::with_capacity(writes.len());
        for write in writes {
            let old = self.rows.set(write.key, write.row.clone());
            self.note(write.key, old.as_ref(), write.row.as_ref());
            replaced.push((write.key, old));
        }
        self.replaced.push(replaced);
    }

    /// What a row was in a state.
    pub(super) fn row(&self, key: Key, state: Position) -> Option<Row> {
        let state = usize::try_from(state).unwrap_or(usize::MAX).min(self.replaced.len());
        let back = self.replaced[state..].iter().flatten().find(|(other, _)| *other == key);
        match back {
            Some((_, old)) => old.clone(),
            None => self.rows.get(key).cloned(),
        }
    }

    /// Whether a row was written between two states.
    pub(super) fn is_written(&self, key: Key, from: Position, to: Position) -> bool {
        let place = |state: Position| usize::try_from(state).unwrap_or(usize::MAX);
        let between = self.replaced.get(place(from)..place(to)).unwrap_or_default();
        between.iter().flatten().any(|(other, _)| *other == key)
    }

    /// The rows of a table in the newest state.
    fn keys(&self, table: TableId) -> Vec<Key> {
        self.rows.of_table(table).collect()
    }

    /// The rows of a table that were written since a state.
    fn written(&self, table: TableId, state: Position) -> impl Iterator<Item = Key> {
        let state = usize::try_from(state).unwrap_or(usize::MAX).min(self.replaced.len());
        let written = self.replaced[state..].iter().flatten().map(|(key, _)| *key);
        written.filter(move |key| key.0 == table)
    }
}

/// What a statement is said to have seen.
pub(super) struct PlainView<'a> {
    tables: &'a Tables,
    at: &'a At,
    /// The state in which keys have to be unique.
    newest: Position,
    own: &'a Own,
    hidden: &'a Hidden,
}

impl<'a> PlainView<'a> {
    pub(super) fn new(
        tables: &'a Tables,
        at: &'a At,
        newest: Position,
        (own, hidden): (&'a Own, &'a Hidden),
    ) -> Self {
        Self { tables, at, newest, own, hidden }
    }

    fn oldest(&self) -> Position {
        match self.at {
            At::State(state) => *state,
            At::Rows { state, rows, .. } => {
                rows.iter().map(|&(_, state)| state).min().unwrap_or(*state).min(*state)
            }
        }
    }

    /// These rows, and all that are different in what is seen, each once.
    fn see(&self, table: TableId, mut keys: Vec<Key>) -> Vec<(RowId, Row)> {
        keys.extend(self.tables.written(table, self.oldest()));
        keys.extend(self.own.keys_of(table));
        keys.sort_unstable();
        keys.dedup();
        let seen = |key: Key| match self.own.get(key) {
            Some(write) => write.row.clone(),
            None => {
                let row = self.tables.row(key, self.at.state_of(key));
                row.filter(|row| !self.hidden.has(table, row))
            }
        };
        keys.into_iter().filter_map(|key| Some((key.1, seen(key)?))).collect()
    }
}

impl Rows for PlainView<'_> {
    fn scan(&mut self, table: TableId, into: &mut Vec<(RowId, Row)>) {
        into.extend(self.see(table, self.tables.keys(table)));
    }

    fn lookup(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        let seen = self.see(table, self.tables.find(table, columns, values));
        into.extend(seen.into_iter().filter(|(_, row)| has(row, columns, values)));
    }

    fn lookup_first(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        first: First,
        into: &mut Vec<(RowId, Row)>,
    ) -> Option<bool> {
        // Hidden rows might be the first.
        if !self.hidden.is_empty() {
            return None;
        }
        // Rows that are seen in another form than the newest come in any case.
        let changed = self.tables.written(table, self.oldest()).chain(self.own.keys_of(table));
        let changed: BTreeSet<Key> = changed.collect();
        let (mut keys, is_all) = self.tables.find_first(table, columns, values, first, &changed);
        keys.extend(changed);
        let seen = self.see(table, keys);
        into.extend(seen.into_iter().filter(|(_, row)| has(row, columns, values)));
        Some(is_all)
    }

    fn holders(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        let at = At::State(self.newest);
        let mut view = PlainView::new(self.tables, &at, self.newest, (self.own, self.hidden));
        view.lookup(table, columns, values, into);
    }

    fn locked(&mut self, table: TableId, row: RowId) -> Option<Option<Row>> {
        let (newest, key) = (self.at.again()?, (table, row));
        let state = self.at.state_of(key);
        let changed = self.own.get(key).is_none() && self.tables.is_written(key, state, newest);
        changed.then(|| self.tables.row(key, newest))
    }
}

fn has(row: &Row, columns: &[usize], values: &[Value]) -> bool {
    columns.iter().zip(values).all(|(&column, value)| {
        row.get(column).is_some_and(|held| canonical(held) == canonical(value))
    })
}
