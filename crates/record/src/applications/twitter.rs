//! A place where people follow each other and read what the others write.
//!
//! | transaction | share | what it does |
//! |---|---|---|
//! | new tweet | 20 % | inserts a tweet, and makes it the author's last |
//! | follow | 40 % | follows a user or stops following him, on both sides, and counts whom one follows |
//! | timeline | 10 % | the last tweets of those one follows |
//! | show follow | 10 % | whom one follows |
//! | show tweets | 20 % | the tweets of a user, the newest first |

use tristan_generate::{Draw, Skew};

use super::{Application, Dice, Kind, Plan, Sizes, Start, Table, Txn, TxnError, USUAL};
use crate::dialect::Dialect;
use crate::statements::Value;

pub(super) const KIND: Kind = Kind {
    name: "sql-twitter",
    about: "users who follow each other and post short messages",
    counts: "users",
    usual: || Sizes { skew: Skew::Zipf { hundredths: 50 }, ..USUAL },
    open: |sizes| Box::new(Twitter::new(sizes)),
};

const USERS: &[&str] =
    &["CREATE TABLE users (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, follows INT NOT NULL)"];
const TWEETS: &[&str] = &[
    "CREATE TABLE tweets (id BIGINT PRIMARY KEY, author INT NOT NULL, body VARCHAR(140) NOT NULL)",
    "CREATE INDEX tweets_of ON tweets (author)",
];
const LAST_TWEETS: &[&str] =
    &["CREATE TABLE last_tweets (author INT PRIMARY KEY, tweet BIGINT NOT NULL)"];
const FOLLOWING: &[&str] = &["CREATE TABLE following (src INT NOT NULL, dst INT NOT NULL, \
     active INT NOT NULL, PRIMARY KEY (src, dst))"];
const FOLLOWERS: &[&str] = &["CREATE TABLE followers (dst INT NOT NULL, src INT NOT NULL, \
     active INT NOT NULL, PRIMARY KEY (dst, src))"];

const TWEET: &str = "INSERT INTO tweets VALUES ($1, $2, $3)";
const FOLLOW_COUNT: &str = "SELECT follows FROM users WHERE id = $1";
const COUNT_FOLLOWS: &str = "UPDATE users SET follows = $2 WHERE id = $1";
const FOLLOWED: &str =
    "SELECT dst FROM following WHERE src = $1 AND active = 1 ORDER BY dst LIMIT 20";
const TIMELINE: &str = "SELECT t.id, t.author, t.body FROM following f \
     JOIN last_tweets l ON l.author = f.dst JOIN tweets t ON t.id = l.tweet \
     WHERE f.src = $1 AND f.active = 1 ORDER BY t.id DESC LIMIT 20";
const TWEETS_OF: &str = "SELECT id, body FROM tweets WHERE author = $1 ORDER BY id DESC LIMIT 10";
const WAS_FOLLOWING: &str = "SELECT active FROM following WHERE src = $1 AND dst = $2";

/// Tweets of each user at the start.
const TWEETS_EACH: i64 = 10;
/// How long tweets are.
const LENGTH: usize = 40;

/// The statements that write a row whether it is there or not, which every dialect says differently.
struct Upserts {
    last_tweet: &'static str,
    following: &'static str,
    followers: &'static str,
}

fn upserts(dialect: Dialect) -> Upserts {
    match dialect {
        Dialect::Mysql => Upserts {
            last_tweet: "INSERT INTO last_tweets VALUES ($1, $2) \
                         ON DUPLICATE KEY UPDATE tweet = VALUES(tweet)",
            following: "INSERT INTO following VALUES ($1, $2, $3) \
                        ON DUPLICATE KEY UPDATE active = VALUES(active)",
            followers: "INSERT INTO followers VALUES ($2, $1, $3) \
                        ON DUPLICATE KEY UPDATE active = VALUES(active)",
        },
        Dialect::Postgres | Dialect::Sqlite => Upserts {
            last_tweet: "INSERT INTO last_tweets VALUES ($1, $2) \
                         ON CONFLICT (author) DO UPDATE SET tweet = excluded.tweet",
            following: "INSERT INTO following VALUES ($1, $2, $3) \
                        ON CONFLICT (src, dst) DO UPDATE SET active = excluded.active",
            followers: "INSERT INTO followers VALUES ($2, $1, $3) \
                        ON CONFLICT (dst, src) DO UPDATE SET active = excluded.active",
        },
    }
}

