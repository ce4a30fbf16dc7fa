//! Brute force: every order, every snapshot, plain tables. Shares nothing with the engine but SQL itself.

use std::collections::{BTreeMap, BTreeSet};

use tristan_sql::{
    Catalog, Choices, Context, Dialect, Effect, ObservedValue, Open, Prepared, Row, RowId, Rows,
    Session, Statement, TableId, Value,
};

pub type State = BTreeMap<(TableId, RowId), Row>;

/// One statement: its plan, and what was observed.
#[derive(Clone)]
pub struct Step {
    pub plan: Prepared,
    /// Whether it waits for those who have changed what it reads, and then looks again.
    pub locks: bool,
    pub seen: Seen,
    pub begin: i64,
    pub end: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    Rows(Vec<Vec<ObservedValue>>),
    Affected(u64),
    /// Nobody wrote down what was answered.
    Unknown,
}

/// One transaction.
#[derive(Clone)]
pub struct Txn {
    /// Its place in the log.
    pub number: usize,
    pub steps: Vec<Step>,
    pub begin: i64,
    pub commit: i64,
    pub end: i64,
}

/// The levels, in our own words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    Serial,
    StrongSnapshot,
    Snapshot,
    Committed,
    /// Each statement sees one state, which has everything that was over when the statement was sent.
    CommittedNow,
    MariaDb,
}

pub struct View<'a> {
    pub seen: &'a State,
    pub newest: &'a State,
    /// Where rows that are locked are looked at again.
    pub again: Option<&'a State>,
}

impl Rows for View<'_> {
    fn scan(&mut self, table: TableId, into: &mut Vec<(RowId, Row)>) {
        let rows = self.seen.iter().filter(|(key, _)| key.0 == table);
        into.extend(rows.map(|(key, row)| (key.1, row.clone())));
    }

    fn lookup(&mut self, table: TableId, _: &[usize], _: &[Value], into: &mut Vec<(RowId, Row)>) {
        self.scan(table, into);
    }

    fn holders(&mut self, table: TableId, _: &[usize], _: &[Value], into: &mut Vec<(RowId, Row)>) {
        View { seen: self.newest, newest: self.newest, again: None }.scan(table, into);
    }

    fn locked(&mut self, table: TableId, row: RowId) -> Option<Option<Row>> {
        let now = self.again?.get(&(table, row));
        (now != self.seen.get(&(table, row))).then(|| now.cloned())
    }
}

struct First;

impl Choices for First {
    fn choose(&mut self, _: usize) -> usize {
        0
    }

    fn open(&mut self, _: &Open) -> Value {
        Value::Null
    }
}

pub fn catalog(schema: &str) -> Catalog {
    let mut catalog = Catalog::new(Dialect::PostgreSql);
    for part in schema.split(';') {
        let statement = Statement::prepare(part, Dialect::PostgreSql).expect("a schema");
        statement.define(&mut catalog).expect("a table").expect("a table");
    }
    catalog
}

/// What a transaction changed: what it is now, for each row.
pub type Writes = BTreeMap<(TableId, RowId), Option<Row>>;

/// Carries out a statement. Returns `None` if the server refuses.
pub fn run(
    catalog: &Catalog,
    plan: &Prepared,
    view: &mut View<'_>,
    fresh: u64,
) -> Option<(Seen, Writes)> {
    let context = Context {
        catalog,
        rows: view,
        choices: &mut First,
        session: &mut Session::default(),
        params: &[],
    };
    let outcome = plan.execute(context).expect("supported");
    let answer = outcome.answer.ok()?;
    let seen = match (&answer.rows, &answer.count) {
        (Some(table), _) => Seen::Rows(
            table
                .rows
                .iter()
                // Keys are unique, so there are no ties to choose from.
                .skip(usize::try_from(table.offset).expect("small"))
                .take(table.shown())
                .map(|row| {
                    row.iter()
                        .zip(&table.columns)
                        .map(|(v, (_, ty))| ObservedValue::of(v, *ty))
                        .collect()
                })
                .collect(),
        ),
        (None, Some(count)) => Seen::Affected(count.found),
        _ => Seen::Affected(0),
    };
    let real = |id: RowId| id.as_new().map_or(id, |number| RowId(fresh + number));
    let mut writes = Writes::new();
    for effect in outcome.effects {
        match effect {
            Effect::Insert { table, id, row } => writes.insert((table, real(id)), Some(row)),
            Effect::Update { table, id, new, .. } => writes.insert((table, real(id)), Some(new)),
            Effect::Delete { table, id, .. } => writes.insert((table, real(id)), None),
            Effect::Truncate { .. } => unreachable!("not generated"),
        };
    }
    Some((seen, writes))
}

