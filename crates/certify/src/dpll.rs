//! A small solver for propositional clauses: is there any way out?
//!
//! Unit propagation with counters, decisions, and on a conflict one more clause: the decisions
//! that led to it cannot all be right. Each such clause follows from the others by propagation
//! alone, so an answer "unsatisfiable" needs no more trust than propagation does.

/// A variable, or its negation: twice the variable, plus one if negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lit(u32);

impl Lit {
    /// The positive literal of a variable.
    pub(crate) fn new(variable: usize) -> Self {
        Self(2 * variable as u32)
    }

    /// The negation.
    pub(crate) fn not(self) -> Self {
        Self(self.0 ^ 1)
    }

    fn variable(self) -> usize {
        self.0 as usize / 2
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Clauses, and sets of variables of which at most one is true.
#[derive(Debug, Default)]
pub(crate) struct Problem {
    variables: usize,
    clauses: Vec<Vec<Lit>>,
    at_most_one: Vec<Vec<Lit>>,
}

/// The solver's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Satisfiable,
    Unsatisfiable,
    GaveUp,
}

impl Problem {
    /// A new variable.
    pub(crate) fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::new(self.variables - 1)
    }

    /// At least one of these is true.
    pub(crate) fn clause(&mut self, mut literals: Vec<Lit>) {
        literals.sort_unstable();
        literals.dedup();
        let tautology = literals.windows(2).any(|pair| pair[0] == pair[1].not());
        if !tautology {
            self.clauses.push(literals);
        }
    }

    /// At most one of these is true.
    pub(crate) fn at_most_one(&mut self, literals: Vec<Lit>) {
        self.at_most_one.push(literals);
    }

    /// Whether all of it can be true, within this many steps.
    pub(crate) fn solve(self, steps: u64) -> Outcome {
        Solver::new(self).run(steps)
    }
}

/// Why a literal is true.
#[derive(Clone, Copy, Debug)]
enum Reason {
    Decision,
    Clause(usize),
    /// This one is true, and at most one is.
    Exclusion(Lit),
}

#[derive(Debug)]
struct Solver {
    clauses: Vec<Vec<Lit>>,
    /// Per clause: literals that are not false.
    open: Vec<usize>,
    /// Per clause: literals that are true.
    satisfied: Vec<usize>,
    /// Clauses by literal.
    containing: Vec<Vec<usize>>,
    /// Literals that become false when this one becomes true.
    excludes: Vec<Vec<usize>>,
    groups: Vec<Vec<Lit>>,
    /// Per literal.
    is_true: Vec<bool>,
    reason: Vec<Reason>,
    /// True literals, oldest first.
    trail: Vec<Lit>,
    /// The length of the trail before each decision.
    levels: Vec<usize>,
    /// Literals waiting to be made true.
    queue: Vec<(Lit, Reason)>,
    steps: u64,
}

impl Solver {
    fn new(problem: Problem) -> Self {
        let mut solver = Self {
            clauses: Vec::new(),
            open: Vec::new(),
            satisfied: Vec::new(),
            containing: vec![Vec::new(); 2 * problem.variables],
            excludes: vec![Vec::new(); 2 * problem.variables],
            groups: problem.at_most_one,
            is_true: vec![false; 2 * problem.variables],
            reason: vec![Reason::Decision; problem.variables],
            trail: Vec::new(),
            levels: Vec::new(),
            queue: Vec::new(),
            steps: 0,
        };
        for (group, literals) in solver.groups.iter().enumerate() {
            for literal in literals {
                solver.excludes[literal.index()].push(group);
            }
        }
        for clause in problem.clauses {
            solver.add(clause);
        }
        solver
    }

    fn run(&mut self, steps: u64) -> Outcome {
        if self.clauses.iter().any(Vec::is_empty) {
            return Outcome::Unsatisfiable;
        }
        loop {
            if let Some(conflict) = self.propagate() {
                if !self.learn(&conflict) {
                    return Outcome::Unsatisfiable;
                }
            } else if self.steps > steps {
                return Outcome::GaveUp;
            } else if let Some(literal) = self.open_literal() {
                self.levels.push(self.trail.len());
                self.queue.push((literal, Reason::Decision));
            } else {
                return Outcome::Satisfiable;
            }
        }
    }

