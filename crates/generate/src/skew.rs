//! Which of many things is chosen how often.
//!
//! ```text
//!   uniform    all alike
//!   zipf:0.5   number n with a weight of 1 / n^0.5
//!   90%:10     nine of ten choices fall on the first 10
//! ```
//!
//! Powers are made of square roots and products alone, which are the same on every platform.

use std::fmt;
use std::str::FromStr;

use super::Rng;

/// How choices are spread; the first things are the favourites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Skew {
    /// All numbers are equally likely.
    #[default]
    Uniform,
    /// Weights that fall with a power of the number.
    Zipf {
        /// The exponent, in hundredths.
        hundredths: u32,
    },
    /// A share of the choices falls on a few things, the rest on all.
    Hot {
        /// The share, in percent.
        percent: u64,
        /// The number of things on which this share falls.
        count: u64,
    },
}

impl fmt::Display for Skew {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => out.write_str("uniform"),
            Self::Zipf { hundredths } => {
                write!(out, "zipf:{}.{:02}", hundredths / 100, hundredths % 100)
            }
            Self::Hot { percent, count } => write!(out, "{percent}%:{count}"),
        }
    }
}

impl FromStr for Skew {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = match text.split_once(':') {
            None if text == "uniform" => Some(Self::Uniform),
            Some(("zipf", exponent)) => zipf(exponent),
            Some((share, count)) => hot(share, count),
            None => None,
        };
        parsed.ok_or_else(|| {
            format!("{text:?} is neither uniform nor zipf:EXPONENT (for example zipf:0.5, at most 4) nor SHARE%:KEYS (for example 90%:10)")
        })
    }
}

fn zipf(exponent: &str) -> Option<Skew> {
    let exponent: f64 = exponent.parse().ok().filter(|number| (0.0..=4.0).contains(number))?;
    Some(Skew::Zipf { hundredths: (exponent * 100.0).round() as u32 })
}

fn hot(share: &str, count: &str) -> Option<Skew> {
    let percent = share.strip_suffix('%')?.parse().ok().filter(|percent| *percent <= 100)?;
    let count = count.parse().ok().filter(|count| *count > 0)?;
    Some(Skew::Hot { percent, count })
}

/// Draws numbers below a bound.
#[derive(Clone, Debug)]
pub struct Draw {
    bound: u64,
    skew: Skew,
    /// For Zipf: the sum of the weights up to and including each number.
    sums: Vec<u64>,
}

impl Draw {
    /// Numbers below `bound`, of which there is at least one.
    pub fn new(bound: u64, skew: Skew) -> Self {
        let bound = bound.max(1);
        let sums = match skew {
            Skew::Zipf { hundredths } => sums(bound, hundredths),
            Skew::Uniform | Skew::Hot { .. } => Vec::new(),
        };
        Self { bound, skew, sums }
    }

    /// Draws a number from the distribution.
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        match self.skew {
            Skew::Hot { percent, count } if rng.percent(percent) => {
                rng.below(count.min(self.bound))
            }
            Skew::Uniform | Skew::Hot { .. } => rng.below(self.bound),
            Skew::Zipf { .. } => {
                let point = rng.below(self.sums[self.sums.len() - 1]);
                self.sums.partition_point(|sum| *sum <= point) as u64
            }
        }
    }

    /// A number from 1 on.
    pub fn key(&self, rng: &mut Rng) -> i64 {
        1 + self.draw(rng) as i64
    }
}

/// The weight of the first number. Even the last of many with a steep exponent keeps one.
const FIRST: f64 = (1u64 << 36) as f64;

fn sums(bound: u64, hundredths: u32) -> Vec<u64> {
    let mut sum = 0;
    let weight = |number: u64| (FIRST / power(number as f64, hundredths)).max(1.0) as u64;
    (1..=bound)
        .map(|number| {
            sum += weight(number);
            sum
        })
        .collect()
}

/// A number to the power of so many hundredths.
fn power(number: f64, hundredths: u32) -> f64 {
    let mut result = (0..hundredths / 100).fold(1.0, |product, _| product * number);
    let mut root = number;
    let mut fraction = (hundredths % 100) * (1 << 16) / 100;
    for _ in 0..16 {
        root = root.sqrt();
        fraction <<= 1;
        if fraction >= 1 << 16 {
            fraction -= 1 << 16;
            result *= root;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_square_roots() {
        assert!((power(1_000.0, 50) - 1_000f64.sqrt()).abs() < 1e-9);
        assert!((power(7.0, 125) - 7f64.powf(1.25)).abs() < 1e-3);
        assert!((power(3.0, 200) - 9.0).abs() < 1e-9);
    }

    #[test]
    fn favourites_are_chosen_as_often_as_told() {
        let mut rng = Rng::new(1);
        let mut counted = |skew: &str, below: u64| {
            let draw = Draw::new(1_000, skew.parse().expect("a skew"));
            (0..20_000).filter(|_| draw.draw(&mut rng) < below).count()
        };
        assert!((1_500..2_500).contains(&counted("uniform", 100)));
        assert!((17_500..18_500).contains(&counted("90%:10", 10)));
        // The sum of 1/√n is about 2√n: √10 / √1000 is a tenth.
        assert!((1_500..2_300).contains(&counted("zipf:0.5", 10)));
        assert!((1_500..2_500).contains(&counted("zipf:0", 100)));
    }

    #[test]
    fn names_of_skews() {
        for name in ["uniform", "zipf:0.50", "zipf:1.25", "90%:10"] {
            assert_eq!(name.parse::<Skew>().expect("a skew").to_string(), name);
        }
        for odd in ["", "zipf", "zipf:x", "zipf:9", "90:10", "101%:3", "5%:0", "zipf:NaN"] {
            assert!(odd.parse::<Skew>().is_err(), "{odd}");
        }
    }
}
