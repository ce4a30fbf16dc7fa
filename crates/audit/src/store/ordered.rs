//! Rows by the values of some columns, in the order of the whole numbers in another one.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::world::{Row, RowId, Value, Values, pick};

/// Which rows have, in some version that is kept, these values, and which number in which order.
#[derive(Debug)]
pub(crate) struct OrderedIndex {
    pub(crate) columns: Vec<usize>,
    pub(crate) by: usize,
    /// How many versions of each row.
    rows: FxHashMap<Values, BTreeMap<(i64, RowId), u32>>,
    /// How many versions have something else than a number that fits. Then the order is not known.
    others: u64,
}

impl OrderedIndex {
    pub(crate) fn new(columns: &[usize], by: usize) -> Self {
        Self { columns: columns.to_vec(), by, rows: FxHashMap::default(), others: 0 }
    }

    /// One more version of the row has these values.
    pub(crate) fn add(&mut self, id: RowId, row: &Row) {
        match self.place(row) {
            Some((values, number)) => {
                *self.rows.entry(values).or_default().entry((number, id)).or_default() += 1;
            }
            None => self.others += 1,
        }
    }

    /// One version less has them.
    pub(crate) fn remove(&mut self, id: RowId, row: &Row) {
        let Some((values, number)) = self.place(row) else {
            self.others -= 1;
            return;
        };
        let Some(rows) = self.rows.get_mut(&values) else { return };
        if let Some(versions) = rows.get_mut(&(number, id)) {
            *versions -= 1;
            if *versions == 0 {
                rows.remove(&(number, id));
            }
        }
        if rows.is_empty() {
            self.rows.remove(&values);
        }
    }

    fn place(&self, row: &Row) -> Option<(Values, i64)> {
        let Some(Value::Int(number)) = row.get(self.by) else { return None };
        Some((pick(row, &self.columns)?, *number))
    }

    /// The numbers in order, each with a row that has it in some version. `None` if the order is not known.
    pub(crate) fn find(
        &self,
        values: &Values,
        descending: bool,
    ) -> Option<Box<dyn Iterator<Item = (i64, RowId)> + '_>> {
        if self.others > 0 {
            return None;
        }
        let found = self.rows.get(values).into_iter().flat_map(BTreeMap::keys).copied();
        let backward = self.rows.get(values).into_iter().flat_map(|rows| rows.keys().rev());
        Some(if descending { Box::new(backward.copied()) } else { Box::new(found) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(group: i64, number: i64) -> Row {
        Row::from(vec![Value::Int(group), Value::Int(number)])
    }

    #[test]
    fn rows_come_in_the_order_of_their_numbers() {
        let mut index = OrderedIndex::new(&[0], 1);
        for (id, number) in [(1, 30), (2, 10), (3, 20), (4, 10)] {
            index.add(RowId(id), &row(7, number));
        }
        index.add(RowId(2), &row(7, 40));
        index.add(RowId(9), &row(8, 0));
        let values: Values = [Value::Int(7)].into_iter().collect();
        let found = |index: &OrderedIndex, descending: bool| -> Vec<(i64, u64)> {
            let found = index.find(&values, descending).expect("an order");
            found.map(|(number, id)| (number, id.0)).collect()
        };
        assert_eq!(found(&index, false), [(10, 2), (10, 4), (20, 3), (30, 1), (40, 2)]);
        index.remove(RowId(2), &row(7, 10));
        assert_eq!(found(&index, true), [(40, 2), (30, 1), (20, 3), (10, 4)]);
        let other = Row::from(vec![Value::Int(7), Value::Null]);
        index.add(RowId(5), &other);
        assert!(index.find(&values, false).is_none());
        index.remove(RowId(5), &other);
        assert!(index.find(&values, false).is_some());
    }
}
