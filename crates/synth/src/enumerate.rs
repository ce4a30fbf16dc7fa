//! Histories that are the same but for names are one answer.
//!
//! When a history was found, it is excluded under every renaming of transactions and keys, as long
//! as there are not too many of these. Otherwise only the history itself is excluded, and others
//! that turn out to be the same are thrown away.

use tristan_spec::iso::{Given, IsoLevel, Rel};

use crate::evaluate::Matrix;
use crate::gates::{Gate, Model, SearchLimitError, Solver};
use crate::history::{AbstractHistory, Event};
use crate::search::{Search, Sought};

/// Which clocks make two histories different. Everything else always does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Which transaction ended before which began.
    pub real_time: bool,
    /// Which transaction committed before which.
    pub commits: bool,
    /// Which transaction began before which committed.
    pub begin_commit: bool,
}

impl Clocks {
    /// The clocks that these levels look at.
    pub fn of(levels: &[&IsoLevel]) -> Self {
        let asks = |given: Given| {
            let is = |rel: &Rel| *rel == Rel::Given(given);
            levels.iter().any(|level| level.checks.iter().any(|check| check.any_rel(&is)))
        };
        Self {
            real_time: asks(Given::Rt),
            commits: asks(Given::CommitOrder),
            begin_commit: asks(Given::BeginCommit),
        }
    }
}

/// The histories found so far.
#[derive(Debug)]
pub(crate) struct Found {
    clocks: Clocks,
    histories: Vec<AbstractHistory>,
    /// How many renamings are excluded at once.
    most_renamings: usize,
}

/// More renamings than this are not excluded at once.
const MOST_RENAMINGS: usize = 20_000;

impl Found {
    pub(crate) fn new(clocks: Clocks) -> Self {
        Self { clocks, histories: Vec::new(), most_renamings: MOST_RENAMINGS }
    }

    /// Another history than this one and those before. All have the same number of operations.
    pub(crate) fn next(
        &mut self,
        search: &mut Search,
        history: &AbstractHistory,
        model: &Model,
        assumed: &[Gate],
    ) -> Result<Option<(AbstractHistory, Model)>, SearchLimitError> {
        let txns = history.txns.len();
        let keys = used_keys(history);
        let few = factorial(txns).saturating_mul(factorial(keys)) <= self.most_renamings;
        self.histories.push(history.clone());
        let mut model = model.clone();
        loop {
            let (solver, sought) = search.parts();
            if few {
                self.exclude_all(solver, sought, &model, txns, keys);
            } else {
                self.exclude(solver, sought, &model, &identity(txns), &identity(keys));
            }
            let Some((next, values)) = search.find(assumed)? else { return Ok(None) };
            let known = |old: &AbstractHistory| same_but_for_names(old, &next, self.clocks);
            if few || !self.histories.iter().any(known) {
                return Ok(Some((next, values)));
            }
            model = values;
        }
    }

    fn exclude_all(
        &self,
        solver: &mut Solver,
        sought: &Sought,
        model: &Model,
        txns: usize,
        keys: usize,
    ) {
        let key_names = permutations(keys);
        for txn_names in permutations(txns) {
            for key_names in &key_names {
                self.exclude(solver, sought, model, &txn_names, key_names);
            }
        }
    }

