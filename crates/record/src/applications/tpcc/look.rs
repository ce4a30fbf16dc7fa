//! Transactions that only look.

use super::{DISTRICTS, Tpcc, first_number};
use crate::applications::{Dice, Plan};
use crate::statements::Value;

const BALANCE: &str = "SELECT c_balance, c_first, c_last FROM customer \
     WHERE c_w_id = $1 AND c_d_id = $2 AND c_id = $3";
const LAST_ORDER: &str = "SELECT o_id, o_entry_d, o_carrier_id FROM orders \
     WHERE o_w_id = $1 AND o_d_id = $2 AND o_c_id = $3 ORDER BY o_id DESC LIMIT 1";
const LINES: &str = "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d \
     FROM order_line WHERE ol_w_id = $1 AND ol_d_id = $2 AND ol_o_id = $3 ORDER BY ol_number";
const NEXT: &str = "SELECT d_next_o_id FROM district WHERE d_w_id = $1 AND d_id = $2";
const LOW: &str = "SELECT COUNT(DISTINCT s.s_i_id) FROM order_line l \
     JOIN stock s ON s.s_w_id = l.ol_w_id AND s.s_i_id = l.ol_i_id \
     WHERE l.ol_w_id = $1 AND l.ol_d_id = $2 AND l.ol_o_id BETWEEN $3 AND $4 AND s.s_quantity < $5";

/// How many orders the stock level is about.
const RECENT: i64 = 20;

/// A customer asks for the last order.
pub(super) fn order_status(tpcc: &Tpcc, dice: &mut Dice) -> Plan {
    let customer = tpcc.customer(dice);
    Box::new(move |txn| {
        let id = customer.find(txn)?;
        let [warehouse, district] = customer.place();
        let key = [warehouse, district, id.into()];
        txn.row(BALANCE, &key)?;
        let Some(order) = first_number(txn.row(LAST_ORDER, &key)?) else { return Ok(()) };
        let [warehouse, district, _] = key;
        txn.rows(LINES, &[warehouse, district, order.into()]).map(drop)
    })
}

/// Counts items that are low.
pub(super) fn stock_level(tpcc: &Tpcc, dice: &mut Dice) -> Plan {
    let (warehouse, district) = (dice.between(1, tpcc.warehouses), dice.between(1, DISTRICTS));
    let low = dice.between(10, 20);
    Box::new(move |txn| {
        let next = first_number(txn.row(NEXT, &[warehouse.into(), district.into()])?).unwrap_or(1);
        let numbers = [warehouse, district, next - RECENT, next - 1, low];
        txn.row(LOW, &numbers.map(Value::Int)).map(drop)
    })
}
