//! An auction house.
//!
//! | transaction | share | what it does |
//! |---|---|---|
//! | register user | 10 % | inserts a user, if the region is there and the nickname is not |
//! | register item | 15 % | inserts an item, if the seller is there |
//! | buy now | 15 % | takes some of an item, and inserts that it was bought |
//! | comment | 20 % | inserts a comment, and rates its receiver |
//! | browse | 40 % | looks at items and people: about twenty rows |

use tristan_generate::{Draw, Skew};

use super::{Application, Dice, Kind, Plan, Sizes, Start, Table, Txn, TxnError, USUAL, money};
use crate::statements::Value;

pub(super) const KIND: Kind = Kind {
    name: "sql-rubis",
    about: "an auction house: users, items, comments and sales",
    counts: "users",
    usual: || Sizes { skew: Skew::Zipf { hundredths: 50 }, ..USUAL },
    open: |sizes| Box::new(Rubis::new(sizes)),
};

const REGIONS: &[&str] =
    &["CREATE TABLE regions (id INT PRIMARY KEY, name VARCHAR(25) NOT NULL UNIQUE)"];
const USERS: &[&str] =
    &["CREATE TABLE users (id INT PRIMARY KEY, nickname VARCHAR(20) NOT NULL UNIQUE, \
     password VARCHAR(20) NOT NULL, email VARCHAR(50), balance DECIMAL(10,2) NOT NULL, \
     creation DATE NOT NULL, region INT NOT NULL)"];
const RATINGS: &[&str] = &["CREATE TABLE ratings (user_id INT PRIMARY KEY, rating INT NOT NULL)"];
const ITEMS: &[&str] = &[
    "CREATE TABLE items (id INT PRIMARY KEY, name VARCHAR(100) NOT NULL, \
     initial_price DECIMAL(10,2) NOT NULL, quantity INT NOT NULL, reserve_price DECIMAL(10,2), \
     bids INT NOT NULL, max_bid DECIMAL(10,2) NOT NULL, seller INT NOT NULL, category INT NOT NULL)",
    "CREATE INDEX items_of ON items (seller)",
];
const COMMENTS: &[&str] = &["CREATE TABLE comments (id INT PRIMARY KEY, from_user INT NOT NULL, \
     to_user INT NOT NULL, item INT NOT NULL, rating INT NOT NULL, words VARCHAR(200))"];
const BUY_NOW: &[&str] = &["CREATE TABLE buy_now (id INT PRIMARY KEY, buyer INT NOT NULL, \
     item INT NOT NULL, quantity INT NOT NULL)"];

const REGION: &str = "SELECT id FROM regions WHERE name = $1";
const NICKNAME: &str = "SELECT id FROM users WHERE nickname = $1";
const USER: &str = "SELECT nickname FROM users WHERE id = $1";
const NEW_USER: &str =
    "INSERT INTO users VALUES ($1, $2, $3, $4, CAST($5 AS DECIMAL(10,2)), CAST($6 AS DATE), $7)";
const NEW_RATING: &str = "INSERT INTO ratings VALUES ($1, $2)";
const NEW_ITEM: &str = "INSERT INTO items VALUES ($1, $2, CAST($3 AS DECIMAL(10,2)), $4, NULL, 0, \
     CAST($3 AS DECIMAL(10,2)), $5, $6)";
const ITEM: &str = "SELECT name, quantity, max_bid, reserve_price FROM items WHERE id = $1";
const TAKE: &str = "UPDATE items SET quantity = quantity - $2 WHERE id = $1";
const BOUGHT: &str = "INSERT INTO buy_now VALUES ($1, $2, $3, $4)";
const COMMENT: &str = "INSERT INTO comments VALUES ($1, $2, $3, $4, $5, $6)";
const RATE: &str = "UPDATE ratings SET rating = $2 WHERE user_id = $1";
const ITEMS_OF: &str =
    "SELECT id, name, max_bid FROM items WHERE seller = $1 ORDER BY max_bid DESC, id LIMIT 12";
const PERSON: &str = "SELECT u.nickname, r.rating FROM users u LEFT JOIN ratings r \
     ON r.user_id = u.id WHERE u.id = $1";

const REGION_COUNT: i64 = 62;
const ITEMS_EACH: i64 = 4;
const COMMENTS_PER_ITEM: i64 = 2;
const CATEGORIES: i64 = 20;

struct Rubis {
    users: i64,
    items: i64,
    user: Draw,
    item: Draw,
}

impl Rubis {
    fn new(sizes: &Sizes) -> Self {
        let users = sizes.scale.max(1);
        let items = users * ITEMS_EACH as u64;
        Self {
            users: users as i64,
            items: items as i64,
            user: Draw::new(users, sizes.skew),
            item: Draw::new(items, Skew::Uniform),
        }
    }

    /// A user, now and then one who is not there.
    fn any_user(&self, dice: &mut Dice) -> i64 {
        if dice.percent(2) { -1 } else { self.user.key(dice.rng()) }
    }
}

impl Application for Rubis {
    fn start(&self) -> Start {
        let comments = self.items * COMMENTS_PER_ITEM;
        let table = |name, create, rows| Table { name, create, rows };
        let region = |id: i64| vec![id.into(), region_name(id).into()];
        let rating = |user: i64| vec![user.into(), (user % 5).into()];
        let comment = |id: i64| self.comment(id);
        Start {
            tables: vec![
                table("regions", REGIONS, (1..=REGION_COUNT).map(region).collect()),
                table("users", USERS, (1..=self.users).map(user).collect()),
                table("ratings", RATINGS, (1..=self.users).map(rating).collect()),
                table("items", ITEMS, (1..=self.items).map(|id| self.item(id)).collect()),
                table("comments", COMMENTS, (1..=comments).map(comment).collect()),
                table("buy_now", BUY_NOW, Vec::new()),
            ],
        }
    }

