//! The library's definitions mean what their sources say: the same level in two frameworks is the
//! same level, and the well-known histories are accepted and rejected as they should be.

use crate::small;

use small::{History, Txn, keeps};
use tristan_generate::Rng;
use tristan_spec::iso::{IsoLevel, Library};

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

/// Which histories of a few hundred random ones the levels accept.
fn verdicts(names: &[&str], count: usize) -> Vec<Vec<bool>> {
    let histories: Vec<History> = (0..count as u64).map(random).collect();
    let levels = names.iter().map(|name| level(name));
    levels.map(|level| histories.iter().map(|one| keeps(one, &level)).collect()).collect()
}

/// Up to four transactions on up to two keys, in sessions that are sequential by the clock.
fn random(seed: u64) -> History {
    let mut rng = Rng::new(seed);
    let mut below = |bound: usize| usize::try_from(rng.below(bound as u64)).expect("small");
    let (keys, count) = (1 + below(2), 2 + below(3));
    let mut txns = vec![Txn { session: usize::MAX, ..Txn::default() }];
    let mut ends = [0; 3];
    for _ in 0..count {
        let session = below(3);
        let begin = ends[session] + 1 + below(6);
        ends[session] = begin + 1 + below(6);
        // Times are made different, so that the clock always knows who came first.
        let clock = |time: usize| u32::try_from(time * 8 + txns.len()).expect("small");
        let times = (clock(begin), clock(ends[session]));
        let writes = (0..keys).filter(|_| below(2) == 0).collect();
        txns.push(Txn { session, times, reads: Vec::new(), writes });
    }
    for txn in 1..txns.len() {
        for key in 0..keys {
            let writers: Vec<usize> = (0..txns.len())
                .filter(|other| {
                    *other != txn && (*other == 0 || txns[*other].writes.contains(&key))
                })
                .collect();
            if below(3) > 0 {
                txns[txn].reads.push((key, writers[below(writers.len())]));
            }
        }
        if below(2) == 0 {
            txns[txn].reads.reverse();
        }
    }
    History { keys, txns }
}

#[test]
fn one_level_in_several_frameworks_is_one_level() {
    let prefixes = ["plain-", "strong-session-", "strong-"];
    let groups: [&[&str]; 9] = [
        &["read-atomic", "be-ra", "cerone-ra"],
        &["causal", "be-cc", "cerone-cc", "tap-cc"],
        &["prefix", "be-pc", "cerone-pc"],
        &["snapshot-isolation", "be-si", "cerone-si"],
        &["serializable", "be-ser", "cerone-ser"],
        &["update-atomic", "cerone-ua"],
        &["parallel-si", "consistent-view", "cerone-psi"],
        &["monotonic-atomic-view", "be-rc"],
        &["read-committed", "no-circular-reads"],
    ];
    for (group, prefix) in groups.iter().flat_map(|group| prefixes.map(|prefix| (group, prefix))) {
        let names: Vec<String> = group.iter().map(|name| format!("{prefix}{name}")).collect();
        equal(&names.iter().map(String::as_str).collect::<Vec<_>>());
    }
    for group in [
        &["crooks-rc", "read-committed"],
        &["crooks-ra", "plain-read-atomic"],
        &["crooks-psi", "plain-parallel-si"],
        &["crooks-si", "snapshot-isolation"],
        &["crooks-ansi-si", "generalized-snapshot-isolation"],
        &["crooks-session-si", "strong-session-generalized-snapshot-isolation"],
        &["crooks-strong-si", "strong-generalized-snapshot-isolation"],
        &["crooks-ser", "serializable"],
        &["crooks-sser", "strong-serializable"],
        &["vv-ryw", "read-your-writes"],
        &["vv-mr", "monotonic-reads"],
        &["vv-mw", "monotonic-writes"],
        &["vv-wfr", "writes-follow-reads"],
        &["vv-pram", "read-atomic"],
    ] {
        equal(group);
    }
}

fn equal(names: &[&str]) {
    let verdicts = verdicts(names, 300);
    for (name, other) in names.iter().zip(&verdicts).skip(1) {
        let differs = other.iter().zip(&verdicts[0]).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{name} and {} differ on a history (its seed)", names[0]);
    }
    let accepted = verdicts[0].iter().filter(|accepted| **accepted).count();
    assert!((10..290).contains(&accepted), "{names:?}: {accepted} of 300 tell nothing apart");
}

