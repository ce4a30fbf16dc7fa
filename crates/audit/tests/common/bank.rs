//! Logs of a bank that does what it should, or one thing that it should not.
//!
//! Transactions run at the same time and take effect at one instant; rows are locked from their
//! statement to that instant, as databases do. So a log without a fault is right at every level.

#![allow(dead_code, reason = "every user uses some of this")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use tristan_testkit::Random;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    WrongRow,
    LostRow,
    DuplicatedRow,
    StaleRead,
    LostUpdate,
    Phantom,
    WrongAggregate,
}

/// A workload.
#[derive(Clone, Copy, Debug)]
pub struct Bank {
    pub accounts: u64,
    pub clients: u64,
    pub transactions: u64,
    pub seed: u64,
    /// Percent of transactions that only read one balance.
    pub reads: u64,
    /// Every so many transactions one reads all accounts; zero for never.
    pub scans: u64,
    /// What goes wrong, and from which transaction on it is looked for.
    pub fault: Option<(Fault, u64)>,
}

/// A log, and where it is wrong.
pub struct Made {
    pub text: String,
    pub wrong: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Balance(u64),
    Deposit(u64, i64),
    Withdraw(u64, i64),
    Transfer(u64, u64, i64),
    Overdraft(u64, i64),
    Total,
    Poor(i64),
}

impl Kind {
    fn rows(&self) -> Vec<u64> {
        match self {
            Self::Deposit(a, _) | Self::Withdraw(a, _) | Self::Overdraft(a, _) => vec![*a],
            Self::Transfer(a, b, _) => vec![*a, *b],
            _ => Vec::new(),
        }
    }
}

/// A bank while it runs.
struct Running {
    bank: Bank,
    tick: i64,
    balances: Vec<i64>,
    /// When each account was last changed, and what it was before.
    changed: Vec<(i64, i64)>,
    random: Random,
    wrong: Option<u64>,
    /// An account whose change was lost.
    lost: Option<u64>,
}

pub const SCHEMA: &str = "CREATE TABLE accounts (acc_id INT PRIMARY KEY, balance DECIMAL(12,2))";

/// Runs the bank.
pub fn make(bank: Bank) -> Made {
    let mut text = String::new();
    let wrong = stream(bank, 1, |part| text.push_str(part));
    Made { text, wrong }
}

/// Runs the bank, with one tick of its clock so many nanoseconds long, and hands over the log line by line. Returns
/// where it is wrong.
pub fn stream(bank: Bank, tick: i64, mut write: impl FnMut(&str)) -> Option<u64> {
    let accounts = usize::try_from(bank.accounts).expect("fits");
    let mut running = Running {
        bank,
        tick,
        balances: vec![100_000; accounts],
        changed: vec![(i64::MIN / 2, 100_000); accounts],
        random: Random::new(bank.seed),
        wrong: None,
        lost: None,
    };
    let mut heap = BinaryHeap::new();
    for client in 0..bank.clients {
        running.begin(&mut heap, client, i64::try_from(client).expect("small") * 10);
    }
    let mut lines: BTreeMap<(i64, u64), String> = BTreeMap::new();
    write(&start(bank.accounts));
    let mut number = 0;
    while number < bank.transactions {
        let Some(Reverse((effect, begin, client, kind))) = heap.pop() else { break };
        let free = kind.rows().iter().map(|&row| running.changed[index(row)].0 + 6).max();
        if free.is_some_and(|free| free > effect) {
            heap.push(Reverse((free.unwrap_or(effect), begin, client, kind)));
            continue;
        }
        number += 1;
        let end = effect + 1 + running.random.below(20);
        let line = running.run(&kind, number, client, (begin, effect, end));
        lines.insert((begin, number), line);
        running.begin(&mut heap, client, end + 1);
        let oldest = heap.iter().map(|Reverse((_, begin, _, _))| *begin).min().unwrap_or(i64::MAX);
        while let Some(entry) = lines.first_entry().filter(|entry| entry.key().0 < oldest) {
            write(&entry.remove());
        }
    }
    lines.into_values().for_each(|line| write(&line));
    running.wrong
}

fn start(accounts: u64) -> String {
    let rows: Vec<String> = (1..=accounts).map(|id| format!("[{id},\"1000.00\"]")).collect();
    format!(
        "{{\"tristan\":\"sql-log/1\",\"dialect\":\"postgresql\",\"sorted\":true}}\n{{\"schema\":\"{SCHEMA}\"}}\n{{\"rows\":\"accounts\",\"values\":[{}]}}\n",
        rows.join(",")
    )
}

fn index(account: u64) -> usize {
    usize::try_from(account - 1).expect("fits")
}

fn money(cents: i64) -> String {
    format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, cents.abs() / 100, cents.abs() % 100)
}

type Heap = BinaryHeap<Reverse<(i64, i64, u64, Kind)>>;

impl Running {
    fn begin(&mut self, heap: &mut Heap, client: u64, begin: i64) {
        let account = |random: &mut Random, most: u64| random.below(most) + 1;
        let most = self.bank.accounts;
        let one = account(&mut self.random, most);
        let amount = self.random.below(5000) + 1;
        let scans = self.bank.scans;
        let kind = match self.random.below(100) {
            _ if scans > 0 && self.random.below(scans) == 0 => match self.random.below(2) {
                0 => Kind::Total,
                _ => Kind::Poor(100_000),
            },
            n if n < self.bank.reads => Kind::Balance(one),
            n => match n % 4 {
                0 => Kind::Deposit(one, amount),
                1 => Kind::Withdraw(one, amount),
                2 => Kind::Overdraft(one, amount),
                _ => {
                    let other = account(&mut self.random, most);
                    match other == one {
                        true => Kind::Deposit(one, amount),
                        false => Kind::Transfer(one, other, amount),
                    }
                }
            },
        };
        let length = 10 + self.random.below(40);
        heap.push(Reverse((begin + length, begin, client, kind)));
    }

