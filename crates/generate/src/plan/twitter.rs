//! A small social network: Twitter of the Cobra and Viper papers, as keys and values.
//!
//! ```text
//!   20 %  new tweet      write the tweet, write the author's last tweet
//!   40 %  follow         write both directions; read and write the follower's list
//!   10 %  timeline       read the list, then the last tweet of up to 20 people on it
//!   10 %  show follows   read the list
//!   20 %  show tweets    read the last tweet, then the ten tweets before it, of whomever
//! ```
//!
//! Every user follows himself. Nothing is there at the start.

use super::{Draw, Planner, Rng, Step, row};

const TWEET: i64 = 1;
const LAST_TWEET: i64 = 2;
const FOLLOWING: i64 = 3;
const FOLLOWERS: i64 = 4;
const FOLLOW_LIST: i64 = 5;

/// Most people of a timeline.
const TIMELINE: usize = 20;
/// How many tweets are shown.
const SHOWN: i64 = 10;

pub(super) struct Twitter {
    users: Vec<User>,
    draw: Draw,
    next_tweet: i64,
}

#[derive(Clone, Default)]
struct User {
    last_tweet: i64,
    follows: Vec<u32>,
}

impl Twitter {
    pub(super) fn new(users: u64, draw: Draw) -> Self {
        let users = vec![User::default(); users.max(1) as usize];
        Self { users, draw, next_tweet: 1 }
    }

    fn tweet(&mut self, user: usize, steps: &mut Vec<Step>) {
        let tweet = self.next_tweet;
        self.next_tweet += 1;
        self.users[user].last_tweet = tweet;
        steps.push(Step::Write(row(TWEET, tweet)));
        steps.push(Step::Write(row(LAST_TWEET, user as i64)));
    }

    fn follow(&mut self, user: usize, other: usize, steps: &mut Vec<Step>) {
        let follows = &mut self.users[user].follows;
        match follows.iter().position(|followed| *followed == other as u32) {
            Some(place) => drop(follows.swap_remove(place)),
            None if follows.len() < TIMELINE => follows.push(other as u32),
            None => {}
        }
        let pair = |from: usize, to: usize| (from * self.users.len() + to) as i64;
        let list = row(FOLLOW_LIST, user as i64);
        steps.push(Step::Write(row(FOLLOWERS, pair(other, user))));
        steps.push(Step::Write(row(FOLLOWING, pair(user, other))));
        steps.extend([Step::Read(list), Step::Write(list)]);
    }

    fn timeline(&self, user: usize, steps: &mut Vec<Step>) {
        steps.push(Step::Read(row(FOLLOW_LIST, user as i64)));
        let followed = self.users[user].follows.iter().map(|other| *other as usize);
        for other in std::iter::once(user).chain(followed).take(TIMELINE) {
            steps.push(Step::Read(row(LAST_TWEET, other as i64)));
            steps.push(Step::Read(row(TWEET, self.users[other].last_tweet)));
        }
    }

    fn show_tweets(&self, user: usize, steps: &mut Vec<Step>) {
        steps.push(Step::Read(row(LAST_TWEET, user as i64)));
        let last = self.users[user].last_tweet;
        let shown = (last - SHOWN).max(0)..=last;
        steps.extend(shown.map(|tweet| Step::Read(row(TWEET, tweet))));
    }
}

impl Planner for Twitter {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let user = self.draw.draw(rng) as usize;
        match rng.below(100) {
            0..20 => self.tweet(user, steps),
            20..60 => {
                let other = self.draw.draw(rng) as usize;
                self.follow(user, other, steps);
            }
            60..70 => self.timeline(user, steps),
            70..80 => steps.push(Step::Read(row(FOLLOW_LIST, user as i64))),
            _ => self.show_tweets(user, steps),
        }
    }
}
