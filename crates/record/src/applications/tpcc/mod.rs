//! TPC-C: a wholesale supplier, scaled down as far as the literature on checkers does.
//!
//! | transaction | share | what it does |
//! |---|---|---|
//! | new order | 45 % | an order with five to fifteen lines; one in a hundred is rolled back |
//! | payment | 43 % | a customer pays, found by number or by last name |
//! | delivery | 4 % | the oldest order of each district is delivered |
//! | order status | 4 % | a customer's last order |
//! | stock level | 4 % | how many items of the last twenty orders are low |

mod delivery;
mod look;
mod new_order;
mod payment;
mod start;

use super::{Application, Dice, Kind, Plan, Sizes, Start, Txn, TxnError, USUAL};
use crate::statements::Value;

pub(super) const KIND: Kind = Kind {
    name: "sql-tpcc",
    about: "TPC-C with two districts, three customers each, and one item",
    counts: "warehouse",
    usual: || Sizes { scale: 1, ..USUAL },
    open: |sizes| Box::new(Tpcc { warehouses: sizes.scale.max(1) as i64 }),
};

/// Districts of a warehouse.
const DISTRICTS: i64 = 2;
/// Customers of a district.
const CUSTOMERS: i64 = 3;
/// Items that there are.
const ITEMS: i64 = 1;
/// The day on which everything happens.
const TODAY: &str = "2026-02-28";

struct Tpcc {
    warehouses: i64,
}

/// A customer, or how to find one.
#[derive(Clone, Copy, Debug)]
struct Customer {
    warehouse: i64,
    district: i64,
    id: i64,
    by_name: bool,
}

const NAMED: &str = "SELECT c_id FROM customer \
     WHERE c_w_id = $1 AND c_d_id = $2 AND c_last = $3 ORDER BY c_first";

impl Application for Tpcc {
    fn start(&self) -> Start {
        start::start(self.warehouses)
    }

    fn plan(&self, dice: &mut Dice) -> Plan {
        match dice.between(0, 99) {
            0..=44 => new_order::plan(self, dice),
            45..=87 => payment::plan(self, dice),
            88..=91 => delivery::plan(self, dice),
            92..=95 => look::order_status(self, dice),
            _ => look::stock_level(self, dice),
        }
    }
}

impl Tpcc {
    fn customer(&self, dice: &mut Dice) -> Customer {
        Customer {
            warehouse: dice.between(1, self.warehouses),
            district: dice.between(1, DISTRICTS),
            id: dice.between(1, CUSTOMERS),
            by_name: dice.percent(60),
        }
    }
}

impl Customer {
    /// Where the customer's rows are.
    fn place(&self) -> [Value; 2] {
        [self.warehouse.into(), self.district.into()]
    }

    /// The customer's number. Of those with the same last name it is the one in the middle.
    fn find(&self, txn: &mut Txn<'_>) -> Result<i64, TxnError> {
        if !self.by_name {
            return Ok(self.id);
        }
        let [warehouse, district] = self.place();
        let rows = txn.rows(NAMED, &[warehouse, district, last_name(self.id).into()])?;
        let middle = rows.get(rows.len() / 2).and_then(|row| row.first().and_then(Value::int));
        Ok(middle.unwrap_or(self.id))
    }
}

/// The last name of a customer; the first two share one.
fn last_name(customer: i64) -> &'static str {
    if customer <= 2 { "BARBAR" } else { "OUGHT" }
}

/// A whole number in the first column of a row.
fn first_number(row: Option<Vec<Value>>) -> Option<i64> {
    row.and_then(|row| row.first().and_then(Value::int))
}
