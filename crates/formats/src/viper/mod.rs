//! Viper's client logs: a folder with one JSON file per session, a line per committed transaction.
//!
//! ```text
//!   J24.log    {"value": [["r", 7, 1050689658935092220, false], ["w", 8, -918239999113782864, true]]}
//! ```
//!
//! | operation | meaning | becomes |
//! |---|---|---|
//! | `["r", key, value, dead]` | read | `get` |
//! | `["w", key, value, done]` | write | `put`, failed unless done |
//! | `["i", key, value, seen, dead, done]` | insert, which reads first | `rmw`; a `get` and a failed `put` unless done |
//! | `["d", key, tombstone, seen, dead, done]` | delete, which reads first | `get` and `delete`, failed unless done |
//! | `["range", from, to, live, dead]` | range read from key to key, *both included*; `"nil"` is no bound | `scan` |
//!
//! Values are hashes that are never written twice. Zero is the hash of a row that is not there.
//! Viper deletes a key by writing a *tombstone*: a read that finds one has seen that the key was
//! absent, and the tombstone tells by whose delete (a [hint](tristan_history::SourceHint)).
//!
//! What a key held at the start is known from a transaction with `"isInitial"`, which is not a
//! transaction of the run but tells the initial state. Without one it is the value of the key that
//! was read and never written; if there are several, the first one in the order of the files. The
//! others are values that no transaction wrote. So is a tombstone that no delete wrote, and a value found
//! dead that was written alive. A transaction with `"isFinal"` is one like all others.
//!
//! Times (`preBeginTS` and so on) are in milliseconds; zero and less stands for a time that was
//! not taken. Viper takes those of the begin around the first operation.
//!
//! In another layout, operations are objects: `{"opType": "d", "key": 7, "value": …, "readValue": …,
//! "isDead": false, "succ": true}`. Ranges have `key1`, `key2`, `liveKVs` and `deadKVs`.

mod initial;
mod line;
mod reader;

pub(crate) use reader::read;
