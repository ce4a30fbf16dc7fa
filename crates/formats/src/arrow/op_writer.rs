//! The columns of operations, being filled.

use super::data::{DataColumn, Storage};
use super::fields::{Pool, dictionary, ints, lists, words};
use super::ipc::columns::{Bits, Columns, IntColumn, ListColumn};
use super::ipc::schema::{Field, Type};
use super::vocabulary::{CONDITIONS, OpColumn, STATUSES, VERBS, Verb, place};
use tristan_history::{
    Datum, History, KeyId, Observed, Op, OpKind, OpStatus, Range, SourceHint, ValueId,
};

/// Which columns of operations are needed, and how they are stored.
pub(super) struct OpPlan {
    /// Columns as bits.
    used: u32,
    pub(super) keys: Pool,
    pub(super) values: Pool,
    names: Storage,
    bounds: [Storage; 2],
}

/// What is in the columns of an operation.
#[derive(Default)]
struct Cells<'a> {
    key: Option<KeyId>,
    value: Option<ValueId>,
    old: Option<ValueId>,
    condition: Option<u64>,
    rows: Option<u32>,
    name: Option<&'a Datum>,
    range: Option<&'a Range>,
    lock: bool,
    items: Option<&'a [(KeyId, ValueId)]>,
    elements: Option<&'a [ValueId]>,
    end: bool,
    unseen: bool,
}

impl<'a> Cells<'a> {
    /// Only what returned has a result.
    fn of(op: &'a Op) -> Self {
        let done = op.status == OpStatus::Done;
        let mut cells = Self { key: op.kind.key(), ..Self::default() };
        match &op.kind {
            OpKind::Get { seen, locking, .. } => {
                cells.lock = *locking;
                (cells.value, cells.unseen) = observed(*seen, done);
            }
            OpKind::Put { value, .. } | OpKind::Append { element: value, .. } => {
                cells.value = Some(*value);
            }
            OpKind::PutIf { value, when, rows, .. } => {
                cells.value = Some(*value);
                cells.condition = Some(place(&CONDITIONS, *when));
                cells.rows = rows.filter(|_| done);
            }
            OpKind::Delete { rows, .. } => cells.rows = rows.filter(|_| done),
            OpKind::ReadModifyWrite { seen, value, .. } => {
                cells.value = Some(*value);
                (cells.old, cells.unseen) = observed(*seen, done);
            }
            OpKind::ReadList { elements, .. } => {
                cells.elements = elements.as_deref().filter(|_| done);
            }
            OpKind::Scan { range, items, locking } => {
                (cells.range, cells.lock) = (Some(&**range), *locking);
                cells.items = items.as_deref().filter(|_| done);
            }
            OpKind::Iterate { range, items, reached_end } => {
                (cells.range, cells.end) = (Some(&**range), *reached_end && done);
                cells.items = items.as_deref().filter(|_| done);
            }
            OpKind::Savepoint { name } | OpKind::RollbackTo { name } => cells.name = Some(name),
        }
        cells
    }

    fn lo(&self) -> Option<&'a Datum> {
        self.range.and_then(|range| range.lo.as_ref())
    }

    fn hi(&self) -> Option<&'a Datum> {
        self.range.and_then(|range| range.hi.as_ref())
    }

    fn reverse(&self) -> bool {
        self.range.is_some_and(|range| range.reverse)
    }

    /// The columns that say something.
    fn present(&self) -> u32 {
        let cells = [
            (OpColumn::Key, self.key.is_some()),
            (OpColumn::Value, self.value.is_some()),
            (OpColumn::Old, self.old.is_some()),
            (OpColumn::If, self.condition.is_some()),
            (OpColumn::Rows, self.rows.is_some()),
            (OpColumn::Name, self.name.is_some()),
            (OpColumn::Lo, self.lo().is_some()),
            (OpColumn::Hi, self.hi().is_some()),
            (OpColumn::Reverse, self.reverse()),
            (OpColumn::Lock, self.lock),
            (OpColumn::Items, self.items.is_some()),
            (OpColumn::Elements, self.elements.is_some()),
            (OpColumn::End, self.end),
            (OpColumn::Unseen, self.unseen),
        ];
        cells.iter().fold(0, |bits, (column, has)| bits | (u32::from(*has) * column.bit()))
    }
}

