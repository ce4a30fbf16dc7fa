//! Writes a history as a table of transactions.
//!
//! Rows are in the order of transactions, where that respects the order within each session.

use std::borrow::{Borrow, Cow};
use std::io::{self, Write};

use rustc_hash::FxHashSet;

use super::data::{DataColumn, Storage};
use super::fields::{Pool, dictionary, ints, lists, words};
use super::ipc::columns::{Columns, IntColumn, ListColumn};
use super::ipc::output::Output;
use super::ipc::schema::Schema;
use super::op_writer::{OpColumns, OpPlan};
use super::remarks;
use super::vocabulary::{OUTCOMES, TxnColumn, place};
use crate::native::{issuing_order, unique_names};
use tristan_history::{Datum, History, SourceHint, Txn, TxnId};

/// How many operations or transactions a batch has at least, unless it is the last one.
const BATCH: usize = 1 << 16;

/// Writes a whole trace.
pub(crate) fn write(history: &History, out: &mut impl Write) -> io::Result<()> {
    let plan = Plan::of(history);
    let schema = plan.schema();
    let mut output = Output::open(out, &schema)?;
    for (id, values) in plan.dictionaries() {
        output.dictionary(id, &values)?;
    }
    let mut batch = TxnColumns::of(&plan);
    for &id in &plan.order {
        batch.push(&plan, id);
        if batch.is_full() {
            output.batch(&batch.finish(&plan))?;
            batch = TxnColumns::of(&plan);
        }
    }
    if batch.rows > 0 {
        output.batch(&batch.finish(&plan))?;
    }
    output.finish()
}

/// Which columns are needed, and how they are stored.
struct Plan<'a> {
    history: &'a History,
    /// Transactions by row, and rows (counted from 1) by transaction.
    order: Vec<TxnId>,
    rows: Vec<u32>,
    /// Columns of transactions, as bits.
    used: u32,
    /// By transaction, if the names in the history do not do.
    renamed: Option<Vec<Datum>>,
    names: Storage,
    sessions: Pool,
    ops: OpPlan,
    /// By transaction; empty if there are none.
    stamps: Vec<(Option<i64>, Option<i64>)>,
    /// In the order of operations.
    sources: Vec<&'a SourceHint>,
}

fn all_keys(history: &History) -> impl ExactSizeIterator<Item = &Datum> {
    (0..history.keys.len()).map(|number| history.keys.get(number as u32))
}

fn all_values(history: &History) -> impl ExactSizeIterator<Item = Cow<'_, Datum>> {
    (0..history.values.len()).map(|number| history.values.get(number as u32))
}

impl<'a> Plan<'a> {
    fn of(history: &'a History) -> Self {
        let order = issuing_order(history);
        let mut rows = vec![0; order.len()];
        for (row, id) in (1..).zip(&order) {
            rows[id.index()] = row;
        }
        // A transaction without a name is known by its number, which is its row.
        let is_moved = !order.is_sorted();
        let mut sources: Vec<&SourceHint> = history.hints.sources.iter().collect();
        sources.sort_by_key(|hint| hint.op);
        let mut plan = Self {
            history,
            order,
            rows,
            used: 0,
            renamed: (is_moved || has_twins(history)).then(|| unique_names(history)),
            names: Storage::Signed,
            sessions: Pool::of(dictionary::SESSIONS, history.sessions.iter().map(|one| &one.name)),
            ops: OpPlan::of(
                history,
                Pool::of(dictionary::KEYS, all_keys(history)),
                Pool::of(dictionary::VALUES, all_values(history)),
            ),
            stamps: stamps(history),
            sources,
        };
        plan.names = Storage::of(plan.order.iter().filter_map(|id| plan.name(*id)));
        plan.used = plan.columns();
        plan
    }

    fn name(&self, id: TxnId) -> Option<&Datum> {
        match &self.renamed {
            Some(names) => names.get(id.index()),
            None => self.history.txn(id).name.as_deref(),
        }
    }

    /// The columns of transactions that at least one row needs.
    fn columns(&self) -> u32 {
        let always = [TxnColumn::Session, TxnColumn::Outcome, TxnColumn::Ops];
        let mut used = always.iter().fold(0, |used, column| used | column.bit());
        for &id in &self.order {
            for column in TxnColumn::ALL {
                let has = match column {
                    TxnColumn::Txn => self.name(id).is_some(),
                    _ => self.number(id, *column).is_some() || self.text(id, *column).is_some(),
                };
                used |= u32::from(has) * column.bit();
            }
        }
        used
    }

    fn number(&self, id: TxnId, column: TxnColumn) -> Option<i64> {
        let txn = self.history.txn(id);
        let stamps = || self.stamps.get(id.index()).copied().unwrap_or_default();
        match column {
            TxnColumn::BeginCall => txn.begin().call,
            TxnColumn::BeginReturn => txn.begin().ret,
            TxnColumn::EndCall => txn.end().call,
            TxnColumn::EndReturn => txn.end().ret,
            TxnColumn::StartStamp => stamps().0,
            TxnColumn::CommitStamp => stamps().1,
            _ => None,
        }
    }

    fn text(&self, id: TxnId, column: TxnColumn) -> Option<Datum> {
        let txn = self.history.txn(id);
        let text = match column {
            TxnColumn::Level => txn.level.as_deref(),
            TxnColumn::Error => txn.error.as_deref(),
            _ => None,
        };
        text.map(Datum::from)
    }