    /// Files a clause under the present assignment.
    fn add(&mut self, clause: Vec<Lit>) {
        let number = self.clauses.len();
        let open: Vec<Lit> =
            clause.iter().copied().filter(|lit| !self.is_true[lit.not().index()]).collect();
        self.satisfied.push(clause.iter().filter(|lit| self.is_true[lit.index()]).count());
        self.open.push(open.len());
        for literal in &clause {
            self.containing[literal.index()].push(number);
        }
        self.clauses.push(clause);
        if let [unit] = open[..] {
            self.queue.push((unit, Reason::Clause(number)));
        }
    }

    /// Draws all direct conclusions. A conflict is a set of true literals that cannot be.
    fn propagate(&mut self) -> Option<Vec<Lit>> {
        while let Some((literal, reason)) = self.queue.pop() {
            if self.is_true[literal.index()] {
                continue;
            }
            if self.is_true[literal.not().index()] {
                self.queue.clear();
                let mut conflict = self.because(literal, reason);
                conflict.push(literal.not());
                return Some(conflict);
            }
            self.make_true(literal, reason);
        }
        None
    }

    fn make_true(&mut self, literal: Lit, reason: Reason) {
        self.is_true[literal.index()] = true;
        self.reason[literal.variable()] = reason;
        self.trail.push(literal);
        for &clause in &self.containing[literal.index()] {
            self.satisfied[clause] += 1;
        }
        for &clause in &self.containing[literal.not().index()] {
            self.steps += 1;
            self.open[clause] -= 1;
            if self.open[clause] <= 1 && self.satisfied[clause] == 0 {
                // With nothing open, any literal will do to run into the contradiction.
                let literals = &self.clauses[clause];
                let is_open = |lit: &&Lit| !self.is_true[lit.not().index()];
                if let Some(&unit) = literals.iter().find(is_open).or(literals.first()) {
                    self.queue.push((unit, Reason::Clause(clause)));
                }
            }
        }
        for &group in &self.excludes[literal.index()] {
            let others = self.groups[group].iter().filter(|&&other| other != literal);
            self.queue.extend(others.map(|other| (other.not(), Reason::Exclusion(literal))));
        }
    }

    /// The true literals that force `literal`.
    fn because(&self, literal: Lit, reason: Reason) -> Vec<Lit> {
        match reason {
            Reason::Decision => Vec::new(),
            Reason::Exclusion(other) => vec![other],
            Reason::Clause(clause) => {
                let others = self.clauses[clause].iter().filter(|&&other| other != literal);
                others.map(|other| other.not()).collect()
            }
        }
    }

    /// Adds the clause "not all decisions behind this conflict" and goes back to where it
    /// has one literal left. False if there is no decision behind it.
    fn learn(&mut self, conflict: &[Lit]) -> bool {
        let mut marked = vec![false; self.reason.len()];
        for literal in conflict {
            marked[literal.variable()] = true;
        }
        let mut decisions = Vec::new();
        for position in (0..self.trail.len()).rev() {
            let literal = self.trail[position];
            if !marked[literal.variable()] {
                continue;
            }
            self.steps += 1;
            match self.reason[literal.variable()] {
                Reason::Decision => decisions.push((position, literal)),
                reason => {
                    for cause in self.because(literal, reason) {
                        marked[cause.variable()] = true;
                    }
                }
            }
        }
        if decisions.is_empty() {
            return false;
        }
        // The latest decision is first; keep everything up to the one before it.
        let keep = match decisions.get(1) {
            Some(&(position, _)) => self.levels.iter().filter(|&&start| start <= position).count(),
            None => 0,
        };
        self.go_back(keep);
        self.add(decisions.iter().map(|(_, literal)| literal.not()).collect());
        true
    }

    fn go_back(&mut self, levels: usize) {
        let Some(&length) = self.levels.get(levels) else { return };
        for literal in self.trail.drain(length..).rev() {
            self.is_true[literal.index()] = false;
            for &clause in &self.containing[literal.index()] {
                self.satisfied[clause] -= 1;
            }
            for &clause in &self.containing[literal.not().index()] {
                self.open[clause] += 1;
            }
        }
        self.levels.truncate(levels);
    }

