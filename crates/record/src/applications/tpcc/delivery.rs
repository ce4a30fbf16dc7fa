//! The oldest order of each district goes out.

use super::{DISTRICTS, TODAY, Tpcc, first_number};
use crate::applications::{Dice, Plan, Txn, TxnError};
use crate::statements::Value;

const OLDEST: &str = "SELECT no_o_id FROM new_order WHERE no_w_id = $1 AND no_d_id = $2 \
     ORDER BY no_o_id LIMIT 1";
const CLOSE: &str = "DELETE FROM new_order WHERE no_w_id = $1 AND no_d_id = $2 AND no_o_id = $3";
const BUYER: &str = "SELECT o_c_id FROM orders WHERE o_w_id = $1 AND o_d_id = $2 AND o_id = $3";
const CARRY: &str =
    "UPDATE orders SET o_carrier_id = $4 WHERE o_w_id = $1 AND o_d_id = $2 AND o_id = $3";
const DELIVER: &str = "UPDATE order_line SET ol_delivery_d = CAST($4 AS DATE) \
     WHERE ol_w_id = $1 AND ol_d_id = $2 AND ol_o_id = $3";
const TOTAL: &str = "SELECT SUM(ol_amount) FROM order_line \
     WHERE ol_w_id = $1 AND ol_d_id = $2 AND ol_o_id = $3";
const CHARGE: &str = "UPDATE customer SET c_balance = c_balance + CAST($4 AS DECIMAL(12,2)), \
     c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = $1 AND c_d_id = $2 AND c_id = $3";

pub(super) fn plan(tpcc: &Tpcc, dice: &mut Dice) -> Plan {
    let (warehouse, carrier) = (dice.between(1, tpcc.warehouses), dice.between(1, 10));
    Box::new(move |txn| {
        (1..=DISTRICTS).try_for_each(|district| deliver(txn, warehouse, district, carrier))
    })
}

fn deliver(txn: &mut Txn<'_>, warehouse: i64, district: i64, carrier: i64) -> Result<(), TxnError> {
    let place = [warehouse.into(), district.into()];
    let Some(order) = first_number(txn.row(OLDEST, &place)?) else { return Ok(()) };
    let [warehouse, district] = place;
    let key = |more: Option<Value>| {
        let key = [warehouse.clone(), district.clone(), order.into()];
        key.into_iter().chain(more).collect::<Vec<Value>>()
    };
    // Another client may have been faster, where the level allows it.
    if txn.change(CLOSE, &key(None))? == 0 {
        return Err(TxnError::RollBack);
    }
    let buyer = first_number(txn.row(BUYER, &key(None))?).unwrap_or(1);
    txn.change(CARRY, &key(Some(carrier.into())))?;
    txn.change(DELIVER, &key(Some(TODAY.into())))?;
    let total = txn.row(TOTAL, &key(None))?.and_then(|row| row.into_iter().next());
    let total = total.unwrap_or(Value::Null);
    let charge = [warehouse.clone(), district.clone(), buyer.into(), total];
    txn.change(CHARGE, &charge).map(drop)
}
