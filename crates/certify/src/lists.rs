//! List reads: whose appends a list shows, and in what order.

use tristan_history::{KeyId, OpKind, Outcome, TxnId, ValueId};
use tristan_spec::ReadRule;
use tristan_verdict::{BadKind, Source};

use crate::operations::Seen;
use crate::reading::{Read, Reading};

/// Why a list cannot be what a database at this level shows, and whose element shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadList {
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
        let own = self.appended(read.txn, read.key, read.op);
        elements.ends_with(&own).then(|| elements.len() - own.len())
    }

    /// The only source a list read can have.
    pub(crate) fn list_source(&self, read: &Read) -> Option<Source> {
        if self.rule == ReadRule::Dirty {
            return None;
        }
        let groups = self.list_writers(read).ok()?;
        Some(groups.last().map_or(Source::Initial, |txn| Source::Txn(txn.0)))
    }

    /// The transactions whose complete appends the external part is, oldest first.
    pub(crate) fn list_writers(&self, read: &Read) -> Result<Vec<TxnId>, BadList> {
        self.elements_exist_once(read)?;
        let mut rest = self.external_elements(read);
        let mut writers = Vec::new();
        while let [first, ..] = rest {
            let Some(writer) = self.appender(read.key, *first) else { break };
            let bad = |kind| Err(BadList { kind, writer: Some(writer) });
            if writer == read.txn {
                return bad(BadKind::Future);
            }
            if self.history.txn(writer).outcome == Outcome::Aborted {
                return bad(BadKind::Aborted);
            }
            match rest.strip_prefix(&self.appended(writer, read.key, u32::MAX)[..]) {
                Some(after) => rest = after,
                None => return bad(BadKind::Intermediate),
            }
            writers.push(writer);
        }
        Ok(writers)
    }

    /// Every element of a list occurs once and was appended by somebody. Where dirty reads are
    /// allowed that is all a list needs, next to its order.
    pub(crate) fn elements_exist_once(&self, read: &Read) -> Result<(), BadList> {
        if let Some(twice) = duplicate(self.all_elements(read)) {
            let writer = self.appender(read.key, twice);
            return Err(BadList { kind: BadKind::DuplicateElement, writer });
        }
        let mut elements = self.external_elements(read).iter();
        if elements.any(|&element| self.appender(read.key, element).is_none()) {
            return Err(BadList { kind: BadKind::ThinAir, writer: None });
        }
        Ok(())
    }

    /// The writers of the elements of a list, whatever became of them.
    pub(crate) fn element_writers(&self, read: &Read) -> Vec<TxnId> {
        let elements = self.external_elements(read).iter();
        elements.filter_map(|&element| self.appender(read.key, element)).collect()
    }

    /// Whether this list read, if it took effect, shows that `first` installed its version of
    /// the key before `then` did.
    pub(crate) fn list_shows(&self, read: &Read, first: TxnId, then: TxnId) -> bool {
        if first == then || !matches!(read.seen, Seen::List(_)) {
            return false;
        }
        match self.rule {
            ReadRule::Committed => {
                let Ok(writers) = self.list_writers(read) else { return false };
                let place = |txn| writers.iter().position(|&writer| writer == txn);
                match (place(first), place(then)) {
                    (Some(early), Some(late)) => early < late,
                    (Some(_), None) => self.install(then, read.key).is_some(),
                    (None, _) => false,
                }
            }
            ReadRule::Dirty => {
                let committed = |txn| self.history.txn(txn).outcome == Outcome::Committed;
                let writers = self.element_writers(read);
                let early = writers.iter().position(|&writer| writer == first);
                let late = writers.iter().rposition(|&writer| writer == then);
                let shown = early.zip(late).is_some_and(|(early, late)| early < late);
                shown && committed(first) && committed(then)
            }
        }
    }

    /// Who appended this element. On keys that are interpreted it is one transaction.
    pub(crate) fn appender(&self, key: KeyId, element: ValueId) -> Option<TxnId> {
        let at = self.appends.partition_point(|&(k, e, _)| (k, e) < (key, element));
        let &(found_key, found, txn) = self.appends.get(at)?;
        (found_key == key && found == element).then_some(txn)
    }

    /// What the transaction appended to the key before this operation.
    pub(crate) fn appended(&self, txn: TxnId, key: KeyId, before: u32) -> Vec<ValueId> {
        let place =
            |op| self.appends_of.partition_point(|own| (own.txn, own.key, own.op) < (txn, key, op));
        self.appends_of[place(0)..place(before)].iter().map(|own| own.element).collect()
    }
}

fn duplicate(elements: &[ValueId]) -> Option<ValueId> {
    let mut sorted = elements.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
