//! Whole numbers without a limit: 128 bits as long as that is enough.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// A whole number. A number that fits 128 bits is always `Small`, so equal numbers look the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Integer {
    Small(i128),
    Large(Box<BigInt>),
}

impl Integer {
    fn big(&self) -> BigInt {
        match self {
            Self::Small(small) => BigInt::from(*small),
            Self::Large(large) => (**large).clone(),
        }
    }

    fn normal(big: BigInt) -> Self {
        match i128::try_from(&big) {
            Ok(small) => Self::Small(small),
            Err(_) => Self::Large(Box::new(big)),
        }
    }

    fn combine(
        &self,
        other: &Self,
        small: impl Fn(i128, i128) -> Option<i128>,
        large: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Self {
        if let (Self::Small(a), Self::Small(b)) = (self, other)
            && let Some(result) = small(*a, *b)
        {
            return Self::Small(result);
        }
        Self::normal(large(self.big(), other.big()))
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        self.combine(other, i128::checked_add, |a, b| a + b)
    }

    pub(super) fn sub(&self, other: &Self) -> Self {
        self.combine(other, i128::checked_sub, |a, b| a - b)
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        self.combine(other, i128::checked_mul, |a, b| a * b)
    }

    /// The quotient, cut off towards zero. The divisor is not zero.
    pub(super) fn quotient(&self, other: &Self) -> Self {
        self.combine(other, i128::checked_div, |a, b| a / b)
    }

    /// What is left, with the sign of the dividend. The divisor is not zero.
    pub(super) fn remainder(&self, other: &Self) -> Self {
        self.combine(other, i128::checked_rem, |a, b| a % b)
    }

    pub(super) fn neg(&self) -> Self {
        Self::Small(0).sub(self)
    }

    pub(super) fn abs(&self) -> Self {
        if self.sign() < 0 { self.neg() } else { self.clone() }
    }

    pub(super) fn sign(&self) -> i8 {
        match self {
            Self::Small(small) => i8::from(*small > 0) - i8::from(*small < 0),
            Self::Large(large) => match large.sign() {
                Sign::Minus => -1,
                Sign::NoSign => 0,
                Sign::Plus => 1,
            },
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Self::Small(0)
    }

    /// Ten to the power of `exponent`.
    pub(super) fn power_of_ten(exponent: u32) -> Self {
        match 10i128.checked_pow(exponent) {
            Some(small) => Self::Small(small),
            None => Self::Large(Box::new(BigInt::from(10).pow(exponent))),
        }
    }

    /// How many decimal digits it has; none for zero.
    pub(super) fn digits(&self) -> u32 {
        match self {
            Self::Small(0) => 0,
            Self::Small(small) => small.unsigned_abs().ilog10() + 1,
            Self::Large(large) => {
                u32::try_from(large.magnitude().to_string().len()).unwrap_or(u32::MAX)
            }
        }
    }

    /// Reads decimal digits.
    pub(super) fn parse(digits: &str) -> Option<Self> {
        if let Ok(small) = digits.parse() {
            return Some(Self::Small(small));
        }
        BigInt::parse_bytes(digits.as_bytes(), 10).map(Self::normal)
    }

    /// The number, if it fits.
    pub(super) fn small(&self) -> Option<i128> {
        match self {
            Self::Small(small) => Some(*small),
            Self::Large(_) => None,
        }
    }
}

impl std::fmt::Display for Integer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Small(small) => small.fmt(f),
            Self::Large(large) => large.fmt(f),
        }
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