    /// A literal of a shortest clause that is not satisfied yet.
    fn open_literal(&mut self) -> Option<Lit> {
        self.steps += self.clauses.len() as u64 / 16;
        let unsatisfied = (0..self.clauses.len()).filter(|&clause| self.satisfied[clause] == 0);
        let shortest = unsatisfied.min_by_key(|&clause| self.open[clause])?;
        let literals = self.clauses[shortest].iter();
        literals.copied().find(|lit| !self.is_true[lit.not().index()])
    }
}

#[cfg(test)]
mod tests {
    use tristan_generate::Rng;

    use super::*;

    /// A random problem of few variables, with the answer found by trying everything.
    fn random_problem(rng: &mut Rng) -> (Problem, bool) {
        let variables = 1 + rng.below(8);
        let mut problem = Problem::default();
        for _ in 0..variables {
            problem.variable();
        }
        let literal = |rng: &mut Rng| {
            let literal = Lit::new(rng.below(variables) as usize);
            if rng.percent(50) { literal.not() } else { literal }
        };
        for _ in 0..rng.below(4 * variables + 1) {
            let clause = (0..1 + rng.below(3)).map(|_| literal(rng)).collect();
            problem.clause(clause);
        }
        for _ in 0..rng.below(3) {
            let first = rng.below(variables) as usize;
            problem.at_most_one((first..variables as usize).map(Lit::new).collect());
        }
        let holds =
            |world: u64, lit: &Lit| (world >> lit.variable() & 1 == 1) == lit.0.is_multiple_of(2);
        let satisfied = (0..1u64 << variables).any(|world| {
            problem.clauses.iter().all(|clause| clause.iter().any(|lit| holds(world, lit)))
                && problem
                    .at_most_one
                    .iter()
                    .all(|group| group.iter().filter(|lit| holds(world, lit)).count() <= 1)
        });
        (problem, satisfied)
    }

    #[test]
    fn agrees_with_trying_everything() {
        let mut satisfiable = 0;
        for seed in 0..20_000 {
            let (problem, satisfied) = random_problem(&mut Rng::new(seed));
            let expected = if satisfied { Outcome::Satisfiable } else { Outcome::Unsatisfiable };
            assert_eq!(problem.solve(1_000_000), expected, "seed {seed}");
            satisfiable += usize::from(satisfied);
        }
        assert!((4_000..16_000).contains(&satisfiable), "{satisfiable}");
    }

    #[test]
    fn the_empty_clause_is_a_contradiction() {
        let mut problem = Problem::default();
        assert_eq!(Problem::default().solve(1), Outcome::Satisfiable);
        problem.clause(Vec::new());
        assert_eq!(problem.solve(1), Outcome::Unsatisfiable);
    }

    #[test]
    fn a_hundred_thousand_units_are_no_trouble() {
        let mut problem = Problem::default();
        let mut previous = problem.variable();
        problem.clause(vec![previous]);
        for _ in 0..100_000 {
            let next = problem.variable();
            problem.clause(vec![previous.not(), next]);
            previous = next;
        }
        problem.clause(vec![previous.not()]);
        assert_eq!(problem.solve(5_000_000), Outcome::Unsatisfiable);
    }

    #[test]
    fn irrelevant_choices_do_not_multiply() {
        let mut problem = Problem::default();
        for _ in 0..60 {
            let pair = vec![problem.variable(), problem.variable()];
            problem.clause(pair);
        }
        let (a, b) = (problem.variable(), problem.variable());
        for clause in [[a, b], [a.not(), b], [a, b.not()], [a.not(), b.not()]] {
            problem.clause(clause.to_vec());
        }
        assert_eq!(problem.solve(100_000), Outcome::Unsatisfiable);
    }

    #[test]
    fn gives_up_when_told_to() {
        // Nine pigeons, eight holes.
        let mut problem = Problem::default();
        let holes: Vec<Vec<Lit>> =
            (0..9).map(|_| (0..8).map(|_| problem.variable()).collect()).collect();
        for pigeon in &holes {
            problem.clause(pigeon.clone());
        }
        for hole in 0..8 {
            problem.at_most_one(holes.iter().map(|pigeon| pigeon[hole]).collect());
        }
        assert_eq!(problem.solve(1_000), Outcome::GaveUp);
    }
}
