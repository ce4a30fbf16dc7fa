//! Whether something grows or shrinks when a witness grows.

use tristan_spec::iso::{Check, Rel};

/// What happens when a witness grows: to a relation, or to the chance that a check holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Nothing: it does not occur.
    Absent,
    /// It grows, or stays.
    Grows,
    /// It shrinks, or stays.
    Shrinks,
    /// Either.
    Mixed,
}

impl Polarity {
    fn flipped(self) -> Self {
        match self {
            Self::Grows => Self::Shrinks,
            Self::Shrinks => Self::Grows,
            other => other,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Absent, one) | (one, Self::Absent) => one,
            (one, two) if one == two => one,
            _ => Self::Mixed,
        }
    }
}

/// What a witness does to a relation.
pub fn in_rel(rel: &Rel, witness: usize) -> Polarity {
    match rel {
        Rel::Witness(place, _) if *place == witness => Polarity::Grows,
        Rel::Diff(left, right) => in_rel(left, witness).and(in_rel(right, witness).flipped()),
        other => other
            .parts()
            .into_iter()
            .map(|part| in_rel(part, witness))
            .fold(Polarity::Absent, Polarity::and),
    }
}

/// What a witness does to a check.
pub fn in_check(check: &Check, witness: usize) -> Polarity {
    match check {
        Check::In(left, right) => in_rel(left, witness).flipped().and(in_rel(right, witness)),
        Check::Acyclic(rel) | Check::Irreflexive(rel) | Check::Empty(rel) => {
            in_rel(rel, witness).flipped()
        }
        Check::Total(rel) => in_rel(rel, witness),
        Check::Not(inner) => in_check(inner, witness).flipped(),
        Check::All(parts) | Check::Any(parts) => {
            parts.iter().map(|part| in_check(part, witness)).fold(Polarity::Absent, Polarity::and)
        }
        Check::ForAll(_, inner) => in_check(inner, witness),
    }
}

#[cfg(test)]
mod tests {
    use tristan_spec::iso::{Given, Sort};

    use super::*;

    #[test]
    fn differences_and_containment_turn_it_around() {
        let (v, so) = (Rel::Witness(0, None), Rel::Given(Given::So));
        let without = Rel::Diff(Box::new(so.clone()), Box::new(v.clone()));
        assert_eq!(in_rel(&without, 0), Polarity::Shrinks);
        let twice = Rel::Seq(vec![v.clone(), without]);
        assert_eq!(in_rel(&twice, 0), Polarity::Mixed);
        assert_eq!(in_check(&Check::In(v.clone(), so.clone()), 0), Polarity::Shrinks);
        assert_eq!(in_check(&Check::In(so, v.clone()), 0), Polarity::Grows);
        let not = Check::Not(Box::new(Check::Empty(v)));
        assert_eq!(in_check(&not, 0), Polarity::Grows);
        assert_eq!(in_check(&Check::Acyclic(Rel::Id(Sort::Txn)), 0), Polarity::Absent);
    }
}
