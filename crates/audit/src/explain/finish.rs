//! A transaction all of whose statements are explained: may it take effect, and is that new?

use super::attempt::{Attempt, Explained};
use super::conflict::same;
use crate::statement::Path;
use crate::world::{Explanation, Position, StepRead, Write};

impl Attempt<'_, '_> {
    /// All steps are explained: is it allowed to take effect now?
    pub(super) fn finish(&mut self, path: &Path) {
        let serial = self.context.options.level.is_serial();
        let writes = if self.task.only_reads { Vec::new() } else { path.own.to_writes() };
        if serial && !writes.is_empty() && self.snapshot != self.now {
            return;
        }
        if !writes.is_empty() && !self.may_write(&writes) {
            return;
        }
        let states = self.one_state().then(|| (self.snapshot, self.looks_same_from()));
        if self.is_known(&writes, &path.steps, states) {
            return;
        }
        let (position, steps) = (self.newest(), path.steps.clone());
        let explanation = Explanation { position, writes: !writes.is_empty(), states, steps };
        self.found.push(Explained { explanation, writes });
    }

    /// Whether the same was found already. If only in a later state, that way now reaches back to this one.
    fn is_known(
        &mut self,
        writes: &[Write],
        steps: &[StepRead],
        states: Option<(Position, Position)>,
    ) -> bool {
        let turns = self.context.options.level.snapshot_at_start() && self.context.effort.full;
        for found in self.found.iter_mut().filter(|found| same(&found.writes, writes)) {
            let answers = |steps: &[StepRead]| {
                steps.iter().map(|(_, answers)| answers.clone()).collect::<Vec<_>>()
            };
            match (&mut found.explanation.states, states) {
                (Some((_, oldest)), Some((state, from))) if turns => {
                    if *oldest <= from {
                        return true;
                    }
                    if state + 1 >= *oldest && answers(&found.explanation.steps) == answers(steps) {
                        *oldest = from;
                        return true;
                    }
                }
                _ => return true,
            }
        }
        false
    }
}