    /// Demands that the history is not this one with its transactions and keys renamed. Names
    /// count from 0; the initial transaction and keys that are not used keep theirs.
    fn exclude(
        &self,
        solver: &mut Solver,
        sought: &Sought,
        model: &Model,
        txn_names: &[usize],
        key_names: &[usize],
    ) {
        let scene = &sought.scene;
        let txn = |old: usize| old.checked_sub(1).map_or(0, |place| txn_names[place] + 1);
        let key = |old: usize| key_names.get(old).copied().unwrap_or(old);
        let mut other = Vec::new();
        for x in 0..scene.keys {
            for t in (1..scene.txns).filter(|&t| model.is_true(scene.writes[x][t])) {
                other.push(!scene.writes[key(x)][txn(t)]);
            }
            let read = scene.wr[x].possible().filter(|(.., gate)| model.is_true(*gate));
            other.extend(read.map(|(s, t, _)| !scene.wr[key(x)].at(txn(s), txn(t))));
        }
        for t in 1..scene.txns {
            let before = scene.po[t].possible().filter(|(.., gate)| model.is_true(*gate));
            other.extend(before.map(|(a, b, _)| !scene.po[txn(t)].at(key(a), key(b))));
            for promised in &scene.promised {
                other.push(differs(model, promised[t], promised[txn(t)]));
            }
        }
        let mut orders = vec![&scene.so];
        orders.extend(self.clocks.real_time.then_some(&scene.rt));
        orders.extend(self.clocks.commits.then_some(&scene.cc));
        orders.extend(self.clocks.begin_commit.then_some(&scene.bc));
        for order in orders {
            other.extend(
                pairs(order).map(|(a, b)| differs(model, order.at(a, b), order.at(txn(a), txn(b)))),
            );
        }
        solver.require_one(&other);
    }
}

/// Whether the second gate has another value than the first has in the model.
fn differs(model: &Model, old: Gate, new: Gate) -> Gate {
    if model.is_true(old) { !new } else { new }
}

fn pairs(order: &Matrix) -> impl Iterator<Item = (usize, usize)> {
    let size = order.rows();
    (1..size).flat_map(move |a| (1..size).filter(move |&b| b != a).map(move |b| (a, b)))
}

/// How many keys are used: those that are not come last.
fn used_keys(history: &AbstractHistory) -> usize {
    let keys = history
        .txns
        .iter()
        .flat_map(|txn| txn.reads.iter().map(|read| read.key).chain(txn.writes.iter().copied()));
    keys.max().map_or(0, |last| last + 1)
}

fn factorial(number: usize) -> usize {
    (1..=number).fold(1, usize::saturating_mul)
}

fn identity(size: usize) -> Vec<usize> {
    (0..size).collect()
}

