//! Small scenes with one or two clients that take turns.

use tristan_record::connection::{Iterated, Range};
use tristan_record::{Connection, Database, DatabaseError, DatabaseLevel};

use super::{Client, alone, contents};

/// What became of two clients that got into each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both committed.
    Allowed,
    /// At most one of them did.
    Prevented,
}

fn outcome(both: bool) -> Outcome {
    if both { Outcome::Allowed } else { Outcome::Prevented }
}

/// A transaction sees its own writes, others see them after the commit, and an abort undoes them.
pub fn own_writes(database: &dyn Database, level: DatabaseLevel) {
    database.prepare(&[(1, 10)]).expect("tables");
    alone(database, level, |connection| {
        assert_eq!(connection.get(1, false)?, Some(10));
        assert_eq!(connection.get(2, false)?, None);
        connection.put(1, 11)?;
        connection.put(2, -20)?;
        connection.put(2, -21)?;
        assert_eq!(connection.get(1, false)?, Some(11));
        assert_eq!(connection.get(2, false)?, Some(-21));
        Ok(())
    });
    assert_eq!(contents(database, level), [(1, 11), (2, -21)]);
    let mut connection = database.connect(level).expect("a connection");
    connection.begin().expect("a transaction");
    connection.put(1, 12).expect("a write");
    connection.abort().expect("an abort");
    connection.begin().expect("a transaction after an abort");
    assert_eq!(connection.get(1, false), Ok(Some(11)));
    connection.commit().expect("a commit");
    drop(connection);
    assert_eq!(contents(database, level), [(1, 11), (2, -21)]);
    database.prepare(&[(3, 30)]).expect("tables made anew");
    assert_eq!(contents(database, level), [(3, 30)]);
}

/// A deleted key is gone, at once for the transaction and afterwards for all.
pub fn deletes(database: &dyn Database, level: DatabaseLevel) {
    database.prepare(&[(1, 10), (2, 20)]).expect("tables");
    alone(database, level, |connection| {
        assert!(connection.delete(1)?.is_none_or(|rows| rows == 1));
        assert!(connection.delete(7)?.is_none_or(|rows| rows == 0));
        assert_eq!(connection.get(1, false)?, None);
        connection.delete(2)?;
        connection.put(2, 21)?;
        Ok(())
    });
    assert_eq!(contents(database, level), [(2, 21)]);
    alone(database, level, |connection| connection.put(1, 11));
    assert_eq!(contents(database, level), [(1, 11), (2, 21)]);
}

/// Ranges are those of numbers, with negative ones, own writes and bounds that may be missing.
pub fn ranges(database: &dyn Database, level: DatabaseLevel) {
    database.prepare(&[(-300, 1), (-2, 2), (0, 3), (5, 4), (400, 5)]).expect("tables");
    alone(database, level, |connection| {
        let mut scan = |lo, hi| connection.scan(Range { lo, hi });
        let all = [(-300, 1), (-2, 2), (0, 3), (5, 4), (400, 5)];
        assert_eq!(scan(None, None)?, all);
        assert_eq!(scan(Some(-2), Some(5))?, all[1..3]);
        assert_eq!(scan(None, Some(-2))?, all[..1]);
        assert_eq!(scan(Some(5), None)?, all[3..]);
        assert_eq!(scan(Some(6), Some(400))?, []);
        assert_eq!(scan(Some(5), Some(5))?, []);
        assert_eq!(scan(None, Some(i64::MIN))?, []);
        connection.put(1, 6)?;
        connection.put(5, 7)?;
        connection.delete(-2)?;
        let seen = connection.scan(Range { lo: Some(-2), hi: Some(6) })?;
        assert_eq!(seen, [(0, 3), (1, 6), (5, 7)]);
        Ok(())
    });
}