    fn schema(&self) -> Schema {
        let used = TxnColumn::ALL.iter().filter(|column| self.used & column.bit() != 0);
        let field = |column: &TxnColumn| {
            let name = column.name();
            match column {
                TxnColumn::Session => self.sessions.field(name),
                TxnColumn::Txn => self.names.field(name),
                TxnColumn::Outcome => words(name, dictionary::OUTCOMES),
                TxnColumn::Level | TxnColumn::Error => Storage::Text.field(name),
                TxnColumn::Ops => lists(name, self.ops.field()),
                _ => ints(name, 64, true),
            }
        };
        let metadata = remarks::write(self.history, &self.order, &self.rows);
        Schema { fields: used.map(field).collect(), metadata }
    }

    fn dictionaries(&self) -> Vec<(i64, Columns)> {
        let history = self.history;
        let sessions: Vec<Datum> = history.sessions.iter().map(|one| one.name.clone()).collect();
        let outcomes = OUTCOMES.map(|(word, _)| Datum::from(word));
        let mut written = vec![
            (dictionary::SESSIONS, filled(self.sessions.storage, sessions.iter())),
            (dictionary::OUTCOMES, filled(Storage::Text, outcomes.iter())),
        ];
        written.extend(self.ops.dictionaries(|words| filled(Storage::Text, words.iter())));
        if self.ops.has_keys() {
            written.push((dictionary::KEYS, filled(self.ops.keys.storage, all_keys(history))));
        }
        if self.ops.has_values() {
            written
                .push((dictionary::VALUES, filled(self.ops.values.storage, all_values(history))));
        }
        written
    }

    /// Hints on the reads of a transaction.
    fn sources_of(&self, id: TxnId) -> &[&'a SourceHint] {
        let start = self.sources.partition_point(|hint| hint.op.txn < id);
        let rest = &self.sources[start..];
        &rest[..rest.partition_point(|hint| hint.op.txn == id)]
    }
}

/// Whether two transactions have the same name.
fn has_twins(history: &History) -> bool {
    let mut taken = FxHashSet::default();
    !history.txns.iter().filter_map(|txn| txn.name.as_ref()).all(|name| taken.insert(name))
}

fn stamps(history: &History) -> Vec<(Option<i64>, Option<i64>)> {
    if history.hints.stamps.is_empty() {
        return Vec::new();
    }
    let mut stamps = vec![(None, None); history.txns.len()];
    for hint in &history.hints.stamps {
        let (start, commit) = &mut stamps[hint.txn.index()];
        *start = hint.start.or(*start);
        *commit = hint.commit.or(*commit);
    }
    stamps
}

/// A dictionary.
fn filled<D: Borrow<Datum>>(storage: Storage, data: impl ExactSizeIterator<Item = D>) -> Columns {
    let mut columns = Columns::new(data.len());
    let mut column = storage.column();
    data.for_each(|datum| column.push(Some(datum.borrow())));
    column.write(&mut columns);
    columns
}

/// The columns of transactions, being filled.
struct TxnColumns {
    rows: usize,
    session: IntColumn,
    outcome: IntColumn,
    name: DataColumn,
    /// By [`TxnColumn`].
    numbers: Vec<IntColumn>,
    texts: Vec<DataColumn>,
    lists: ListColumn,
    ops: OpColumns,
}

impl TxnColumns {
    fn of(plan: &Plan<'_>) -> Self {
        Self {
            rows: 0,
            session: plan.sessions.column(),
            outcome: IntColumn::new(8),
            name: plan.names.column(),
            numbers: TxnColumn::ALL.iter().map(|_| IntColumn::new(64)).collect(),
            texts: TxnColumn::ALL.iter().map(|_| Storage::Text.column()).collect(),
            lists: ListColumn::default(),
            ops: plan.ops.columns(),
        }
    }

    fn is_full(&self) -> bool {
        self.rows.max(self.lists.items()) >= BATCH
    }

    fn push(&mut self, plan: &Plan<'_>, id: TxnId) {
        let txn: &Txn = plan.history.txn(id);
        self.rows += 1;
        self.session.push(Some(txn.session.0.into()));
        self.outcome.push(Some(place(&OUTCOMES, txn.outcome)));
        self.name.push(plan.name(id));
        for column in TxnColumn::ALL.iter().filter(|column| plan.used & column.bit() != 0) {
            let place = *column as usize;
            self.numbers[place].push(plan.number(id, *column).map(|number| number as u64));
            self.texts[place].push(plan.text(id, *column).as_ref());
        }
        let ops = plan.history.ops_of(id);
        self.lists.push(Some(ops.len()));
        let sources = plan.sources_of(id);
        for (number, op) in (0u32..).zip(ops) {
            let from = sources.iter().filter(|hint| hint.op.op == number).copied();
            self.ops.push(&plan.rows, op, from);
        }
    }

    fn finish(self, plan: &Plan<'_>) -> Columns {
        let mut columns = Columns::new(self.rows);
        for column in TxnColumn::ALL.iter().filter(|column| plan.used & column.bit() != 0) {
            match column {
                TxnColumn::Session => columns.ints(&self.session),
                TxnColumn::Txn => self.name.write(&mut columns),
                TxnColumn::Outcome => columns.ints(&self.outcome),
                TxnColumn::Level | TxnColumn::Error => {
                    self.texts[*column as usize].write(&mut columns);
                }
                TxnColumn::Ops => {
                    columns.lists(&self.lists);
                    columns.structs(self.lists.items());
                    self.ops.write(&mut columns);
                }
                _ => columns.ints(&self.numbers[*column as usize]),
            }
        }
        columns
    }
}