/// All orders of `0..size`.
fn permutations(size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            let left = (0..size).filter({
                let order = order.clone();
                move |item| !order.contains(item)
            });
            left.map(move |item| [order.as_slice(), &[item]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Whether two histories are the same up to the names of transactions and keys. The order of reads
/// counts, and so do the clocks given.
pub fn same_but_for_names(left: &AbstractHistory, right: &AbstractHistory, clocks: Clocks) -> bool {
    let keys = used_keys(left);
    let sizes_differ = left.txns.len() != right.txns.len()
        || left.operations() != right.operations()
        || keys != used_keys(right);
    !sizes_differ
        && permutations(keys).iter().any(|names| {
            let mut mapped = vec![0];
            matches(left, right, clocks, names, &mut mapped)
        })
}

/// Whether the transactions that are not mapped yet can be.
fn matches(
    left: &AbstractHistory,
    right: &AbstractHistory,
    clocks: Clocks,
    keys: &[usize],
    mapped: &mut Vec<usize>,
) -> bool {
    let next = mapped.len();
    if next > left.txns.len() {
        return (1..next).all(|txn| reads_match(left, right, keys, mapped, txn));
    }
    for candidate in 1..=right.txns.len() {
        let free = !mapped.contains(&candidate);
        if free && fits(left, right, clocks, keys, mapped, candidate) {
            mapped.push(candidate);
            if matches(left, right, clocks, keys, mapped) {
                return true;
            }
            mapped.pop();
        }
    }
    false
}

/// Whether the next transaction can be the candidate, as far as writes and orders show.
fn fits(
    left: &AbstractHistory,
    right: &AbstractHistory,
    clocks: Clocks,
    keys: &[usize],
    mapped: &[usize],
    candidate: usize,
) -> bool {
    let next = mapped.len();
    let (Some(one), Some(two)) = (left.txn(next), right.txn(candidate)) else { return false };
    let mut writes: Vec<usize> = one.writes.iter().map(|&key| keys[key]).collect();
    writes.sort_unstable();
    let related = |a: usize, b: usize, c: usize, d: usize| {
        let same = |holds: &dyn Fn(&AbstractHistory, usize, usize) -> bool| {
            holds(left, a, b) == holds(right, c, d)
        };
        same(&|history, a, b| history.precedes(a, b))
            && (!clocks.real_time || same(&|h, a, b| before(h, Event::Commit(a), Event::Begin(b))))
            && (!clocks.commits || same(&|h, a, b| before(h, Event::Commit(a), Event::Commit(b))))
            && (!clocks.begin_commit
                || same(&|h, a, b| before(h, Event::Begin(a), Event::Commit(b))))
    };
    writes == two.writes
        && one.reads.len() == two.reads.len()
        && one.promise == two.promise
        && mapped.iter().enumerate().skip(1).all(|(old, &new)| {
            related(old, next, new, candidate) && related(next, old, candidate, new)
        })
}

fn before(history: &AbstractHistory, first: Event, second: Event) -> bool {
    history.happened_before(first, second)
}

fn reads_match(
    left: &AbstractHistory,
    right: &AbstractHistory,
    keys: &[usize],
    mapped: &[usize],
    txn: usize,
) -> bool {
    let (Some(one), Some(two)) = (left.txn(txn), right.txn(mapped[txn])) else { return false };
    let renamed = one.reads.iter().map(|read| (keys[read.key], mapped[read.from]));
    renamed.eq(two.reads.iter().map(|read| (read.key, read.from)))
}

#[cfg(test)]
mod tests {
    use tristan_spec::iso::Library;

    use super::*;
    use crate::gates::{SearchBudget, counted};
    use crate::search::{HistoryOptions, Query, Scope};

    fn same(left: &str, right: &str) -> bool {
        let history = |text: &str| text.parse().expect("it is well formed");
        same_but_for_names(&history(left), &history(right), Clocks::default())
    }

    #[test]
    fn names_do_not_matter() {
        assert!(same("w(x) | r(x,1) w(y)", "r(a,2) w(b) | w(a)"));
        assert!(same("w(x) > r(x,0) | w(y)", "w(z) | w(x) > r(x,0)"));
        assert!(!same("w(x) > r(x,0)", "w(x) | r(x,0)"));
        assert!(!same("w(x) | w(y)", "w(x) | w(x)"));
        assert!(!same("w(x) w(y) | r(x,1) r(y,0)", "w(x) w(y) | r(x,1) r(y,1)"));
    }

    /// How many histories of two transactions and one key there are between two levels.
    fn count(most_renamings: usize) -> usize {
        let level = |name: &str| Library::standard().find(name).expect(name);
        let query = Query {
            positive: vec![level("read-uncommitted")],
            negative: vec![level("strong-session-serializable")],
            scope: Scope { txns: 2, keys: 1, values: None },
            options: HistoryOptions::default(),
        };
        let budget = SearchBudget::default();
        let mut search = Search::new(&query, &budget).expect("there is time");
        let (solver, sought) = search.parts();
        let operations = counted(&mut solver.circuit, &sought.operations(), 4);
        let three = [operations[2], !operations[3]];
        let mut found = Found { most_renamings, ..Found::new(Clocks::default()) };
        let mut next = search.find(&three).expect("there is time");
        let mut count = 0;
        while let Some((history, model)) = next {
            count += 1;
            next = found.next(&mut search, &history, &model, &three).expect("there is time");
        }
        count
    }

    #[test]
    fn renamings_are_excluded_at_once_or_one_by_one() {
        assert_eq!(count(MOST_RENAMINGS), 4);
        assert_eq!(count(0), count(MOST_RENAMINGS));
    }

    #[test]
    fn there_are_as_many_permutations_as_there_should_be() {
        assert_eq!(permutations(0), [Vec::<usize>::new()]);
        assert_eq!(permutations(4).len(), 24);
    }
}
