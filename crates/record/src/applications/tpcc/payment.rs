//! A customer pays.

use super::{Customer, DISTRICTS, TODAY, Tpcc};
use crate::applications::{Dice, Plan, Txn, TxnError, money};
use crate::statements::Value;

const WAREHOUSE_EARNS: &str =
    "UPDATE warehouse SET w_ytd = w_ytd + CAST($2 AS DECIMAL(12,2)) WHERE w_id = $1";
const WAREHOUSE: &str = "SELECT w_name FROM warehouse WHERE w_id = $1";
const DISTRICT_EARNS: &str =
    "UPDATE district SET d_ytd = d_ytd + CAST($3 AS DECIMAL(12,2)) WHERE d_w_id = $1 AND d_id = $2";
const DISTRICT: &str = "SELECT d_name FROM district WHERE d_w_id = $1 AND d_id = $2";
const CUSTOMER: &str = "SELECT c_balance, c_credit, c_data FROM customer \
     WHERE c_w_id = $1 AND c_d_id = $2 AND c_id = $3 FOR UPDATE";
const PAYS: &str = "UPDATE customer SET c_balance = c_balance - CAST($4 AS DECIMAL(12,2)), \
     c_ytd_payment = c_ytd_payment + CAST($4 AS DECIMAL(12,2)), c_payment_cnt = c_payment_cnt + 1 \
     WHERE c_w_id = $1 AND c_d_id = $2 AND c_id = $3";
const DATA: &str =
    "UPDATE customer SET c_data = $4 WHERE c_w_id = $1 AND c_d_id = $2 AND c_id = $3";
const HISTORY: &str = "INSERT INTO history VALUES \
     ($1, $2, $3, $4, $5, CAST($6 AS DATE), CAST($7 AS DECIMAL(6,2)), $8)";

/// How much of a customer's data is kept.
const MOST_DATA: usize = 500;

pub(super) fn plan(tpcc: &Tpcc, dice: &mut Dice) -> Plan {
    let customer = tpcc.customer(dice);
    let (district, cents) = (dice.between(1, DISTRICTS), dice.between(100, 500_000));
    let payment = Payment { customer, district, cents };
    Box::new(move |txn| payment.make(txn))
}

/// A payment, in a district that need not be the customer's.
struct Payment {
    customer: Customer,
    district: i64,
    cents: i64,
}

impl Payment {
    fn make(&self, txn: &mut Txn<'_>) -> Result<(), TxnError> {
        let amount = money::value(self.cents);
        let warehouse: Value = self.customer.warehouse.into();
        txn.change(WAREHOUSE_EARNS, &[warehouse.clone(), amount.clone()])?;
        let warehouse_name = name(txn.row(WAREHOUSE, std::slice::from_ref(&warehouse))?);
        let district: Value = self.district.into();
        txn.change(DISTRICT_EARNS, &[warehouse.clone(), district.clone(), amount.clone()])?;
        let district_name = name(txn.row(DISTRICT, &[warehouse.clone(), district.clone()])?);
        let id = self.customer.find(txn)?;
        self.take(txn, id)?;
        let [home, home_district] = self.customer.place();
        let about = format!("{warehouse_name}    {district_name}");
        let values = [
            id.into(),
            home_district,
            home,
            district,
            warehouse,
            TODAY.into(),
            amount,
            about.into(),
        ];
        txn.change(HISTORY, &values).map(drop)
    }

    /// Takes the money. Of those with bad credit it is written down who paid what.
    fn take(&self, txn: &mut Txn<'_>, id: i64) -> Result<(), TxnError> {
        let [warehouse, district] = self.customer.place();
        let customer = [warehouse, district, id.into()];
        let row = txn.row(CUSTOMER, &customer)?.unwrap_or_default();
        let [warehouse, district, id] = customer;
        let amount = money::value(self.cents);
        txn.change(PAYS, &[warehouse.clone(), district.clone(), id.clone(), amount])?;
        if let [_, credit, data] = row.as_slice()
            && credit.text() == Some("BC")
        {
            let Customer { warehouse: w, district: d, .. } = self.customer;
            let entry = format!("{w} {d} {} {}|", self.district, money::written(self.cents));
            let data: String =
                entry.chars().chain(data.text().unwrap_or("").chars()).take(MOST_DATA).collect();
            txn.change(DATA, &[warehouse, district, id, data.into()])?;
        }
        Ok(())
    }
}

fn name(row: Option<Vec<Value>>) -> String {
    let value = row.and_then(|row| row.into_iter().next());
    value.and_then(|value| value.text().map(str::to_owned)).unwrap_or_default()
}