struct Twitter {
    users: i64,
    chosen: Draw,
}

impl Twitter {
    fn new(sizes: &Sizes) -> Self {
        let users = sizes.scale.max(1);
        Self { users: users as i64, chosen: Draw::new(users, sizes.skew) }
    }
}

impl Application for Twitter {
    fn start(&self) -> Start {
        let users = || 1..=self.users;
        let numbers = |row: &[i64]| row.iter().map(|&number| Value::Int(number)).collect();
        let user = |id: i64| vec![id.into(), format!("user {id}").into(), 1.into()];
        let tweet = |id: i64| {
            let author = (id - 1) % self.users + 1;
            vec![id.into(), author.into(), format!("tweet {id}").into()]
        };
        let tweets = self.users * TWEETS_EACH;
        let last = |author: i64| numbers(&[author, tweets - self.users + author]);
        let table = |name, create, rows| Table { name, create, rows };
        Start {
            tables: vec![
                table("users", USERS, users().map(user).collect()),
                table("tweets", TWEETS, (1..=tweets).map(tweet).collect()),
                table("last_tweets", LAST_TWEETS, users().map(last).collect()),
                // Every user follows himself.
                table("following", FOLLOWING, users().map(|id| numbers(&[id, id, 1])).collect()),
                table("followers", FOLLOWERS, users().map(|id| numbers(&[id, id, 1])).collect()),
            ],
        }
    }

    fn plan(&self, dice: &mut Dice) -> Plan {
        let user = self.chosen.key(dice.rng());
        match dice.between(0, 99) {
            0..=19 => {
                let id = self.users * TWEETS_EACH + 1 + dice.fresh();
                let body = dice.letters(LENGTH);
                Box::new(move |txn| new_tweet(txn, user, id, &body))
            }
            20..=59 => {
                let other = self.chosen.key(dice.rng());
                let active = i64::from(dice.percent(50));
                Box::new(move |txn| follow(txn, user, other, active))
            }
            60..=69 => Box::new(move |txn| {
                txn.rows(FOLLOWED, &[user.into()])?;
                txn.rows(TIMELINE, &[user.into()]).map(drop)
            }),
            70..=79 => Box::new(move |txn| txn.rows(FOLLOWED, &[user.into()]).map(drop)),
            _ => Box::new(move |txn| txn.rows(TWEETS_OF, &[user.into()]).map(drop)),
        }
    }
}

fn new_tweet(txn: &mut Txn<'_>, author: i64, id: i64, body: &str) -> Result<(), TxnError> {
    txn.change(TWEET, &[id.into(), author.into(), body.into()])?;
    let last_tweet = upserts(txn.dialect()).last_tweet;
    txn.change(last_tweet, &[author.into(), id.into()]).map(drop)
}

fn follow(txn: &mut Txn<'_>, src: i64, dst: i64, active: i64) -> Result<(), TxnError> {
    let before = txn.row(WAS_FOLLOWING, &[src.into(), dst.into()])?;
    let before = before.and_then(|row| row.first().and_then(Value::int)).unwrap_or(0);
    let Upserts { following, followers, .. } = upserts(txn.dialect());
    let params = [src.into(), dst.into(), active.into()];
    txn.change(followers, &params)?;
    txn.change(following, &params)?;
    let count = txn.row(FOLLOW_COUNT, &[src.into()])?;
    let count = count.and_then(|row| row.first().and_then(Value::int)).unwrap_or(0);
    txn.change(COUNT_FOLLOWS, &[src.into(), (count + active - before).into()]).map(drop)
}
