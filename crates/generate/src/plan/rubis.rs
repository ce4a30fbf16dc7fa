//! An auction site: RUBiS of the Cobra and Viper papers, as keys and values.
//!
//! ```text
//!   10 %  register user   read region and nickname; write user, nickname, rating
//!   15 %  register item   read the seller; write the item
//!   15 %  buy now         read and write the item; write the purchase
//!   20 %  comment         write the comment; read the user, write the rating
//!   40 %  browse          read five items and three ratings
//! ```
//!
//! Nothing is there at the start: a key that no transaction has written yet is read as absent.

use super::{Draw, Planner, Rng, Step, row};

const REGION: i64 = 1;
const USER: i64 = 2;
const NICKNAME: i64 = 3;
const RATING: i64 = 4;
const ITEM: i64 = 5;
const PURCHASE: i64 = 6;
const COMMENT: i64 = 7;

const REGIONS: u64 = 62;
const ITEMS_PER_USER: u64 = 4;

pub(super) struct Rubis {
    /// Users that are known from the start.
    draw: Draw,
    users: i64,
    items: i64,
    purchases: i64,
    comments: i64,
}

impl Rubis {
    pub(super) fn new(users: u64, draw: Draw) -> Self {
        let users = users.max(1);
        let items = (users * ITEMS_PER_USER) as i64;
        Self { draw, users: users as i64, items, purchases: 0, comments: 0 }
    }

    fn item(&self, rng: &mut Rng) -> i64 {
        row(ITEM, 1 + rng.below(self.items as u64) as i64)
    }

    fn register_user(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let user = next(&mut self.users);
        steps.push(Step::Read(row(REGION, rng.below(REGIONS) as i64)));
        steps.push(Step::Read(row(NICKNAME, user)));
        steps.extend([USER, NICKNAME, RATING].map(|table| Step::Write(row(table, user))));
    }

    fn register_item(&mut self, seller: i64, steps: &mut Vec<Step>) {
        steps.push(Step::Read(row(USER, seller)));
        steps.push(Step::Write(row(ITEM, next(&mut self.items))));
    }

    fn buy_now(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let item = self.item(rng);
        let purchase = row(PURCHASE, next(&mut self.purchases));
        steps.extend([Step::Read(item), Step::Write(item), Step::Write(purchase)]);
    }

    fn comment(&mut self, about: i64, steps: &mut Vec<Step>) {
        steps.push(Step::Write(row(COMMENT, next(&mut self.comments))));
        steps.extend([Step::Read(row(USER, about)), Step::Write(row(RATING, about))]);
    }

    fn browse(&self, rng: &mut Rng, steps: &mut Vec<Step>) {
        steps.extend((0..5).map(|_| Step::Read(self.item(rng))));
        steps.extend((0..3).map(|_| Step::Read(row(RATING, self.draw.key(rng)))));
    }
}

impl Planner for Rubis {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let user = self.draw.key(rng);
        match rng.below(100) {
            0..10 => self.register_user(rng, steps),
            10..25 => self.register_item(user, steps),
            25..40 => self.buy_now(rng, steps),
            40..60 => self.comment(user, steps),
            _ => self.browse(rng, steps),
        }
    }
}

fn next(counter: &mut i64) -> i64 {
    *counter += 1;
    *counter
}
