//! The tables, and their rows at first.

use super::{CUSTOMERS, DISTRICTS, ITEMS, last_name};
use crate::applications::{Start, Table};
use crate::statements::Value;

const WAREHOUSE: &[&str] = &["CREATE TABLE warehouse (w_id INT PRIMARY KEY, \
     w_name VARCHAR(10) NOT NULL, w_tax DECIMAL(4,4) NOT NULL, w_ytd DECIMAL(12,2) NOT NULL)"];
const DISTRICT: &[&str] = &["CREATE TABLE district (d_id INT NOT NULL, d_w_id INT NOT NULL, \
     d_name VARCHAR(10) NOT NULL, d_tax DECIMAL(4,4) NOT NULL, d_ytd DECIMAL(12,2) NOT NULL, \
     d_next_o_id INT NOT NULL, PRIMARY KEY (d_w_id, d_id))"];
const CUSTOMER: &[&str] = &["CREATE TABLE customer (c_id INT NOT NULL, c_d_id INT NOT NULL, \
     c_w_id INT NOT NULL, c_first VARCHAR(16) NOT NULL, c_last VARCHAR(16) NOT NULL, \
     c_credit VARCHAR(2) NOT NULL, c_discount DECIMAL(4,4) NOT NULL, \
     c_balance DECIMAL(12,2) NOT NULL, c_ytd_payment DECIMAL(12,2) NOT NULL, \
     c_payment_cnt INT NOT NULL, c_delivery_cnt INT NOT NULL, c_data VARCHAR(500) NOT NULL, \
     PRIMARY KEY (c_w_id, c_d_id, c_id))"];
const HISTORY: &[&str] = &["CREATE TABLE history (h_c_id INT NOT NULL, h_c_d_id INT NOT NULL, \
     h_c_w_id INT NOT NULL, h_d_id INT NOT NULL, h_w_id INT NOT NULL, h_date DATE NOT NULL, \
     h_amount DECIMAL(6,2) NOT NULL, h_data VARCHAR(24))"];
const ORDERS: &[&str] = &[
    "CREATE TABLE orders (o_id INT NOT NULL, o_d_id INT NOT NULL, o_w_id INT NOT NULL, \
     o_c_id INT NOT NULL, o_entry_d DATE NOT NULL, o_carrier_id INT, o_ol_cnt INT NOT NULL, \
     o_all_local INT NOT NULL, PRIMARY KEY (o_w_id, o_d_id, o_id))",
    "CREATE INDEX orders_of ON orders (o_w_id, o_d_id, o_c_id)",
];
const NEW_ORDER: &[&str] =
    &["CREATE TABLE new_order (no_o_id INT NOT NULL, no_d_id INT NOT NULL, \
     no_w_id INT NOT NULL, PRIMARY KEY (no_w_id, no_d_id, no_o_id))"];
const ORDER_LINE: &[&str] =
    &["CREATE TABLE order_line (ol_o_id INT NOT NULL, ol_d_id INT NOT NULL, \
     ol_w_id INT NOT NULL, ol_number INT NOT NULL, ol_i_id INT NOT NULL, \
     ol_supply_w_id INT NOT NULL, ol_delivery_d DATE, ol_quantity INT NOT NULL, \
     ol_amount DECIMAL(6,2) NOT NULL, PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number))"];
const ITEM: &[&str] = &["CREATE TABLE item (i_id INT PRIMARY KEY, i_name VARCHAR(24) NOT NULL, \
     i_price DECIMAL(5,2) NOT NULL)"];
const STOCK: &[&str] = &["CREATE TABLE stock (s_i_id INT NOT NULL, s_w_id INT NOT NULL, \
     s_quantity INT NOT NULL, s_ytd INT NOT NULL, s_order_cnt INT NOT NULL, \
     s_remote_cnt INT NOT NULL, PRIMARY KEY (s_w_id, s_i_id))"];

/// Everything that is there when the first client comes.
pub(super) fn start(warehouses: i64) -> Start {
    let table = |name, create, rows| Table { name, create, rows };
    let numbers = || 1..=warehouses;
    let districts = || numbers().flat_map(|w| (1..=DISTRICTS).map(move |d| (w, d)));
    let customers = districts().flat_map(|(w, d)| (1..=CUSTOMERS).map(move |c| customer(w, d, c)));
    let stock = numbers().flat_map(|w| (1..=ITEMS).map(move |i| [i, w, 91, 0, 0, 0]));
    Start {
        tables: vec![
            table("warehouse", WAREHOUSE, numbers().map(warehouse).collect()),
            table("district", DISTRICT, districts().map(|(w, d)| district(w, d)).collect()),
            table("customer", CUSTOMER, customers.collect()),
            table("history", HISTORY, Vec::new()),
            table("orders", ORDERS, Vec::new()),
            table("new_order", NEW_ORDER, Vec::new()),
            table("order_line", ORDER_LINE, Vec::new()),
            table("item", ITEM, (1..=ITEMS).map(item).collect()),
            table("stock", STOCK, stock.map(|row| row.map(Value::Int).to_vec()).collect()),
        ],
    }
}

fn warehouse(w: i64) -> Vec<Value> {
    vec![w.into(), format!("W{w}").into(), "0.0725".into(), "300000.00".into()]
}

fn district(w: i64, d: i64) -> Vec<Value> {
    let (name, tax) = (format!("D{d}"), format!("0.0{d}50"));
    vec![d.into(), w.into(), name.into(), tax.into(), "30000.00".into(), 1.into()]
}

fn customer(w: i64, d: i64, c: i64) -> Vec<Value> {
    let credit = if c == CUSTOMERS { "BC" } else { "GC" };
    vec![
        c.into(),
        d.into(),
        w.into(),
        format!("first {c}").into(),
        last_name(c).into(),
        credit.into(),
        "0.1000".into(),
        "-10.00".into(),
        "10.00".into(),
        1.into(),
        0.into(),
        "new".into(),
    ]
}

fn item(i: i64) -> Vec<Value> {
    vec![i.into(), format!("item {i}").into(), format!("{}.50", 10 + i % 80).into()]
}