pub fn with(state: &State, writes: &Writes) -> State {
    let mut state = state.clone();
    for (key, row) in writes {
        match row {
            Some(row) => state.insert(*key, row.clone()),
            None => state.remove(key),
        };
    }
    state
}

/// An execution as far as it went: states, and for each commit its transaction and the rows it wrote.
struct Past {
    states: Vec<State>,
    commits: Vec<(usize, BTreeSet<(TableId, RowId)>)>,
    /// The state that each transaction read, where that is one.
    read: Vec<(usize, usize)>,
}

pub struct Judge<'a> {
    pub catalog: &'a Catalog,
    pub txns: &'a [Txn],
    pub rule: Rule,
}

impl Judge<'_> {
    /// Whether some execution explains everything.
    pub fn accepts(&self, start: &State) -> bool {
        let mut past = Past { states: vec![start.clone()], commits: Vec::new(), read: Vec::new() };
        let mut left: Vec<usize> = (0..self.txns.len()).collect();
        self.place(&mut past, &mut left, &mut Vec::new())
    }

    fn lo(&self, txn: usize) -> i64 {
        match self.rule {
            Rule::Serial => self.txns[txn].begin,
            _ => self.txns[txn].commit,
        }
    }

    /// Puts the rest in every order.
    fn place(&self, past: &mut Past, left: &mut Vec<usize>, order: &mut Vec<usize>) -> bool {
        if left.is_empty() {
            return true;
        }
        for place in 0..left.len() {
            let txn = left.remove(place);
            let fits = order.iter().all(|&other| self.lo(other) <= self.txns[txn].end);
            if fits {
                order.push(txn);
                for (snapshot, writes) in self.ways(past, txn) {
                    let keys = writes.keys().copied().collect();
                    let next = with(past.states.last().expect("a state"), &writes);
                    past.states.push(next);
                    past.commits.push((txn, keys));
                    past.read.push((txn, snapshot));
                    if self.place(past, left, order) {
                        return true;
                    }
                    past.states.pop();
                    past.commits.pop();
                    past.read.pop();
                }
                order.pop();
            }
            left.insert(place, txn);
        }
        false
    }

    /// What a transaction can read and leave behind if it takes effect now.
    fn ways(&self, past: &Past, txn: usize) -> Vec<(usize, Writes)> {
        let now = past.commits.len();
        let mut found = Vec::new();
        let go = |snapshot: Option<usize>| {
            let mut ways = Vec::new();
            self.steps(past, txn, 0, Writes::new(), snapshot, now, &mut ways);
            ways.into_iter().map(|writes| (snapshot.unwrap_or(now), writes)).collect::<Vec<_>>()
        };
        match self.rule {
            Rule::Serial => found = go(Some(now)),
            Rule::Committed | Rule::CommittedNow => found = go(None),
            Rule::MariaDb => {
                for snapshot in 0..=now {
                    if self.at_start(past, txn, snapshot) {
                        found.extend(go(Some(snapshot)));
                    }
                }
            }
            Rule::Snapshot | Rule::StrongSnapshot => {
                for snapshot in 0..=now {
                    if self.rule == Rule::StrongSnapshot && !self.at_start(past, txn, snapshot) {
                        continue;
                    }
                    let mut ways = go(Some(snapshot));
                    ways.retain(|(_, writes)| {
                        past.commits[snapshot..]
                            .iter()
                            .all(|(_, keys)| keys.iter().all(|key| !writes.contains_key(key)))
                    });
                    found.extend(ways);
                }
            }
        }
        found.dedup();
        found
    }

    /// A snapshot of the start: everything that was over is in it, nothing that was called later.
    fn at_start(&self, past: &Past, txn: usize, snapshot: usize) -> bool {
        let own = &self.txns[txn];
        let started = self.started(txn);
        let in_turn = past.read.iter().all(|&(other, state)| {
            !self.reads_one_state(txn)
                || !self.reads_one_state(other)
                || (self.started(other) >= own.begin || state <= snapshot)
                    && (started >= self.txns[other].begin || snapshot <= state)
        });
        if !in_turn {
            return false;
        }
        past.commits.iter().enumerate().all(|(place, (other, keys))| {
            keys.is_empty()
                || match place < snapshot {
                    true => self.txns[*other].commit <= started,
                    false => self.txns[*other].end >= own.begin,
                }
        })
    }

    fn reads_one_state(&self, txn: usize) -> bool {
        let steps = &self.txns[txn].steps;
        !steps.is_empty()
            && (self.rule != Rule::MariaDb
                || steps.iter().any(|step| step.plan.is_query() && !step.locks))
    }

    /// When the state of a transaction was chosen at the latest.
    fn started(&self, txn: usize) -> i64 {
        let own = &self.txns[txn];
        let chooses =
            |step: &&Step| self.rule != Rule::MariaDb || step.plan.is_query() && !step.locks;
        let first = own.steps.iter().find(chooses).or(own.steps.first());
        first.map_or(own.end, |step| step.end)
    }

    #[allow(clippy::too_many_arguments)]
    fn steps(
        &self,
        past: &Past,
        txn: usize,
        step: usize,
        own: Writes,
        snapshot: Option<usize>,
        now: usize,
        found: &mut Vec<Writes>,
    ) {
        let Some(current) = self.txns[txn].steps.get(step) else {
            if !found.contains(&own) {
                found.push(own);
            }
            return;
        };
        let fresh = (txn as u64 + 1) * 1000 + own.len() as u64;
        let newest = with(&past.states[now], &own);
        let waits = matches!(self.rule, Rule::Committed | Rule::CommittedNow | Rule::MariaDb);
        for (seen_state, again) in self.sights(past, current, snapshot, now) {
            let state = with(&seen_state, &own);
            let again = again.map(|again| with(&past.states[again], &own));
            let again = if current.locks { again.as_ref() } else { waits.then_some(&newest) };
            let mut view = View { seen: &state, newest: &newest, again };
            let Some((seen, writes)) = run(self.catalog, &current.plan, &mut view, fresh) else {
                continue;
            };
            if current.seen != Seen::Unknown && seen != sorted(&current.seen, &seen) {
                continue;
            }
            let mut next = own.clone();
            next.extend(writes);
            self.steps(past, txn, step + 1, next, snapshot, now, found);
        }
    }

    /// The last state that a statement can see.
    fn last_before(&self, past: &Past, step: &Step, now: usize) -> usize {
        let late = |(txn, keys): &(usize, BTreeSet<_>)| {
            !keys.is_empty() && self.txns[*txn].commit > step.end
        };
        past.commits.iter().position(late).unwrap_or(now)
    }

    /// What a statement can see of what is committed, and the state in which a query looks again at what it locks.
    fn sights(
        &self,
        past: &Past,
        step: &Step,
        snapshot: Option<usize>,
        now: usize,
    ) -> Vec<(State, Option<usize>)> {
        let reads = step.plan.is_query() && !step.locks;
        let by_statement = self.rule == Rule::MariaDb && !reads;
        if let Some(snapshot) = snapshot.filter(|_| !by_statement) {
            return vec![(past.states[snapshot].clone(), None)];
        }
        let top = self.last_before(past, step, now);
        if step.plan.is_query() && self.rule == Rule::Committed {
            return mixed(&past.states[..=top]).into_iter().map(|state| (state, None)).collect();
        }
        let fresh = by_statement || self.rule == Rule::CommittedNow;
        let over = |(txn, keys): &(usize, BTreeSet<_>)| {
            fresh && !keys.is_empty() && self.txns[*txn].end < step.begin
        };
        let low = past.commits.iter().rposition(over).map_or(0, |last| last + 1).min(top);
        let pairs = (low..=top).flat_map(|state| (state..=top).map(move |again| (state, again)));
        pairs.map(|(state, again)| (past.states[state].clone(), Some(again))).collect()
    }
}

/// Every row as of any of these states.
fn mixed(states: &[State]) -> Vec<State> {
    let keys: BTreeSet<_> = states.iter().flat_map(BTreeMap::keys).copied().collect();
    let mut all = vec![State::new()];
    for key in keys {
        let mut versions: Vec<Option<&Row>> = states.iter().map(|state| state.get(&key)).collect();
        versions.sort_by_key(|row| format!("{row:?}"));
        versions.dedup();
        let mut next = Vec::new();
        for state in &all {
            for version in &versions {
                let mut state = state.clone();
                if let Some(row) = version {
                    state.insert(key, (*row).clone());
                }
                next.push(state);
            }
        }
        all = next;
    }
    all
}

/// What was observed, in the order of what was computed if it is the same rows.
fn sorted(observed: &Seen, computed: &Seen) -> Seen {
    let (Seen::Rows(one), Seen::Rows(other)) = (observed, computed) else {
        return observed.clone();
    };
    let key = |row: &Vec<ObservedValue>| format!("{row:?}");
    let (mut a, mut b) = (one.clone(), other.clone());
    a.sort_by_key(key);
    b.sort_by_key(key);
    if a == b { computed.clone() } else { observed.clone() }
}