#[test]
fn stronger_levels_accept_less() {
    let mut told_apart = 0;
    for (stronger, weaker) in [
        ("be-ra", "tap-ra"),
        ("cerone-ua", "cerone-nlu"),
        ("cerone-nlu", "cerone-ra"),
        ("cerone-nlu", "no-lost-update"),
        ("be-ser", "be-update-ser"),
        ("cerone-ser", "cerone-update-ser"),
        ("cerone-update-ser", "be-update-ser"),
        ("consistent-view", "monotonic-view"),
        ("monotonic-view", "monotonic-atomic-view"),
        ("monotonic-view", "read-committed"),
        ("be-rc", "no-circular-reads"),
    ] {
        let verdicts = verdicts(&[stronger, weaker], 600);
        let mut both = verdicts[0].iter().zip(&verdicts[1]);
        assert!(both.all(|(a, b)| !a || *b), "{stronger} does not imply {weaker}");
        told_apart += usize::from(verdicts[0] != verdicts[1]);
    }
    assert!(told_apart >= 9, "only {told_apart} pairs are told apart by random histories");
}

/// The columns of [`LITMUS`].
const COLUMNS: [&[&str]; 10] = [
    &["no-circular-reads", "strong-session-read-committed"],
    &["be-ra", "cerone-ra", "read-atomic"],
    &["cerone-nlu"],
    &["cerone-ua", "update-atomic"],
    &["be-cc", "cerone-cc", "tap-cc", "causal"],
    &["cerone-psi", "parallel-si"],
    &["be-pc", "cerone-pc", "prefix"],
    &["be-si", "cerone-si", "strong-session-snapshot-isolation"],
    &["be-update-ser"],
    &["be-ser", "cerone-ser", "strong-session-serializable"],
];

/// Transactions are separated by `|`, those of one session by `>`; `rx1` reads the `x` of
/// transaction 1, `wx` writes it. `+` is accepted, `-` rejected.
const LITMUS: [(&str, &str, &str); 17] = [
    ("circular reads", "wx ry2 | wy rx1", "----------"),
    ("own write missed", "wx > rx0", "+-------+-"),
    ("reads go back", "wx | rx1 > rx0", "++++----+-"),
    ("writes out of order", "wx > wy | ry2 rx0", "++++----+-"),
    ("answer without question", "wx | rx1 > wy | ry3 rx0", "++++----+-"),
    ("fractured read", "wx wy | rx1 ry0", "+-------+-"),
    ("fracture of two writers", "wx wy | wx wy | rx1 ry2", "+-------+-"),
    ("lost update", "rx0 wx | rx0 wx", "++--+-+---"),
    ("effect without cause", "wx | rx1 wy | ry2 rx0", "++++----+-"),
    ("no lost update, not update atomic", "rx0 wx wy | rx1 ry1 wy | rx0 ry2 wy", "+++-------"),
    ("orders disagree", "wx | wx | rx1 > rx2 | rx2 > rx1", "++++----+-"),
    ("long fork", "wx | wy | rx1 ry0 | rx0 ry2", "++++++--+-"),
    ("long fork over sessions", "wx | wy | rx1 > ry0 | ry2 > rx0", "++++++--+-"),
    ("write skew", "rx0 ry0 wx | rx0 ry0 wy", "++++++++--"),
    ("write skew of three", "rx0 wy | ry0 wz | rz0 wx", "++++++++--"),
    ("read-only anomaly", "ry0 wy | rx0 ry1 | rx0 ry0 wx", "+++++++++-"),
    ("stale read", "wx | rx0", "++++++++++"),
];

#[test]
fn well_known_histories_are_judged_as_in_the_literature() {
    for (title, text, expected) in LITMUS {
        let history = parse(text);
        for (names, expected) in COLUMNS.iter().zip(expected.chars()) {
            for name in *names {
                assert_eq!(keeps(&history, &level(name)), expected == '+', "{title}: {name}");
            }
        }
    }
}

#[test]
fn the_two_forms_of_update_serializability_differ_on_a_fractured_read() {
    let fractured = parse("rx0 ry0 wx wy | rx1 ry0");
    assert!(keeps(&fractured, &level("be-update-ser")));
    assert!(!keeps(&fractured, &level("cerone-update-ser")));
    let stale = parse("rx0 wx > rx0");
    assert!(keeps(&stale, &level("tap-ra")) && !keeps(&stale, &level("be-ra")));
}

fn parse(text: &str) -> History {
    let key = |operation: &str| "xyz".find(&operation[1..2]).expect("a key");
    let mut txns = vec![Txn { session: usize::MAX, ..Txn::default() }];
    for (session, chain) in text.split(" | ").enumerate() {
        for txn in chain.split(" > ") {
            let (reads, writes): (Vec<&str>, Vec<&str>) =
                txn.split(' ').partition(|operation| operation.starts_with('r'));
            let source = |read: &str| read[2..].parse().expect("a transaction");
            let reads = reads.iter().map(|read| (key(read), source(read))).collect();
            let writes = writes.iter().map(|write| key(write)).collect();
            txns.push(Txn { session, times: (0, 0), reads, writes });
        }
    }
    History { keys: 3, txns }
}
