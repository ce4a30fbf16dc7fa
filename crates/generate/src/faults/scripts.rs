//! What happens around each fault, and what the lie is.
//!
//! The transactions run correctly; only the claim at the end of each script is false. Why nothing
//! can explain it is said there.

use tristan_store::Interval;

use super::lie::Lie;
use super::scene::{Scene, Who};
use tristan_history::{OpRef, TxnId};

/// A transaction that saw the key absent has a snapshot before the insert; one that sees it has one after it.
pub(super) fn phantom(scene: &mut Scene) -> Lie {
    let ([key], value, range) = (scene.keys(), scene.value(), scene.range);
    let mut act = scene.begin(Who::Alice);
    scene.stage.scan(&mut act, range);
    let writer = name(scene.write(Who::Bob, &[(key, value)]));
    scene.stage.scan(&mut act, range);
    let reader = scene.commit(act);
    let description = format!(
        "{} scans {} twice and finds key {key} only the second time; {writer} inserted it in between",
        name(reader),
        shown(range)
    );
    lie(reader, 1, &[(key, Some(value))], description)
}

/// The value has one writer, and the same client deleted it later.
pub(super) fn resurrected_delete(scene: &mut Scene) -> Lie {
    let ([key], value) = (scene.keys(), scene.value());
    scene.write(Who::Alice, &[(key, value)]);
    let mut act = scene.begin(Who::Alice);
    scene.stage.delete(&mut act, key);
    let deleter = name(scene.commit(act));
    let witness = name(scene.look(Who::Alice, key));
    let reader = scene.look(Who::Alice, key);
    let description = format!(
        "{deleter} deletes key {key}, {witness} sees that it is gone, {} of the same session reads {value} again",
        name(reader)
    );
    lie(reader, 0, &[(key, Some(value))], description)
}

/// The deleter read the value, so its delete comes after the write, and before the reader.
pub(super) fn lost_delete(scene: &mut Scene) -> Lie {
    let ([key], value) = (scene.keys(), scene.value());
    scene.write(Who::Bob, &[(key, value)]);
    let mut act = scene.begin(Who::Alice);
    scene.stage.get(&mut act, key);
    scene.stage.delete(&mut act, key);
    let deleter = name(scene.commit(act));
    let reader = scene.look(Who::Alice, key);
    let description = format!(
        "{deleter} deletes key {key}, {} of the same session still reads {value}",
        name(reader)
    );
    lie(reader, 0, &[(key, Some(value))], description)
}

/// All keys were inserted together, so one cannot be absent if the next one is there.
pub(super) fn skipped_item(scene: &mut Scene) -> Lie {
    let keys: [i64; 5] = scene.keys();
    let pairs = keys.map(|key| (key, scene.value()));
    let writer = name(scene.write(Who::Alice, &pairs));
    let most = if scene.rng.percent(50) { keys.len() - 1 } else { usize::MAX };
    let range = Interval { lo: Some(keys[0]), ..scene.range };
    let mut act = scene.begin(Who::Alice);
    scene.stage.iterate(&mut act, range, most);
    let reader = scene.commit(act);
    let skipped = keys[1 + scene.rng.below(2) as usize];
    let description = format!(
        "{} steps through {} and skips key {skipped}, which {writer} of the same session inserted with its neighbours",
        name(reader),
        shown(range)
    );
    lie(reader, 0, &[(skipped, None)], description)
}

/// The first key was inserted by the same client.
pub(super) fn stale_scan(scene: &mut Scene) -> Lie {
    let keys: [i64; 4] = scene.keys();
    let range = scene.range;
    let mut writers = Vec::new();
    for (key, who) in keys.into_iter().zip([Who::Alice, Who::Bob, Who::Alice, Who::Bob]) {
        let value = scene.value();
        writers.push(name(scene.write(who, &[(key, value)])));
    }
    let mut act = scene.begin(Who::Alice);
    scene.stage.scan(&mut act, range);
    let reader = scene.commit(act);
    let description = format!(
        "{} scans {} and sees the state before {}, of which {} and {} are of the same session",
        name(reader),
        shown(range),
        writers.join(", "),
        writers[0],
        writers[2]
    );
    lie(reader, 0, &keys.map(|key| (key, None)), description)
}

