//! The refutation of an excerpt, in terms of the whole trace.

use tristan_history::excerpt::Place;
use tristan_verdict::{
    Bad, Case, Choice, Conflict, Edge, EdgeKind, Fact, Fate, Literal, Refutation, Rule, Source,
};

/// Gives transactions and operations the numbers that they have in the whole trace.
pub(super) fn mapped(refutation: &Refutation, places: &[Place]) -> Refutation {
    let map = Map { places };
    let case = |case: &Case| Case {
        fates: case.fates.iter().map(|fate| map.fate(fate)).collect(),
        refutation: mapped(&case.refutation, places),
    };
    Refutation {
        cases: refutation.cases.iter().map(case).collect(),
        bad: refutation.bad.as_ref().map(|bad| map.bad(bad)),
        choices: refutation.choices.iter().map(|choice| map.choice(choice)).collect(),
        conflicts: refutation.conflicts.iter().map(|conflict| map.conflict(conflict)).collect(),
        core: map.txns(&refutation.core),
        facts: refutation.facts.iter().map(|fact| map.fact(fact)).collect(),
        minimal: refutation.minimal,
    }
}

struct Map<'p> {
    places: &'p [Place],
}

impl Map<'_> {
    fn txn(&self, txn: u32) -> u32 {
        self.places[txn as usize].txn.0
    }

    fn op(&self, txn: u32, op: u32) -> u32 {
        self.places[txn as usize].ops[op as usize]
    }

    fn place(&self, (txn, op): (u32, u32)) -> (u32, u32) {
        (self.txn(txn), self.op(txn, op))
    }

    fn txns(&self, txns: &[u32]) -> Vec<u32> {
        let mut txns: Vec<u32> = txns.iter().map(|&txn| self.txn(txn)).collect();
        txns.sort_unstable();
        txns
    }

    fn source(&self, source: Source) -> Source {
        match source {
            Source::Initial => Source::Initial,
            Source::Txn(txn) => Source::Txn(self.txn(txn)),
        }
    }

    fn fate(&self, fate: &Fate) -> Fate {
        let (txn, op) = self.place((fate.txn, fate.op));
        Fate { txn, op, ..*fate }
    }

    fn bad(&self, bad: &Bad) -> Bad {
        let (txn, op) = self.place((bad.txn, bad.op));
        Bad {
            txn,
            op,
            writer: bad.writer.map(|txn| self.txn(txn)),
            other: bad.other.map(|place| self.place(place)),
            ..bad.clone()
        }
    }

    fn choice(&self, choice: &Choice) -> Choice {
        let (txn, op) = self.place((choice.txn, choice.op));
        let sources = choice.sources.iter().map(|&source| self.source(source)).collect();
        Choice { txn, op, key: choice.key.clone(), sources }
    }

    fn conflict(&self, conflict: &Conflict) -> Conflict {
        let rule = match &conflict.rule {
            Rule::Cycle(edges) => Rule::Cycle(edges.iter().map(|edge| self.edge(edge)).collect()),
            Rule::InitialClash => Rule::InitialClash,
            Rule::NoSource(txn, op) => {
                let (txn, op) = self.place((*txn, *op));
                Rule::NoSource(txn, op)
            }
            Rule::ListOrder(txn, op) => {
                let (txn, op) = self.place((*txn, *op));
                Rule::ListOrder(txn, op)
            }
        };
        let literals = conflict.literals.iter().map(|literal| self.literal(literal)).collect();
        Conflict { literals, rule }
    }

    fn literal(&self, literal: &Literal) -> Literal {
        match literal {
            Literal::Reads { txn, op, key, from } => {
                let (txn, op) = self.place((*txn, *op));
                Literal::Reads { txn, op, key: key.clone(), from: self.source(*from) }
            }
            Literal::Before { key, first, then } => {
                let (first, then) = (self.txn(*first), self.txn(*then));
                Literal::Before { key: key.clone(), first, then }
            }
        }
    }

    fn edge(&self, edge: &Edge) -> Edge {
        let reader = match edge.kind {
            EdgeKind::Wr | EdgeKind::Pwr => edge.to,
            _ => edge.from,
        };
        Edge {
            from: self.txn(edge.from),
            to: self.txn(edge.to),
            read_op: edge.read_op.map(|op| self.op(reader, op)),
            over: edge.over.map(|over| self.source(over)),
            ..edge.clone()
        }
    }

    fn fact(&self, fact: &Fact) -> Fact {
        match fact.clone() {
            Fact::OnlyVersions { key, content, txns } => {
                Fact::OnlyVersions { key, content, txns: self.txns(&txns) }
            }
            Fact::OnlyWrites { key, content, txns } => {
                Fact::OnlyWrites { key, content, txns: self.txns(&txns) }
            }
            Fact::ListShows { txn, op, key, first, then } => {
                let (txn, op) = self.place((txn, op));
                Fact::ListShows { txn, op, key, first: self.txn(first), then: self.txn(then) }
            }
            Fact::TookEffect { txn, reader, op } => {
                let (reader, op) = self.place((reader, op));
                Fact::TookEffect { txn: self.txn(txn), reader, op }
            }
        }
    }
}