/// The value seen, and whether what was seen was not recorded.
fn observed(seen: Observed, done: bool) -> (Option<ValueId>, bool) {
    match seen {
        Observed::Value(value) => (Some(value).filter(|_| done), false),
        Observed::Absent => (None, false),
        Observed::Unknown => (None, done),
    }
}

impl OpPlan {
    pub(super) fn of(history: &History, keys: Pool, values: Pool) -> Self {
        let mut used = OpColumn::Op.bit();
        for op in &history.ops {
            used |= Cells::of(op).present();
            used |= u32::from(op.status != OpStatus::Done) * OpColumn::Status.bit();
        }
        used |= u32::from(!history.hints.sources.is_empty()) * OpColumn::From.bit();
        let data = |cell: for<'a> fn(&Cells<'a>) -> Option<&'a Datum>| {
            Storage::of(history.ops.iter().filter_map(move |op| cell(&Cells::of(op))))
        };
        Self {
            used,
            keys,
            values,
            names: data(|cells| cells.name),
            bounds: [data(|cells| cells.lo()), data(|cells| cells.hi())],
        }
    }

    fn uses(&self, column: OpColumn) -> bool {
        self.used & column.bit() != 0
    }

    /// Whether any operation has a key.
    pub(super) fn has_keys(&self) -> bool {
        [OpColumn::Key, OpColumn::Items, OpColumn::From].iter().any(|column| self.uses(*column))
    }

    /// Whether any operation has a value.
    pub(super) fn has_values(&self) -> bool {
        let columns = [OpColumn::Value, OpColumn::Old, OpColumn::Items, OpColumn::Elements];
        columns.iter().any(|column| self.uses(*column))
    }

    /// The words that are used.
    pub(super) fn dictionaries(&self, filled: impl Fn(&[Datum]) -> Columns) -> Vec<(i64, Columns)> {
        let verbs = VERBS.map(|(word, _)| Datum::from(word));
        let mut written = vec![(dictionary::VERBS, filled(&verbs))];
        if self.uses(OpColumn::Status) {
            let statuses = STATUSES.map(|(word, _)| Datum::from(word));
            written.push((dictionary::STATUSES, filled(&statuses)));
        }
        if self.uses(OpColumn::If) {
            let conditions = CONDITIONS.map(|(word, _)| Datum::from(word));
            written.push((dictionary::CONDITIONS, filled(&conditions)));
        }
        written
    }

    /// What an operation is, as a part of the schema.
    pub(super) fn field(&self) -> Field {
        let used = OpColumn::ALL.iter().filter(|column| self.uses(**column));
        let item = |fields: Vec<Field>| Field::new("item", Type::Struct(fields));
        let field = |column: &OpColumn| {
            let name = column.name();
            match column {
                OpColumn::Op => words(name, dictionary::VERBS),
                OpColumn::Status => words(name, dictionary::STATUSES),
                OpColumn::If => words(name, dictionary::CONDITIONS),
                OpColumn::Key => self.keys.field(name),
                OpColumn::Value | OpColumn::Old => self.values.field(name),
                OpColumn::Rows => ints(name, 32, false),
                OpColumn::Name => self.names.field(name),
                OpColumn::Lo => self.bounds[0].field(name),
                OpColumn::Hi => self.bounds[1].field(name),
                OpColumn::Elements => lists(name, self.values.field("item")),
                OpColumn::Items => {
                    lists(name, item(vec![self.keys.field("key"), self.values.field("value")]))
                }
                OpColumn::From => {
                    lists(name, item(vec![self.keys.field("key"), ints("txn", 32, false)]))
                }
                OpColumn::Reverse | OpColumn::Lock | OpColumn::End | OpColumn::Unseen => {
                    Field::new(name, Type::Bool)
                }
            }
        };
        item(used.map(field).collect())
    }

    /// Empty columns.
    pub(super) fn columns(&self) -> OpColumns {
        OpColumns {
            used: self.used,
            rows: 0,
            verb: IntColumn::new(8),
            status: IntColumn::new(8),
            condition: IntColumn::new(8),
            key: self.keys.column(),
            value: self.values.column(),
            old: self.values.column(),
            count: IntColumn::new(32),
            name: self.names.column(),
            lo: self.bounds[0].column(),
            hi: self.bounds[1].column(),
            reverse: Bits::default(),
            lock: Bits::default(),
            end: Bits::default(),
            unseen: Bits::default(),
            items: ListColumn::default(),
            item_key: self.keys.column(),
            item_value: self.values.column(),
            elements: ListColumn::default(),
            element: self.values.column(),
            from: ListColumn::default(),
            from_key: self.keys.column(),
            from_txn: IntColumn::new(32),
        }
    }
}