/// An iterator stops where it is told to, or at the end.
pub fn iterators(database: &dyn Database, level: DatabaseLevel) {
    database.prepare(&[(1, 10), (2, 20), (3, 30), (9, 90)]).expect("tables");
    alone(database, level, |connection| {
        connection.delete(2)?;
        let mut iterate = |most| connection.iterate(Range { lo: Some(1), hi: Some(9) }, most);
        let some = |items: &[(i64, i64)], end| Iterated { items: items.to_vec(), end };
        assert_eq!(iterate(1)?, some(&[(1, 10)], false));
        assert_eq!(iterate(2)?, some(&[(1, 10), (3, 30)], false));
        assert_eq!(iterate(3)?, some(&[(1, 10), (3, 30)], true));
        Ok(())
    });
}

/// Lists grow at their end, apart from the values of the same keys.
pub fn lists(database: &dyn Database, level: DatabaseLevel) {
    database.prepare(&[(1, 10)]).expect("tables");
    alone(database, level, |connection| {
        assert!(connection.list(1)?.is_empty());
        connection.append(1, 5)?;
        connection.append(1, -6)?;
        assert_eq!(connection.list(1)?, [5, -6]);
        assert_eq!(connection.scan(Range::default())?, [(1, 10)]);
        Ok(())
    });
    alone(database, level, |connection| {
        connection.append(1, 7)?;
        assert_eq!(connection.list(1)?, [5, -6, 7]);
        assert_eq!(connection.get(1, false)?, Some(10));
        Ok(())
    });
    assert_eq!(alone(database, level, |connection| connection.list(1)), [5, -6, 7]);
    database.prepare(&[]).expect("tables made anew");
    assert!(alone(database, level, |connection| connection.list(1)).is_empty());
}

/// Two clients write different keys that nobody read.
pub fn disjoint_writers(database: &dyn Database, level: DatabaseLevel) -> Outcome {
    database.prepare(&[]).expect("tables");
    let [mut a, mut b] = [0; 2].map(|_| Client::begin(database, level));
    a.put(1, 10);
    b.put(2, 20);
    outcome(a.commit() & b.commit())
}

/// A reader keeps seeing what it saw first while somebody else writes; says whether it does.
pub fn keeps_its_snapshot(database: &dyn Database, level: DatabaseLevel) -> bool {
    database.prepare(&[(1, 10), (2, 20)]).expect("tables");
    let mut reader = Client::begin(database, level);
    assert_eq!(reader.get(1), Some(10));
    alone(database, level, |connection| {
        connection.put(1, 11)?;
        connection.put(2, 21)
    });
    let seen = (reader.get(1), reader.get(2));
    assert!(reader.commit(), "readers are not refused");
    seen == (Some(10), Some(20))
}

/// Two clients add to the same number, and one does not know of the other.
pub fn lost_update(database: &dyn Database, level: DatabaseLevel) -> Outcome {
    database.prepare(&[(1, 10)]).expect("tables");
    let [mut a, mut b] = [0; 2].map(|_| Client::begin(database, level));
    let (seen_by_a, seen_by_b) = (a.get(1), b.get(1));
    a.put(1, seen_by_a.unwrap_or(0) + 1);
    let a_committed = a.commit();
    b.put(1, seen_by_b.unwrap_or(0) + 1);
    let b_committed = b.commit();
    let expected = 10 + i64::from(a_committed) + i64::from(b_committed);
    outcome(contents(database, level) != [(1, expected)])
}

/// The same, but the first client deletes the key.
pub fn lost_delete(database: &dyn Database, level: DatabaseLevel) -> Outcome {
    database.prepare(&[(1, 10)]).expect("tables");
    let [mut a, mut b] = [0; 2].map(|_| Client::begin(database, level));
    let (seen_by_a, seen_by_b) = (a.get(1), b.get(1));
    a.ask(|connection| connection.delete(1));
    let a_committed = a.commit();
    b.put(1, 11);
    let b_committed = b.commit();
    outcome(a_committed && b_committed && seen_by_a == seen_by_b)
}

