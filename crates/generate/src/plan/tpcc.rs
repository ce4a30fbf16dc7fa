//! Orders of a wholesaler: TPC-C as the Cobra and Viper papers run it, as keys and values.
//!
//! ```text
//!   45 %  new order      read warehouse, district, customer; write district, order, list of new
//!                        orders; per line: read item, read and write stock, write line
//!   43 %  payment        read warehouse and district; read and write customer; write history;
//!                        in 60 % the customer is found by name: read the index and two more
//!    4 %  delivery       take the oldest new order off the list; read and write order, lines and
//!                        customer
//!    4 %  order status   read customer, order and lines
//!    4 %  stock level    read district, one recent order, its lines and their stock
//! ```
//!
//! For every 1 000 articles in stock there are a warehouse with 10 districts and 300 customers.
//! Warehouse and item are never written. Nothing is there at the start.

use std::collections::VecDeque;

use super::{Draw, Planner, Rng, Step, between, row};
use crate::Workload;

const WAREHOUSE: i64 = 1;
const DISTRICT: i64 = 2;
const CUSTOMER: i64 = 3;
const NAMES: i64 = 4;
const ORDER: i64 = 5;
const NEW_ORDER: i64 = 6;
const NEW_ORDERS: i64 = 7;
const LINE: i64 = 8;
const ITEM: i64 = 9;
const STOCK: i64 = 10;
const HISTORY: i64 = 11;

const DISTRICTS: usize = 10;
/// Articles of one warehouse.
const ARTICLES: u64 = 1_000;
/// Customers that share a last name.
const NAMESAKES: u64 = 3;
/// Room for the lines of an order in the numbers of lines.
const MOST_LINES: i64 = 10_000;
/// How many orders a district remembers.
const RECENT: usize = 20;

pub(super) struct Tpcc {
    districts: Vec<District>,
    articles: Draw,
    customers: Draw,
    /// Lines per order, on average.
    lines: usize,
    next_order: i64,
    next_history: i64,
}

#[derive(Clone, Default)]
struct District {
    undelivered: VecDeque<Order>,
    recent: VecDeque<Order>,
}

#[derive(Clone)]
struct Order {
    number: i64,
    customer: i64,
    articles: Vec<i64>,
}

impl Order {
    fn lines(&self) -> impl Iterator<Item = i64> + use<> {
        let first = row(LINE, self.number * MOST_LINES);
        first..first + self.articles.len() as i64
    }
}

impl Tpcc {
    pub(super) fn new(workload: &Workload) -> Self {
        let warehouses = workload.keys.div_ceil(ARTICLES).max(1) as usize;
        Self {
            districts: vec![District::default(); warehouses * DISTRICTS],
            articles: Draw::new(workload.keys, workload.skew),
            customers: Draw::new(workload.keys.saturating_mul(3).div_ceil(10), workload.skew),
            lines: workload.ops.clamp(1, MOST_LINES as usize / 2),
            next_order: 1,
            next_history: 1,
        }
    }

    fn new_order(&mut self, district: usize, rng: &mut Rng, steps: &mut Vec<Step>) {
        let number = self.next_order;
        self.next_order += 1;
        let count = between(rng, self.lines.div_ceil(2), self.lines + self.lines / 2);
        let articles = (0..count).map(|_| self.articles.key(rng)).collect();
        let order = Order { number, customer: self.customers.key(rng), articles };
        let (home, list) = (row(DISTRICT, district as i64), row(NEW_ORDERS, district as i64));
        steps.push(Step::Read(warehouse(district)));
        steps.extend([Step::Read(home), Step::Write(home)]);
        steps.push(Step::Read(row(CUSTOMER, order.customer)));
        steps.extend([ORDER, NEW_ORDER].map(|table| Step::Write(row(table, number))));
        steps.extend([Step::Read(list), Step::Write(list)]);
        for (article, line) in order.articles.iter().zip(order.lines()) {
            let stock = row(STOCK, *article);
            steps.extend([Step::Read(row(ITEM, *article)), Step::Read(stock)]);
            steps.extend([Step::Write(stock), Step::Write(line)]);
        }
        let district = &mut self.districts[district];
        district.undelivered.push_back(order.clone());
        district.recent.push_back(order);
        if district.recent.len() > RECENT {
            district.recent.pop_front();
        }
    }

    fn payment(&mut self, district: usize, rng: &mut Rng, steps: &mut Vec<Step>) {
        let customer = self.customer(rng, steps);
        steps.push(Step::Read(warehouse(district)));
        steps.push(Step::Read(row(DISTRICT, district as i64)));
        steps.extend([Step::Read(customer), Step::Write(customer)]);
        steps.push(Step::Write(row(HISTORY, self.next_history)));
        self.next_history += 1;
    }

    /// A customer, by number or by last name.
    fn customer(&self, rng: &mut Rng, steps: &mut Vec<Step>) -> i64 {
        let customer = self.customers.draw(rng);
        if rng.percent(60) {
            let name = customer / NAMESAKES;
            steps.push(Step::Read(row(NAMES, name as i64)));
            let namesakes = (name * NAMESAKES..(name + 1) * NAMESAKES).filter(|&id| id != customer);
            steps.extend(namesakes.map(|id| Step::Read(row(CUSTOMER, id as i64 + 1))));
        }
        row(CUSTOMER, customer as i64 + 1)
    }

    fn delivery(&mut self, district: usize, steps: &mut Vec<Step>) {
        let list = row(NEW_ORDERS, district as i64);
        steps.push(Step::Read(list));
        let Some(order) = self.districts[district].undelivered.pop_front() else { return };
        let rows = [row(NEW_ORDER, order.number), list, row(ORDER, order.number)];
        for key in rows.into_iter().chain(order.lines()).chain([row(CUSTOMER, order.customer)]) {
            if key != list {
                steps.push(Step::Read(key));
            }
            steps.push(Step::Write(key));
        }
    }

    fn order_status(&self, district: usize, rng: &mut Rng, steps: &mut Vec<Step>) {
        let customer = self.customer(rng, steps);
        steps.push(Step::Read(customer));
        if let Some(order) = self.recent(district, rng) {
            steps.push(Step::Read(row(ORDER, order.number)));
            steps.extend(order.lines().map(Step::Read));
        }
    }

    fn stock_level(&self, district: usize, rng: &mut Rng, steps: &mut Vec<Step>) {
        steps.push(Step::Read(row(DISTRICT, district as i64)));
        if let Some(order) = self.recent(district, rng) {
            steps.push(Step::Read(row(ORDER, order.number)));
            steps.extend(order.lines().map(Step::Read));
            steps.extend(order.articles.iter().map(|article| Step::Read(row(STOCK, *article))));
        }
    }

    fn recent(&self, district: usize, rng: &mut Rng) -> Option<&Order> {
        let recent = &self.districts[district].recent;
        recent.get(rng.below(recent.len().max(1) as u64) as usize)
    }
}

impl Planner for Tpcc {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let district = rng.below(self.districts.len() as u64) as usize;
        match rng.below(100) {
            0..45 => self.new_order(district, rng, steps),
            45..88 => self.payment(district, rng, steps),
            88..92 => self.delivery(district, steps),
            92..96 => self.order_status(district, rng, steps),
            _ => self.stock_level(district, rng, steps),
        }
    }
}

fn warehouse(district: usize) -> i64 {
    row(WAREHOUSE, (district / DISTRICTS) as i64)
}