/// The second writer read what the first wrote, so the order of the versions is certain.
pub(super) fn fractured_scan(scene: &mut Scene) -> Lie {
    let keys: [i64; 2] = scene.keys();
    let old = keys.map(|key| (key, scene.value()));
    let new = keys.map(|key| (key, scene.value()));
    let who = scene.anyone();
    let first = name(scene.write(who, &old));
    let second = name(scene.update(Who::Alice, &new));
    let range = scene.range;
    let mut act = scene.begin(Who::Bob);
    scene.stage.scan(&mut act, range);
    let reader = scene.commit(act);
    let (key, value) = old[scene.rng.below(2) as usize];
    let description = format!(
        "{} scans {} and sees key {key} as {first} wrote it, the other one of {keys:?} as {second} wrote both",
        name(reader),
        shown(range)
    );
    lie(reader, 0, &[(key, Some(value))], description)
}

/// A transaction sees its own last write. The value it writes was there once before (as in
/// MariaDB's bug MDEV-26642).
pub(super) fn stale_own_read(scene: &mut Scene) -> Lie {
    let ([key], again, old) = (scene.keys(), scene.value(), scene.value());
    scene.write(Who::Bob, &[(key, again)]);
    scene.update(Who::Bob, &[(key, old)]);
    let mut act = scene.begin(Who::Alice);
    scene.stage.get(&mut act, key);
    scene.stage.put(&mut act, key, again);
    scene.stage.get(&mut act, key);
    let reader = scene.commit(act);
    let description = format!(
        "{} writes {again} to key {key}, as another transaction did before, and still reads {old}",
        name(reader)
    );
    lie(reader, 2, &[(key, Some(old))], description)
}

/// A transaction sees its own last write.
pub(super) fn missed_own_update(scene: &mut Scene) -> Lie {
    let ([key], old, new) = (scene.keys(), scene.value(), scene.value());
    let (who, range) = (scene.anyone(), scene.range);
    scene.write(who, &[(key, old)]);
    let mut act = scene.begin(Who::Alice);
    scene.stage.put(&mut act, key, new);
    scene.stage.scan(&mut act, range);
    let reader = scene.commit(act);
    let description = format!(
        "{} writes {new} to key {key}, scans {} and still sees {old}",
        name(reader),
        shown(range)
    );
    lie(reader, 1, &[(key, Some(old))], description)
}

/// The writer read what it overwrote, so the order of the versions is certain.
pub(super) fn scan_read_skew(scene: &mut Scene) -> Lie {
    let keys: [i64; 2] = scene.keys();
    let old = keys.map(|key| (key, scene.value()));
    let new = keys.map(|key| (key, scene.value()));
    let who = scene.anyone();
    scene.write(who, &old);
    let mut act = scene.begin(Who::Bob);
    scene.stage.get(&mut act, keys[0]);
    let writer = name(scene.update(Who::Alice, &new));
    let range = Interval { lo: Some(keys[1]), ..scene.range };
    scene.stage.scan(&mut act, range);
    let reader = scene.commit(act);
    let description = format!(
        "{} reads key {} before {writer}, scans {} and sees key {} after it",
        name(reader),
        keys[0],
        shown(range),
        keys[1]
    );
    lie(reader, 1, &[(keys[1], Some(new[1].1))], description)
}

fn lie(txn: TxnId, op: u32, claims: &[(i64, Option<i64>)], description: String) -> Lie {
    Lie { op: OpRef { txn, op }, claims: claims.to_vec(), description }
}

/// The name people know a transaction by.
fn name(txn: TxnId) -> String {
    format!("T{}", txn.0 + 1)
}

fn shown(range: Interval) -> String {
    let bound = |key: Option<i64>| key.map_or("…".to_owned(), |key| key.to_string());
    format!("[{}, {})", bound(range.lo), bound(range.hi))
}
