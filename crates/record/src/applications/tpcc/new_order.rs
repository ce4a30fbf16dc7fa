//! A customer orders.

use super::{ITEMS, TODAY, Tpcc, first_number};
use crate::applications::{Dice, Plan, Txn, TxnError, money};
use crate::statements::Value;

const TAX: &str = "SELECT w_tax FROM warehouse WHERE w_id = $1";
const NEXT: &str =
    "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = $1 AND d_id = $2 FOR UPDATE";
const COUNT_UP: &str =
    "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = $1 AND d_id = $2";
const BUYER: &str = "SELECT c_discount, c_last, c_credit FROM customer \
     WHERE c_w_id = $1 AND c_d_id = $2 AND c_id = $3";
const ORDER: &str = "INSERT INTO orders VALUES ($1, $2, $3, $4, CAST($5 AS DATE), NULL, $6, $7)";
const OPEN: &str = "INSERT INTO new_order VALUES ($1, $2, $3)";
const PRICE: &str = "SELECT i_price, i_name FROM item WHERE i_id = $1";
const STOCK: &str = "SELECT s_quantity FROM stock WHERE s_w_id = $1 AND s_i_id = $2 FOR UPDATE";
const TAKE: &str = "UPDATE stock SET \
     s_quantity = CASE WHEN s_quantity >= $3 + 10 THEN s_quantity - $3 ELSE s_quantity - $3 + 91 END, \
     s_ytd = s_ytd + $3, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + $4 \
     WHERE s_w_id = $1 AND s_i_id = $2";
const LINE: &str = "INSERT INTO order_line VALUES \
     ($1, $2, $3, $4, $5, $6, NULL, $7, CAST($8 AS DECIMAL(6,2)))";
const TOTAL: &str = "SELECT COUNT(*), SUM(ol_amount) FROM order_line \
     WHERE ol_w_id = $1 AND ol_d_id = $2 AND ol_o_id = $3";

/// What is ordered.
#[derive(Clone, Copy, Debug)]
struct Line {
    item: i64,
    supplier: i64,
    quantity: i64,
}

struct Order {
    warehouse: i64,
    district: i64,
    customer: i64,
    lines: Vec<Line>,
}

pub(super) fn plan(tpcc: &Tpcc, dice: &mut Dice) -> Plan {
    let customer = tpcc.customer(dice);
    let mut lines: Vec<Line> = (0..dice.between(5, 15))
        .map(|_| {
            let remote = dice.percent(1);
            Line {
                item: dice.between(1, ITEMS),
                supplier: if remote {
                    dice.between(1, tpcc.warehouses)
                } else {
                    customer.warehouse
                },
                quantity: dice.between(1, 10),
            }
        })
        .collect();
    // One order in a hundred has an item that is not there.
    if let Some(last) = lines.last_mut().filter(|_| dice.percent(1)) {
        last.item = -1;
    }
    let (warehouse, district) = (customer.warehouse, customer.district);
    let order = Order { warehouse, district, customer: customer.id, lines };
    Box::new(move |txn| order.place(txn))
}

impl Order {
    fn place(&self, txn: &mut Txn<'_>) -> Result<(), TxnError> {
        let place = [self.warehouse.into(), self.district.into()];
        txn.row(TAX, &place[..1])?;
        let number = first_number(txn.row(NEXT, &place)?).unwrap_or(1);
        txn.change(COUNT_UP, &place)?;
        let [warehouse, district] = place;
        txn.row(BUYER, &[warehouse.clone(), district.clone(), self.customer.into()])?;
        let local = self.lines.iter().all(|line| line.supplier == self.warehouse);
        let order = [
            number.into(),
            district.clone(),
            warehouse.clone(),
            self.customer.into(),
            TODAY.into(),
            (self.lines.len() as i64).into(),
            i64::from(local).into(),
        ];
        txn.change(ORDER, &order)?;
        txn.change(OPEN, &order[..3])?;
        for (place, line) in self.lines.iter().enumerate() {
            self.add(txn, number, place as i64 + 1, line)?;
        }
        txn.row(TOTAL, &[warehouse, district, number.into()]).map(drop)
    }

    fn add(&self, txn: &mut Txn<'_>, order: i64, place: i64, line: &Line) -> Result<(), TxnError> {
        let Line { item, supplier, quantity } = *line;
        let Some(found) = txn.row(PRICE, &[item.into()])? else { return Err(TxnError::RollBack) };
        let price = found.first().and_then(money::cents).unwrap_or(0);
        txn.row(STOCK, &[supplier.into(), item.into()])?;
        let remote = i64::from(supplier != self.warehouse);
        txn.change(TAKE, &[supplier.into(), item.into(), quantity.into(), remote.into()])?;
        let numbers = [order, self.district, self.warehouse, place, item, supplier, quantity];
        let amount = money::value(price * quantity);
        let values: Vec<Value> = numbers.map(Value::Int).into_iter().chain([amount]).collect();
        txn.change(LINE, &values).map(drop)
    }
}