/// The second client has read something that the first changed, and writes without reading what
/// the first has made and a third has already deleted again.
pub fn overtaken_by_a_short_life(database: &dyn Database, level: DatabaseLevel) -> Outcome {
    database.prepare(&[(1, 10)]).expect("tables");
    let mut late = Client::begin(database, level);
    assert_eq!(late.get(1), Some(10));
    alone(database, level, |connection| {
        connection.put(1, 11)?;
        connection.put(2, 20)
    });
    alone(database, level, |connection| connection.delete(2).map(drop));
    late.put(2, 21);
    outcome(late.commit())
}

/// Each of two clients reads both keys and writes one.
pub fn write_skew(database: &dyn Database, level: DatabaseLevel) -> Outcome {
    database.prepare(&[(1, 10), (2, 20)]).expect("tables");
    let [mut a, mut b] = [0; 2].map(|_| Client::begin(database, level));
    for client in [&mut a, &mut b] {
        client.get(1);
        client.get(2);
    }
    a.put(1, 11);
    b.put(2, 21);
    outcome(a.commit() & b.commit())
}

/// Each of two clients finds a range empty and writes into it.
pub fn phantom_skew(database: &dyn Database, level: DatabaseLevel) -> Outcome {
    database.prepare(&[(50, 1)]).expect("tables");
    let [mut a, mut b] = [0; 2].map(|_| Client::begin(database, level));
    for client in [&mut a, &mut b] {
        let range = Range { lo: Some(1), hi: Some(9) };
        let seen = client.ask(|connection| connection.scan(range));
        assert!(seen.is_none_or(|items| items.is_empty()));
    }
    a.put(1, 11);
    b.put(2, 21);
    outcome(a.commit() & b.commit())
}

/// The keys that `ranges_end_early` finds in the database, each with the value 1.
pub const RANGE_KEYS: [i64; 6] = [i64::MIN, -5, 0, 3, 4, i64::MAX];

/// Ranges contain their lower bound and not their upper one, up to the ends of all numbers.
pub fn ranges_end_early(one: &mut dyn Connection) -> Result<(), DatabaseError> {
    let range = |lo, hi| Range { lo: Some(lo), hi: Some(hi) };
    let keys = |items: Vec<(i64, i64)>| items.iter().map(|item| item.0).collect::<Vec<_>>();
    one.begin()?;
    assert_eq!(one.scan(Range::default())?, RANGE_KEYS.map(|key| (key, 1)));
    assert_eq!(keys(one.scan(range(-5, 4))?), [-5, 0, 3]);
    assert_eq!(keys(one.scan(Range { lo: Some(4), hi: None })?), [4, i64::MAX]);
    assert_eq!(keys(one.scan(Range { lo: None, hi: Some(0) })?), [i64::MIN, -5]);
    assert!(one.scan(range(4, 3))?.is_empty());
    assert!(one.scan(Range { lo: None, hi: Some(i64::MIN) })?.is_empty());

    let iterated =
        |items: &[i64], end| Iterated { items: items.iter().map(|&k| (k, 1)).collect(), end };
    assert_eq!(one.iterate(range(-5, 5), 2)?, iterated(&[-5, 0], false));
    assert_eq!(one.iterate(range(-5, 5), 4)?, iterated(&[-5, 0, 3, 4], false));
    assert_eq!(one.iterate(range(-5, 5), 5)?, iterated(&[-5, 0, 3, 4], true));
    assert_eq!(one.iterate(Range::default(), 1)?, iterated(&[i64::MIN], false));
    assert_eq!(one.iterate(range(4, 4), 1)?, iterated(&[], true));
    one.commit()?;
    Ok(())
}

/// What is appended comes last, for its own transaction and for the next one.
pub fn lists_grow(
    one: &mut dyn Connection,
    other: &mut dyn Connection,
) -> Result<(), DatabaseError> {
    one.begin()?;
    assert!(one.list(7)?.is_empty());
    one.append(7, 3)?;
    one.append(7, -1)?;
    assert_eq!(one.list(7)?, [3, -1]);
    one.commit()?;
    other.begin()?;
    other.append(7, 3)?;
    assert_eq!((other.list(7)?, other.list(8)?), (vec![3, -1, 3], vec![]));
    other.commit()?;
    Ok(())
}
