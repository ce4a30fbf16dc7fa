//! And-gates over inputs, each built once.
//!
//! A [`Gate`] is a node of the circuit or its negation, so `or` is `and` seen from the other side.
//! Nodes are numbered as they are built: whatever a node is made of has a smaller number.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// A node of a circuit, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gate(u32);

impl Gate {
    /// Always true.
    pub const TRUE: Self = Self(0);
    /// Always false.
    pub const FALSE: Self = Self(1);

    /// The constant of this value.
    pub fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// Its value, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        match self {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }

    /// Whether it may be true, as far as one sees without solving.
    pub fn is_possible(self) -> bool {
        self != Self::FALSE
    }

    /// The number of its node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of its node.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn of_node(node: usize) -> Self {
        Self(u32::try_from(node << 1).expect("a circuit has fewer than 2^31 nodes"))
    }
}

impl Not for Gate {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<'a> {
    /// The constant true.
    True,
    /// Free to be true or false.
    Input,
    /// True if all of these are, of which there are at least two.
    And(&'a [Gate]),
}

/// Where the parts of a node lie; `len` 0 for inputs and the constant.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    len: u32,
}

/// A circuit under construction.
#[derive(Debug)]
pub struct Circuit {
    spans: Vec<Span>,
    parts: Vec<Gate>,
    built: FxHashMap<Box<[Gate]>, Gate>,
    /// What each node was found to be, if that is known.
    known: Vec<Option<bool>>,
    scratch: Vec<Gate>,
}

impl Default for Circuit {
    fn default() -> Self {
        Self {
            spans: vec![Span { start: 0, len: 0 }],
            parts: Vec::new(),
            built: FxHashMap::default(),
            known: vec![Some(true)],
            scratch: Vec::new(),
        }
    }
}

impl Circuit {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// What the node with this number is.
    pub fn node(&self, node: usize) -> Node<'_> {
        let Span { start, len } = self.spans[node];
        match (node, len) {
            (0, _) => Node::True,
            (_, 0) => Node::Input,
            _ => Node::And(&self.parts[start as usize..(start + len) as usize]),
        }
    }

    /// A new input.
    pub fn input(&mut self) -> Gate {
        self.push(Span { start: 0, len: 0 })
    }

    /// The gate, or the constant it is known to be.
    pub fn seen(&self, gate: Gate) -> Gate {
        match self.known[gate.node()] {
            Some(value) => Gate::constant(value != gate.is_negated()),
            None => gate,
        }
    }

    /// From now on the gate is taken to be true wherever it is used.
    ///
    /// The reader of the circuit must ensure that it is.
    pub fn take_as_true(&mut self, gate: Gate) {
        self.known[gate.node()] = Some(!gate.is_negated());
    }

    /// True if all of them are.
    pub fn and(&mut self, gates: impl IntoIterator<Item = Gate>) -> Gate {
        let mut parts = std::mem::take(&mut self.scratch);
        parts.clear();
        let mut possible = true;
        for gate in gates {
            match self.seen(gate) {
                Gate::TRUE => {}
                Gate::FALSE => {
                    possible = false;
                    break;
                }
                part => parts.push(part),
            }
        }
        let gate = if possible { self.conjunction(&mut parts) } else { Gate::FALSE };
        self.scratch = parts;
        gate
    }

    /// True if one of them is.
    pub fn or(&mut self, gates: impl IntoIterator<Item = Gate>) -> Gate {
        !self.and(gates.into_iter().map(Not::not))
    }

    /// True if the first is false or the second true.
    pub fn implies(&mut self, first: Gate, second: Gate) -> Gate {
        self.or([!first, second])
    }

    /// True if both are the same.
    pub fn same(&mut self, first: Gate, second: Gate) -> Gate {
        let both = self.and([first, second]);
        let neither = self.and([!first, !second]);
        self.or([both, neither])
    }

    /// The conjunction of parts that are no constants.
    fn conjunction(&mut self, parts: &mut Vec<Gate>) -> Gate {
        parts.sort_unstable();
        parts.dedup();
        // A gate and its negation are neighbours once sorted.
        if parts.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Gate::FALSE;
        }
        match parts.as_slice() {
            [] => Gate::TRUE,
            [only] => *only,
            several => match self.built.get(several) {
                Some(&gate) => self.seen(gate),
                None => self.build(several),
            },
        }
    }

    fn build(&mut self, parts: &[Gate]) -> Gate {
        let start = index(self.parts.len());
        self.parts.extend_from_slice(parts);
        let gate = self.push(Span { start, len: index(parts.len()) });
        self.built.insert(parts.into(), gate);
        gate
    }

    fn push(&mut self, span: Span) -> Gate {
        let gate = Gate::of_node(self.spans.len());
        self.spans.push(span);
        self.known.push(None);
        gate
    }
}

fn index(value: usize) -> u32 {
    u32::try_from(value).expect("a circuit has fewer than 2^32 wires")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_gate_is_built_once() {
        let mut circuit = Circuit::default();
        let (a, b) = (circuit.input(), circuit.input());
        assert_eq!(circuit.and([a, b]), circuit.and([b, a, b]));
        assert_eq!(circuit.or([a, b]), !circuit.and([!b, !a]));
        assert_eq!(circuit.len(), 5, "true, two inputs, one for and, one for or");
    }

    #[test]
    fn constants_vanish() {
        let mut circuit = Circuit::default();
        let a = circuit.input();
        assert_eq!(circuit.and([a, Gate::TRUE]), a);
        assert_eq!(circuit.and([a, Gate::FALSE]), Gate::FALSE);
        assert_eq!(circuit.and([a, !a]), Gate::FALSE);
        assert_eq!(circuit.or([a, !a]), Gate::TRUE);
        assert_eq!(circuit.and([]), Gate::TRUE);
        assert_eq!(circuit.or([]), Gate::FALSE);
        assert_eq!(circuit.same(a, a), Gate::TRUE);
    }

    #[test]
    fn what_is_known_makes_gates_smaller() {
        let mut circuit = Circuit::default();
        let (a, b, c) = (circuit.input(), circuit.input(), circuit.input());
        let both = circuit.and([a, b]);
        circuit.take_as_true(!both);
        assert_eq!(circuit.and([a, b]), Gate::FALSE);
        circuit.take_as_true(!a);
        assert_eq!(circuit.or([a, c]), c);
    }
}