    fn change(&mut self, account: u64, by: i64, at: i64) {
        let place = index(account);
        self.changed[place] = (at, self.balances[place]);
        self.balances[place] += by;
    }

    /// The line of a transaction that takes effect now.
    fn run(&mut self, kind: &Kind, number: u64, client: u64, times: (i64, i64, i64)) -> String {
        let (begin, effect, end) = times;
        let steps = self.steps(kind, number, effect);
        let tick = |time: i64| time * self.tick;
        let count = i64::try_from(steps.len()).expect("small");
        // Who only reads does so at the instant; who writes holds locks until then.
        let commit = if kind.rows().is_empty() { effect } else { effect - 1 };
        let last = if kind.rows().is_empty() { effect } else { effect - 2 };
        let steps: Vec<String> = steps
            .into_iter()
            .zip(0..)
            .map(|((sql, params, seen), place)| {
                let at = last + 1 - count + place;
                let from = if place == 0 { begin } else { at - 1 };
                let (from, at) = (tick(from), tick(at));
                format!("{{\"sql\":\"{sql}\",\"params\":[{params}],{seen},\"at\":[{from},{at}]}}")
            })
            .collect();
        let (begin, commit, end) = (tick(begin), tick(commit), tick(end));
        format!(
            "{{\"txn\":{number},\"c\":{client},\"at\":[{begin},{end}],\"commit\":[{commit},{end}],\"do\":[{}]}}\n",
            steps.join(",")
        )
    }

    fn steps(
        &mut self,
        kind: &Kind,
        number: u64,
        effect: i64,
    ) -> Vec<(&'static str, String, String)> {
        const READ: &str = "SELECT balance FROM accounts WHERE acc_id = $1";
        const ADD: &str = "UPDATE accounts SET balance = balance + $2 WHERE acc_id = $1";
        const TAKE: &str =
            "UPDATE accounts SET balance = balance - $2 WHERE acc_id = $1 AND balance >= $2";
        let params = |account: u64, cents: i64| format!("{account},\"{}\"", money(cents));
        match *kind {
            Kind::Balance(account) => {
                let seen = self.balance(account, number);
                vec![(READ, account.to_string(), seen)]
            }
            Kind::Deposit(account, cents) => {
                if self.is_due(Fault::LostUpdate, number) && self.lost.is_none() {
                    self.lost = Some(account);
                } else {
                    self.change(account, cents, effect);
                }
                vec![(ADD, params(account, cents), "\"affected\":1".to_owned())]
            }
            Kind::Withdraw(account, cents) => {
                let enough = self.balances[index(account)] >= cents;
                if enough {
                    self.change(account, -cents, effect);
                }
                vec![(TAKE, params(account, cents), format!("\"affected\":{}", u8::from(enough)))]
            }
            Kind::Transfer(from, to, cents) => {
                self.change(to, cents, effect);
                self.change(from, -cents, effect);
                let affected = || "\"affected\":1".to_owned();
                vec![(ADD, params(to, cents), affected()), (ADD, params(from, -cents), affected())]
            }
            Kind::Overdraft(account, cents) => {
                let seen = self.balance(account, number);
                let fee = if self.balances[index(account)] < cents { 500 } else { 0 };
                self.change(account, -cents - fee, effect);
                vec![
                    (READ, account.to_string(), seen),
                    (ADD, params(account, -cents - fee), "\"affected\":1".to_owned()),
                ]
            }
            Kind::Total => {
                let mut total: i64 = self.balances.iter().sum();
                if self.is_due(Fault::WrongAggregate, number) {
                    total += 1;
                    self.wrong = Some(number);
                }
                let seen = format!("\"rows\":[[\"{}\"]]", money(total));
                vec![("SELECT sum(balance) FROM accounts", String::new(), seen)]
            }
            Kind::Poor(limit) => {
                let mut count = self.balances.iter().filter(|balance| **balance < limit).count();
                if self.is_due(Fault::Phantom, number) {
                    count += 1;
                    self.wrong = Some(number);
                }
                let seen = format!("\"rows\":[[{count}]]");
                vec![(
                    "SELECT count(*) FROM accounts WHERE balance < $1",
                    format!("\"{}\"", money(limit)),
                    seen,
                )]
            }
        }
    }

    fn is_due(&self, fault: Fault, number: u64) -> bool {
        self.wrong.is_none()
            && self.bank.fault.is_some_and(|(own, from)| own == fault && number >= from)
    }

    /// What a query for a balance is answered.
    fn balance(&mut self, account: u64, number: u64) -> String {
        let place = index(account);
        let right = self.balances[place];
        let row = |cents: i64| format!("[\"{}\"]", money(cents));
        if self.lost == Some(account) && self.wrong.is_none() {
            self.wrong = Some(number);
        }
        let before = self.changed[place].1;
        let due = |fault| self.is_due(fault, number);
        let rows = if due(Fault::WrongRow) {
            row(right + 7)
        } else if due(Fault::LostRow) {
            String::new()
        } else if due(Fault::DuplicatedRow) {
            format!("{},{}", row(right), row(right))
        } else if due(Fault::StaleRead) && before != right && self.is_old(place) {
            row(before)
        } else {
            return format!("\"rows\":[{}]", row(right));
        };
        self.wrong = Some(number);
        format!("\"rows\":[{rows}]")
    }

    /// Whether an account was changed so long ago that nobody may still read what it was.
    fn is_old(&self, place: usize) -> bool {
        let newest = self.changed.iter().map(|(at, _)| *at).max().unwrap_or(0);
        self.changed[place].0 < newest - 400
    }
}
