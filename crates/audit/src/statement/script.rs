//! Answers to what a statement leaves open.

/// Answers to what a statement leaves open, in the order of the questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// The answers; zero where there are no more.
    pub(crate) answers: Vec<usize>,
    /// How many possibilities each question had.
    pub(crate) asked: Vec<usize>,
}

impl Script {
    /// Gives the next answer.
    pub(crate) fn choose(&mut self, alternatives: usize) -> usize {
        let answer = self.answers.get(self.asked.len()).copied().unwrap_or(0);
        self.asked.push(alternatives);
        answer.min(alternatives.saturating_sub(1))
    }

    /// The next combination of answers, if there is one.
    pub(crate) fn next(mut self) -> Option<Self> {
        self.answers.resize(self.asked.len(), 0);
        while let Some(last) = self.answers.pop() {
            let most = self.asked[self.answers.len()];
            if last + 1 < most {
                self.answers.push(last + 1);
                return Some(Self { answers: self.answers, asked: Vec::new() });
            }
        }
        None
    }
}