/// The columns of operations.
pub(super) struct OpColumns {
    used: u32,
    rows: usize,
    verb: IntColumn,
    status: IntColumn,
    condition: IntColumn,
    key: IntColumn,
    value: IntColumn,
    old: IntColumn,
    count: IntColumn,
    name: DataColumn,
    lo: DataColumn,
    hi: DataColumn,
    reverse: Bits,
    lock: Bits,
    end: Bits,
    unseen: Bits,
    items: ListColumn,
    item_key: IntColumn,
    item_value: IntColumn,
    elements: ListColumn,
    element: IntColumn,
    from: ListColumn,
    from_key: IntColumn,
    from_txn: IntColumn,
}

impl OpColumns {
    /// Adds an operation, with hints on where it read from; `txn_rows` gives the row of each
    /// transaction, counted from 1.
    pub(super) fn push<'a>(
        &mut self,
        txn_rows: &[u32],
        op: &Op,
        from: impl Iterator<Item = &'a SourceHint>,
    ) {
        let cells = Cells::of(op);
        self.rows += 1;
        self.verb.push(Some(place(&VERBS, Verb::of(&op.kind))));
        self.key.push(cells.key.map(|key| key.0.into()));
        self.value.push(cells.value.map(|value| value.0.into()));
        let usual = OpColumn::Op.bit() | OpColumn::Key.bit() | OpColumn::Value.bit();
        if self.used & !usual == 0 {
            return;
        }
        self.status.push(Some(place(&STATUSES, op.status)));
        self.old.push(cells.old.map(|value| value.0.into()));
        self.condition.push(cells.condition);
        self.count.push(cells.rows.map(u64::from));
        self.name.push(cells.name);
        self.lo.push(cells.lo());
        self.hi.push(cells.hi());
        self.reverse.push(cells.reverse());
        self.lock.push(cells.lock);
        self.end.push(cells.end);
        self.unseen.push(cells.unseen);
        self.items.push(cells.items.map(<[_]>::len));
        for (key, value) in cells.items.unwrap_or_default() {
            self.item_key.push(Some(key.0.into()));
            self.item_value.push(Some(value.0.into()));
        }
        self.elements.push(cells.elements.map(<[_]>::len));
        for element in cells.elements.unwrap_or_default() {
            self.element.push(Some(element.0.into()));
        }
        self.push_sources(txn_rows, from);
    }

    fn push_sources<'a>(&mut self, txn_rows: &[u32], from: impl Iterator<Item = &'a SourceHint>) {
        let mut count = 0;
        for hint in from {
            count += 1;
            self.from_key.push(Some(hint.key.0.into()));
            self.from_txn.push(hint.from.map(|id| txn_rows[id.index()].into()));
        }
        self.from.push((count > 0).then_some(count));
    }

    /// Puts the columns behind those that are there.
    pub(super) fn write(&self, columns: &mut Columns) {
        for column in OpColumn::ALL.iter().filter(|column| self.used & column.bit() != 0) {
            match column {
                OpColumn::Op => columns.ints(&self.verb),
                OpColumn::Status => columns.ints(&self.status),
                OpColumn::Key => columns.ints(&self.key),
                OpColumn::Value => columns.ints(&self.value),
                OpColumn::Old => columns.ints(&self.old),
                OpColumn::If => columns.ints(&self.condition),
                OpColumn::Rows => columns.ints(&self.count),
                OpColumn::Name => self.name.write(columns),
                OpColumn::Lo => self.lo.write(columns),
                OpColumn::Hi => self.hi.write(columns),
                OpColumn::Reverse => columns.bools(&self.reverse),
                OpColumn::Lock => columns.bools(&self.lock),
                OpColumn::End => columns.bools(&self.end),
                OpColumn::Unseen => columns.bools(&self.unseen),
                OpColumn::Items => {
                    columns.lists(&self.items);
                    columns.structs(self.items.items());
                    columns.ints(&self.item_key);
                    columns.ints(&self.item_value);
                }
                OpColumn::Elements => {
                    columns.lists(&self.elements);
                    columns.ints(&self.element);
                }
                OpColumn::From => {
                    columns.lists(&self.from);
                    columns.structs(self.from.items());
                    columns.ints(&self.from_key);
                    columns.ints(&self.from_txn);
                }
            }
        }
    }
}
