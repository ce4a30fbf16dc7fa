//! First-order formulas about transactions and keys, negations pushed to the atoms.
//!
//! ```text
//!   co ; so in co     ──►   ∀a ∀c ( ∀b ( ¬co(a,b) ∨ ¬so(b,c) ) ∨ co(a,c) )
//! ```
//!
//! Formulas live in one arena and are named by [`Id`]; every variable is bound once, so nothing
//! is ever captured. Variable 0 is free everywhere and stands for the initial transaction.

use tristan_spec::Promise;

/// What a variable ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// Transactions, the initial one included.
    Txn,
    Key,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Var(pub(super) u32);

/// The initial transaction.
pub(super) const INIT: Var = Var(0);

/// What an atom says of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Pred {
    /// Two of a kind are one and the same.
    Same(Kind),
    /// `so`.
    So,
    /// `rt`.
    Rt,
    /// `cc`.
    CommitOrder,
    /// `bc`.
    BeginCommit,
    /// The second transaction reads the version of the key that the first wrote.
    Wr,
    /// The transaction reads the first key before the second.
    Po,
    /// The transaction writes the key.
    Writes,
    /// The transaction reads the key.
    Reads,
    /// The transaction writes something.
    Writers,
    /// The transaction reads something.
    Readers,
    /// The transaction was promised at least this.
    Promised(Promise),
    /// A witness, by number.
    Witness(usize),
    /// A transitive closure, by number.
    Closure(usize),
    /// The abbreviation of a relation, by number.
    Abbreviation(usize),
}

/// A formula in an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id(pub(super) u32);

/// The outermost part of a formula.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// The predicate holds of the arguments, or does not.
    Atom { holds: bool, pred: Pred, args: Vec<Var> },
    /// All hold; true if there are none.
    All(Vec<Id>),
    /// One holds; false if there are none.
    Any(Vec<Id>),
    /// Holds whatever the variable is.
    ForAll(Var, Id),
    /// Holds for some value of the variable.
    Exists(Var, Id),
}

/// The arena that owns all formulas.
#[derive(Clone, Debug)]
pub(super) struct Formulas {
    nodes: Vec<Node>,
    /// The free variables of each node, sorted.
    free: Vec<Vec<Var>>,
    kinds: Vec<Kind>,
}

impl Formulas {
    /// Without any formula.
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), free: Vec::new(), kinds: vec![Kind::Txn] }
    }

    /// A variable that occurs nowhere yet.
    pub(super) fn fresh(&mut self, kind: Kind) -> Var {
        self.kinds.push(kind);
        Var(number(self.kinds.len() - 1))
    }

    /// How many formulas there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many variables there are.
    pub(super) fn variables(&self) -> usize {
        self.kinds.len()
    }

    /// What the variable ranges over.
    pub(super) fn kind(&self, var: Var) -> Kind {
        self.kinds[var.0 as usize]
    }

    /// The outermost part.
    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The free variables, sorted.
    pub(super) fn free(&self, id: Id) -> &[Var] {
        &self.free[id.0 as usize]
    }

    /// An atom or its negation.
    pub(super) fn atom(&mut self, holds: bool, pred: Pred, args: Vec<Var>) -> Id {
        let mut free = args.clone();
        free.sort();
        free.dedup();
        self.push(Node::Atom { holds, pred, args }, free)
    }

    /// Two variables of a kind stand for the same, or do not.
    pub(super) fn same(&mut self, holds: bool, a: Var, b: Var) -> Id {
        if a == b {
            return self.constant(holds);
        }
        self.atom(holds, Pred::Same(self.kind(a)), vec![a, b])
    }

    /// True or false.
    pub(super) fn constant(&mut self, value: bool) -> Id {
        let node = if value { Node::All(Vec::new()) } else { Node::Any(Vec::new()) };
        self.push(node, Vec::new())
    }

    /// Both or all if `holds`, else one of them: how a conjunction of which `holds` says whether
    /// it is negated looks once its parts are negated like it.
    pub(super) fn join(&mut self, holds: bool, parts: Vec<Id>) -> Id {
        if let [only] = parts.as_slice() {
            return *only;
        }
        let mut free: Vec<Var> = parts.iter().flat_map(|&part| self.free(part)).copied().collect();
        free.sort();
        free.dedup();
        let node = if holds { Node::All(parts) } else { Node::Any(parts) };
        self.push(node, free)
    }

    /// For some value of the variable if `some`, else for all. There is a value always, so a
    /// variable that does not occur needs no quantifier.
    pub(super) fn quantify(&mut self, some: bool, var: Var, body: Id) -> Id {
        if !self.free(body).contains(&var) {
            return body;
        }
        let free: Vec<Var> = self.free(body).iter().copied().filter(|&v| v != var).collect();
        let node = if some { Node::Exists(var, body) } else { Node::ForAll(var, body) };
        self.push(node, free)
    }

    fn push(&mut self, node: Node, free: Vec<Var>) -> Id {
        self.nodes.push(node);
        self.free.push(free);
        Id(number(self.nodes.len() - 1))
    }
}

/// An index as it is stored.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("formulas are far smaller than four billion nodes")
}
