//! Transactions and keys by name, where the search and the judge speak of numbers.

use tristan_history::History;
use tristan_report::comparison;
use tristan_spec::iso::IsoLevel;
use tristan_synth::{
    AbstractHistory, Event, Evidence, Numbered, Shown, Step, ViolatedCheck, WitnessValue,
};

/// The names behind the numbers. Transaction 0 is the initial one.
pub(crate) struct Names {
    txns: Vec<String>,
    keys: Vec<String>,
}

impl Names {
    /// Those of a history that was found: T1, T2, ….
    pub(crate) fn of_found(history: &AbstractHistory) -> Self {
        let txns = (0..=history.txns.len()).map(|number| format!("T{number}"));
        Self { txns: txns.collect(), keys: history.keys.clone() }
    }

    /// Those of a trace.
    pub(crate) fn of_trace<T>(history: &History, numbered: &Numbered<T>) -> Self {
        let labels = numbered.txns.iter().map(|&txn| history.label(txn));
        let keys = numbered.keys.iter().map(|&key| history.key(key).to_string());
        Self {
            txns: std::iter::once("the initial state".to_owned()).chain(labels).collect(),
            keys: keys.collect(),
        }
    }

    /// A transaction.
    pub(crate) fn txn(&self, number: usize) -> &str {
        self.txns.get(number).map_or("?", String::as_str)
    }

    fn key(&self, number: usize) -> &str {
        self.keys.get(number).map_or("?", String::as_str)
    }

    /// What shows that a level was kept, line by line.
    pub(crate) fn witnesses(&self, witnesses: &[Shown]) -> Vec<String> {
        witnesses.iter().map(|shown| self.witness(shown)).filter(|line| !line.is_empty()).collect()
    }

    /// What goes wrong under the best witnesses, line by line.
    pub(crate) fn why(&self, level: &IsoLevel, violated: &ViolatedCheck) -> Vec<String> {
        let best = self.witnesses(&violated.witnesses);
        let given =
            if best.is_empty() { String::new() } else { format!(" with {}", best.join("; ")) };
        vec![format!("{}{given}:", violated.text(level)), self.evidence(&violated.evidence)]
    }

    /// What violates a check, step by step, if that is how it shows.
    pub(crate) fn steps(&self, evidence: &Evidence) -> Vec<comparison::Step> {
        let (Evidence::Cycle(steps) | Evidence::Path(steps)) = evidence else { return Vec::new() };
        let step = |step: &Step| comparison::Step {
            from: self.txn(step.from).to_owned(),
            to: self.txn(step.to).to_owned(),
            relation: step.relation.clone(),
            key: step.key.map(|key| self.key(key).to_owned()),
        };
        steps.iter().map(step).collect()
    }

    /// The begins and commits of all transactions, in order.
    pub(crate) fn clock(&self, events: &[Event]) -> String {
        let event = |event: &Event| match event {
            Event::Begin(number) => format!("{} begins", self.txn(*number)),
            Event::Commit(number) => format!("{} commits", self.txn(*number)),
        };
        events.iter().map(event).collect::<Vec<String>>().join(", ")
    }

    fn line(&self, numbers: &[usize]) -> String {
        let names: Vec<&str> = numbers.iter().map(|&number| self.txn(number)).collect();
        names.join(" ")
    }

    fn witness(&self, shown: &Shown) -> String {
        let name = &shown.name;
        match &shown.value {
            WitnessValue::Order(numbers) => format!("{name} = {}", self.line(numbers)),
            WitnessValue::OrderPerKey(orders) => {
                let written = orders.iter().enumerate().filter(|(_, order)| !order.is_empty());
                let texts = written.map(|(key, order)| {
                    format!("{name}[{}] = {}", self.key(key), self.line(order))
                });
                texts.collect::<Vec<String>>().join(", ")
            }
            WitnessValue::Relation(pairs) => {
                let between = pairs.iter().filter(|(from, _)| *from != 0);
                let texts: Vec<String> =
                    between.map(|&(a, b)| format!("{}→{}", self.txn(a), self.txn(b))).collect();
                match texts.is_empty() {
                    true => format!("{name} holds from the initial state only"),
                    false => format!("{name} = {}", texts.join(", ")),
                }
            }
        }
    }

    fn evidence(&self, evidence: &Evidence) -> String {
        match evidence {
            Evidence::Cycle(steps) => format!("cycle: {}", self.walk(steps)),
            Evidence::Path(steps) => self.walk(steps),
            Evidence::Unrelated(a, b) => {
                format!("{} and {} are not related", self.txn(*a), self.txn(*b))
            }
            Evidence::Whole => "the check as a whole fails".to_owned(),
        }
    }

    fn walk(&self, steps: &[Step]) -> String {
        let mut text = steps.first().map(|step| self.txn(step.from).to_owned()).unwrap_or_default();
        for step in steps {
            let key = step.key.map(|key| format!(" {}", self.key(key))).unwrap_or_default();
            text.push_str(&format!(" ─{}{key}→ {}", step.relation, self.txn(step.to)));
        }
        text
    }
}
