//! List reads: whose appends a list shows, and in what order.

use tristan_history::{KeyId, OpKind, Outcome, TxnId, ValueId};
use tristan_verdict::{BadKind, Source};

use crate::operations::Seen;
use crate::reading::{Read, Reading};
use crate::writes::Append;

/// Why a list cannot be what a database at this level shows, and whose element shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListError {
    pub(crate) kind: BadKind,
    pub(crate) writer: Option<TxnId>,
}

impl<'h> Reading<'h> {
    /// The elements of a list read that the reader did not append itself.
    pub(crate) fn external_elements(&self, read: &Read) -> &'h [ValueId] {
        let elements = self.all_elements(read);
        match read.seen {
            Seen::List(length) => elements.get(..length).unwrap_or(elements),
            _ => &[],
        }
    }

    fn all_elements(&self, read: &Read) -> &'h [ValueId] {
        match &self.history.ops_of(read.txn)[read.op as usize].kind {
            OpKind::ReadList { elements: Some(elements), .. } => elements,
            _ => &[],
        }
    }

    /// How many elements of the list are not the reader's own; `None` if its own appends so
    /// far are not exactly the end.
    pub(crate) fn external_part(&self, read: &Read) -> Option<usize> {
        let elements = self.external_elements(read);
        let own = self.own_elements(read);
        elements.ends_with(&own).then(|| elements.len() - own.len())
    }

    /// The only source a list read can have.
    pub(crate) fn list_source(&self, read: &Read) -> Option<Source> {
        if self.is_dirty(read.txn) {
            return None;
        }
        let groups = self.list_writers(read).ok()?;
        Some(groups.last().map_or(Source::Initial, |txn| Source::Txn(txn.0)))
    }

    /// The transactions whose complete appends the external part is, oldest first.
    pub(crate) fn list_writers(&self, read: &Read) -> Result<Vec<TxnId>, ListError> {
        self.elements_exist_once(read)?;
        let mut rest = self.external_elements(read);
        let mut writers = Vec::new();
        while let [first, ..] = rest {
            let Some(append) = self.append_of(read.key, *first) else { break };
            let writer = append.txn;
            let bad = |kind| Err(ListError { kind, writer: Some(writer) });
            if self.is_taken_back(&append) {
                return bad(BadKind::Aborted);
            }
            match rest.strip_prefix(&self.final_elements(writer, read.key)[..]) {
                Some(after) => rest = after,
                None => return bad(BadKind::Intermediate),
            }
            writers.push(writer);
        }
        Ok(writers)
    }

    /// Every element of a list occurs once and was appended by some transaction, and those of the external
    /// part by others. Where dirty reads are allowed that is all a list needs, next to its order.
    pub(crate) fn elements_exist_once(&self, read: &Read) -> Result<(), ListError> {
        if let Some(twice) = duplicate(self.all_elements(read)) {
            let writer = self.appender(read.key, twice);
            return Err(ListError { kind: BadKind::DuplicateElement, writer });
        }
        let elements = self.external_elements(read).iter();
        let mut appenders = elements.map(|&element| self.appender(read.key, element));
        if appenders.clone().any(|appender| appender.is_none()) {
            return Err(ListError { kind: BadKind::ThinAir, writer: None });
        }
        match appenders.any(|appender| appender == Some(read.txn)) {
            true => Err(ListError { kind: BadKind::Future, writer: Some(read.txn) }),
            false => Ok(()),
        }
    }

    /// The writers of the elements of a list, whatever became of them, without elements that
    /// their writers have undone.
    pub(crate) fn element_writers(&self, read: &Read) -> Vec<TxnId> {
        let elements = self.external_elements(read).iter();
        let appends = elements.filter_map(|&element| self.append_of(read.key, element));
        appends.filter(|append| append.undone.is_none()).map(|append| append.txn).collect()
    }

    /// Whether this list read, if it took effect, shows that `first` installed its version of
    /// the key before `then` did. A dirty one speaks only of what is known to have committed.
    pub(crate) fn list_shows(&self, read: &Read, first: TxnId, then: TxnId) -> bool {
        if first == then || !matches!(read.seen, Seen::List(_)) {
            return false;
        }
        match self.is_dirty(read.txn) {
            false => {
                let Ok(writers) = self.list_writers(read) else { return false };
                let place = |txn| writers.iter().position(|&writer| writer == txn);
                match (place(first), place(then)) {
                    (Some(early), Some(late)) => early < late,
                    (Some(_), None) => self.install(then, read.key).is_some(),
                    (None, _) => false,
                }
            }
            true => {
                let committed = |txn| self.history.txn(txn).outcome == Outcome::Committed;
                let writers = self.element_writers(read);
                let early = writers.iter().position(|&writer| writer == first);
                let late = writers.iter().rposition(|&writer| writer == then);
                let shown = early.zip(late).is_some_and(|(early, late)| early < late);
                shown && committed(read.txn) && committed(first) && committed(then)
            }
        }
    }

    /// Whether the external part has an element that the reader itself had appended by then.
    pub(crate) fn shows_own_element(&self, read: &Read) -> bool {
        let own = self.own_elements(read);
        self.external_elements(read).iter().any(|element| own.contains(element))
    }

    /// The transaction that appended this element.
    pub(crate) fn appender(&self, key: KeyId, element: ValueId) -> Option<TxnId> {
        self.append_of(key, element).map(|append| append.txn)
    }

    /// The append of this element. On keys that are interpreted there is one.
    pub(crate) fn append_of(&self, key: KeyId, element: ValueId) -> Option<Append> {
        let wanted = (key, element);
        let at = self.appends.partition_point(|own| (own.key, own.element) < wanted);
        self.appends.get(at).copied().filter(|own| (own.key, own.element) == wanted)
    }

    /// Whether the append is known to be no part of any version.
    pub(crate) fn is_taken_back(&self, append: &Append) -> bool {
        append.undone.is_some() || self.history.txn(append.txn).outcome == Outcome::Aborted
    }

    /// What the transaction's version of the key adds to the list.
    pub(crate) fn final_elements(&self, txn: TxnId, key: KeyId) -> Vec<ValueId> {
        let appends = self.appends_by(txn, key).iter();
        appends.filter(|own| own.undone.is_none()).map(|own| own.element).collect()
    }

    /// What the reader itself has appended so far.
    fn own_elements(&self, read: &Read) -> Vec<ValueId> {
        let appends = self.appends_by(read.txn, read.key).iter();
        appends.filter(|own| own.is_own_write_at(read.op)).map(|own| own.element).collect()
    }

    fn appends_by(&self, txn: TxnId, key: KeyId) -> &[Append] {
        let all = &self.usage.appends;
        let first = all.partition_point(|own| (own.txn, own.key) < (txn, key));
        let end = all.partition_point(|own| (own.txn, own.key) <= (txn, key));
        &all[first..end]
    }
}

fn duplicate(elements: &[ValueId]) -> Option<ValueId> {
    let mut sorted = elements.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
