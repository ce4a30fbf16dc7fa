//! How a transaction is explained, in few bytes: a log has millions of them.

use std::sync::Arc;

use super::at::At;
use super::explanation::{Explanation, StepRead};
use super::past::Placed;
use super::row::Position;
use super::turn::Turn;

/// How a transaction is explained.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) serial: u32,
    /// Whether it changed something.
    pub(crate) writes: bool,
    /// When it read which states, if it may not go back.
    pub(crate) turn: Option<Turn>,
    how: How,
}

/// Where its statements read.
#[derive(Clone, Debug, PartialEq)]
enum How {
    /// All in one state, and it took effect in that or another one; nothing was left open.
    Plain { position: Position, read: Position, steps: u32 },
    /// In several, or with decisions.
    Detailed(Arc<Explanation>),
}

impl Record {
    pub(crate) fn of(placed: &Placed) -> Self {
        let Placed { serial, turn, explanation } = placed;
        let position = explanation.position;
        let mut states = explanation.steps.iter().map(|(at, answers)| match at {
            At::State(state) if answers.is_empty() => Some(*state),
            _ => None,
        });
        let first = states.next().unwrap_or(Some(position));
        let how = match first {
            Some(read) if states.all(|state| state == first) => {
                let steps = u32::try_from(explanation.steps.len()).unwrap_or(u32::MAX);
                How::Plain { position, read, steps }
            }
            _ => How::Detailed(Arc::clone(explanation)),
        };
        Self { serial: *serial, writes: explanation.writes, turn: *turn, how }
    }

    /// What was read in its turn was read in this state, in which a serial transaction takes effect, too, unless it
    /// changed something.
    pub(crate) fn read_in(&mut self, state: Position, turn: &Turn, serial: bool) {
        let position = if serial && !self.writes { state } else { self.position() };
        if let How::Plain { read, steps, .. } = self.how
            && (read == state || (0..steps as usize).all(|step| turn.has(step)))
        {
            self.how = How::Plain { position, read: state, steps };
            return;
        }
        let mut steps: Vec<StepRead> = Vec::with_capacity(self.steps());
        for place in 0..self.steps() {
            let Some((at, answers)) = self.step(place) else { continue };
            let at = if turn.has(place) { At::State(state) } else { at };
            steps.push((at, answers.to_vec()));
        }
        let (writes, states) = (self.writes, Some((state, turn.oldest)));
        self.how = How::Detailed(Arc::new(Explanation { position, writes, states, steps }));
    }

    /// The state in which it took effect, or in which it read.
    pub(crate) fn position(&self) -> Position {
        match &self.how {
            How::Plain { position, .. } => *position,
            How::Detailed(explanation) => explanation.position,
        }
    }

    /// How many statements were run.
    pub(crate) fn steps(&self) -> usize {
        match &self.how {
            How::Plain { steps, .. } => *steps as usize,
            How::Detailed(explanation) => explanation.steps.len(),
        }
    }

    /// What the statement saw that was run as the how-many-th, and the answers it was given.
    pub(crate) fn step(&self, place: usize) -> Option<(At, &[usize])> {
        match &self.how {
            How::Plain { read, .. } => Some((At::State(*read), &[])),
            How::Detailed(explanation) => {
                let (at, answers) = explanation.steps.get(place)?;
                Some((at.clone(), answers))
            }
        }
    }
}
