//! A bank: accounts, and five things that people do with them.
//!
//! | transaction | what it does |
//! |---|---|
//! | balance | reads |
//! | deposit | adds |
//! | withdraw | subtracts, if there is enough |
//! | transfer | adds here and subtracts there |
//! | overdraft | reads, then subtracts, with a fee if there was not enough |
//!
//! The sizes that the literature varies: how many of the accounts are dealt with at all, how many
//! transactions only read, and how many writes are *blind*, so that the log does not tell what they
//! led to.

use tristan_generate::Draw;

use super::{Application, Dice, Kind, Plan, Sizes, Start, Table, Txn, TxnError, USUAL, money};
use crate::statements::Value;

pub(super) const KIND: Kind = Kind {
    name: "sql-bank",
    about: "deposits, withdrawals, transfers, overdrafts and balances",
    counts: "accounts",
    usual: || USUAL,
    open: |sizes| Box::new(Bank::new(sizes)),
};

const CREATE: &[&str] =
    &["CREATE TABLE accounts (acc_id INT PRIMARY KEY, balance DECIMAL(12,2) NOT NULL)"];

const BALANCE: &str = "SELECT balance FROM accounts WHERE acc_id = $1";
const ADD: &str =
    "UPDATE accounts SET balance = balance + CAST($2 AS DECIMAL(12,2)) WHERE acc_id = $1";
const SUBTRACT: &str =
    "UPDATE accounts SET balance = balance - CAST($2 AS DECIMAL(12,2)) WHERE acc_id = $1";
const SUBTRACT_IF_ENOUGH: &str = "UPDATE accounts SET balance = balance - CAST($2 AS DECIMAL(12,2)) \
     WHERE acc_id = $1 AND balance >= CAST($2 AS DECIMAL(12,2))";

/// What is in every account at first, in cents.
const OPENING: i64 = 100_000;
/// The largest amount of a transfer.
const MOST: i64 = 20_000;
/// What an overdraft costs.
const FEE: i64 = 1_500;

struct Bank {
    accounts: i64,
    chosen: Draw,
    sizes: Sizes,
}

/// What to do with an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Balance,
    Deposit,
    Withdraw,
    Transfer,
    Overdraft,
}

/// A deed with all that belongs to it.
#[derive(Clone, Copy, Debug)]
struct Order {
    deed: Deed,
    account: i64,
    /// The other account of a transfer.
    other: i64,
    cents: i64,
    blind: bool,
}

impl Bank {
    fn new(sizes: &Sizes) -> Self {
        let accounts = sizes.scale.max(2);
        let accessed = (accounts * sizes.accessed.min(100) / 100).max(2);
        let chosen = Draw::new(accessed, sizes.skew);
        Self { accounts: accounts as i64, chosen, sizes: *sizes }
    }

    fn order(&self, deed: Deed, blind: bool, dice: &mut Dice) -> Order {
        let account = self.chosen.key(dice.rng());
        let mut other = self.chosen.key(dice.rng());
        if other == account {
            other = if account == 1 { 2 } else { account - 1 };
        }
        Order { deed, account, other, cents: dice.between(1, MOST), blind }
    }
}

impl Application for Bank {
    fn start(&self) -> Start {
        let account = |id: i64| vec![Value::Int(id), money::value(OPENING)];
        let rows = (1..=self.accounts).map(account).collect();
        Start { tables: vec![Table { name: "accounts", create: CREATE, rows }] }
    }

    fn plan(&self, dice: &mut Dice) -> Plan {
        let reads = dice.percent(self.sizes.read_only);
        let blind = !reads && dice.percent(self.sizes.blind);
        let deeds = [Deed::Deposit, Deed::Withdraw, Deed::Transfer, Deed::Overdraft];
        let orders: Vec<Order> = (0..self.sizes.ops.max(1))
            .map(|_| {
                let deed = if reads { Deed::Balance } else { deeds[dice.between(0, 3) as usize] };
                self.order(deed, blind, dice)
            })
            .collect();
        Box::new(move |txn| orders.iter().try_for_each(|order| order.carry_out(txn)))
    }
}

impl Order {
    fn carry_out(&self, txn: &mut Txn<'_>) -> Result<(), TxnError> {
        let Self { account, other, cents, .. } = *self;
        match self.deed {
            Deed::Balance => return txn.row(BALANCE, &[account.into()]).map(drop),
            Deed::Deposit => txn.change(ADD, &[account.into(), money::value(cents)])?,
            Deed::Withdraw => {
                txn.change(SUBTRACT_IF_ENOUGH, &[account.into(), money::value(cents)])?
            }
            Deed::Transfer => {
                txn.change(ADD, &[other.into(), money::value(cents)])?;
                txn.change(SUBTRACT, &[account.into(), money::value(cents)])?
            }
            Deed::Overdraft => {
                let row = txn.row(BALANCE, &[account.into()])?;
                let held = row.and_then(|row| row.first().and_then(money::cents)).unwrap_or(0);
                let fee = if held < cents { FEE } else { 0 };
                txn.change(SUBTRACT, &[account.into(), money::value(cents + fee)])?
            }
        };
        if self.blind {
            return Ok(());
        }
        if self.deed == Deed::Transfer {
            txn.row(BALANCE, &[other.into()])?;
        }
        txn.row(BALANCE, &[account.into()]).map(drop)
    }
}