    fn plan(&self, dice: &mut Dice) -> Plan {
        match dice.between(0, 99) {
            0..=9 => self.register_user(dice),
            10..=24 => self.register_item(dice),
            25..=39 => self.buy(dice),
            40..=59 => self.remark(dice),
            _ => self.browse(dice),
        }
    }
}

fn region_name(id: i64) -> String {
    format!("region {id}")
}

fn user(id: i64) -> Vec<Value> {
    vec![
        id.into(),
        format!("nick {id}").into(),
        format!("secret {id}").into(),
        Value::Null,
        "0.00".into(),
        "2026-01-31".into(),
        (id % REGION_COUNT + 1).into(),
    ]
}

impl Rubis {
    fn item(&self, id: i64) -> Vec<Value> {
        let price = money::value(1_000 + id % 500);
        let seller = (id - 1) % self.users + 1;
        let reserve = if id % 3 == 0 { money::value(2_000) } else { Value::Null };
        let name = format!("item {id}");
        vec![
            id.into(),
            name.into(),
            price.clone(),
            100.into(),
            reserve,
            0.into(),
            price,
            seller.into(),
            (id % CATEGORIES).into(),
        ]
    }

    fn comment(&self, id: i64) -> Vec<Value> {
        let item = (id - 1) % self.items + 1;
        let (from, to) = (id % self.users + 1, (item - 1) % self.users + 1);
        let numbers = [id, from, to, item, id % 5];
        let numbers = numbers.into_iter().map(Value::Int);
        numbers.chain([format!("comment {id}").into()]).collect()
    }

    fn register_user(&self, dice: &mut Dice) -> Plan {
        // The last region is none.
        let region = region_name(dice.between(1, REGION_COUNT + 1));
        let id = self.users + 1 + dice.fresh();
        let taken = dice.percent(5);
        let nickname = format!("nick {}", if taken { self.user.key(dice.rng()) } else { id });
        Box::new(move |txn| {
            let found = txn.row(REGION, &[region.as_str().into()])?;
            let Some(region) = found.and_then(|row| row.into_iter().next()) else { return Ok(()) };
            if txn.row(NICKNAME, &[nickname.as_str().into()])?.is_some() {
                return Ok(());
            }
            if txn.row(USER, &[id.into()])?.is_some() {
                return Err(TxnError::RollBack);
            }
            let mut values = user(id);
            (values[1], values[6]) = (nickname.as_str().into(), region);
            txn.change(NEW_USER, &values)?;
            txn.change(NEW_RATING, &[id.into(), (id % 5).into()]).map(drop)
        })
    }

    fn register_item(&self, dice: &mut Dice) -> Plan {
        let (id, seller) = (self.items + 1 + dice.fresh(), self.any_user(dice));
        let price = money::value(dice.between(100, 10_000));
        let (quantity, name) = (dice.between(1, 100), format!("item {}", dice.letters(8)));
        Box::new(move |txn| {
            if txn.row(USER, &[seller.into()])?.is_none() {
                return Ok(());
            }
            let category = (id % CATEGORIES).into();
            let name = name.as_str().into();
            let values = [id.into(), name, price.clone(), quantity.into(), seller.into(), category];
            txn.change(NEW_ITEM, &values).map(drop)
        })
    }

    fn buy(&self, dice: &mut Dice) -> Plan {
        let (id, buyer) = (1 + dice.fresh(), self.user.key(dice.rng()));
        let item = if dice.percent(2) { -1 } else { self.item.key(dice.rng()) };
        let quantity = dice.between(1, 5);
        Box::new(move |txn| {
            if txn.row(ITEM, &[item.into()])?.is_none() {
                return Ok(());
            }
            txn.change(TAKE, &[item.into(), quantity.into()])?;
            txn.change(BOUGHT, &[id.into(), buyer.into(), item.into(), quantity.into()]).map(drop)
        })
    }

    fn remark(&self, dice: &mut Dice) -> Plan {
        let id = self.items * COMMENTS_PER_ITEM + 1 + dice.fresh();
        let (from, to) = (self.user.key(dice.rng()), self.any_user(dice));
        let (item, words) = (self.item.key(dice.rng()), dice.letters(30));
        Box::new(move |txn| {
            let numbers = [id, from, to, item, id % 5].map(Value::Int);
            let values: Vec<Value> = numbers.into_iter().chain([words.as_str().into()]).collect();
            txn.change(COMMENT, &values)?;
            if txn.row(USER, &[to.into()])?.is_none() {
                return Ok(());
            }
            txn.change(RATE, &[to.into(), (id % 5).into()]).map(drop)
        })
    }

    fn browse(&self, dice: &mut Dice) -> Plan {
        let items: Vec<i64> = (0..5).map(|_| self.item.key(dice.rng())).collect();
        let people: Vec<i64> = (0..3).map(|_| self.user.key(dice.rng())).collect();
        Box::new(move |txn| look(txn, &items, &people))
    }
}

fn look(txn: &mut Txn<'_>, items: &[i64], people: &[i64]) -> Result<(), TxnError> {
    for &item in items {
        txn.row(ITEM, &[item.into()])?;
    }
    for &person in people {
        txn.row(PERSON, &[person.into()])?;
        txn.rows(ITEMS_OF, &[person.into()])?;
    }
    Ok(())
}
