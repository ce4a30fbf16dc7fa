//! Exact decimal numbers with a scale: `1.50` is 150 with two digits behind the point.
//!
//! The scale is part of what servers show (`1.5` and `1.50` are equal and look different), so every
//! operation says which scale its result has. Divisions differ between servers and are at the end.

use std::cmp::Ordering;
use std::fmt;

use super::integer::Integer;

/// A decimal number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decimal {
    unscaled: Integer,
    scale: u32,
}

/// More digits behind the point than any server keeps.
const MAX_SCALE: u32 = 16383;
/// More digits than any server takes in an exponent of a literal.
const MAX_EXPONENT: i64 = 20_000;

impl Decimal {
    /// A whole number.
    pub fn from_integer(value: i128) -> Self {
        Self { unscaled: Integer::Small(value), scale: 0 }
    }

    /// Reads `-12.50` or `1.5e3`; `None` if it is not a number.
    pub fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (sign, digits) = match mantissa.as_bytes().first()? {
            b'-' => (true, &mantissa[1..]),
            b'+' => (false, &mantissa[1..]),
            _ => (false, mantissa),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        let readable = !all.is_empty() && all.bytes().all(|byte| byte.is_ascii_digit());
        if !readable || exponent.abs() > MAX_EXPONENT {
            return None;
        }
        let unscaled = Integer::parse(&all)?;
        let unscaled = if sign { unscaled.neg() } else { unscaled };
        let scale = i64::try_from(fraction.len()).ok()? - exponent;
        Some(match u32::try_from(scale) {
            Ok(scale) => Self { unscaled, scale: scale.min(MAX_SCALE) },
            Err(_) => {
                let shift = Integer::power_of_ten(u32::try_from(-scale).ok()?);
                Self { unscaled: unscaled.mul(&shift), scale: 0 }
            }
        })
    }

    /// How many digits there are behind the point.
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// How many digits there are before the point; none if it is below one.
    pub fn whole_digits(&self) -> u32 {
        self.unscaled.digits().saturating_sub(self.scale)
    }

    /// -1, 0 or 1.
    pub fn sign(&self) -> i8 {
        self.unscaled.sign()
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.unscaled.is_zero()
    }

    /// The same number with another scale; half is rounded away from zero.
    pub fn round(&self, scale: u32) -> Self {
        self.rescale(scale, true)
    }

    /// The same number with another scale; digits that are too many are cut off.
    pub fn truncate(&self, scale: u32) -> Self {
        self.rescale(scale, false)
    }

    fn rescale(&self, scale: u32, rounds: bool) -> Self {
        match scale.cmp(&self.scale) {
            Ordering::Equal => self.clone(),
            Ordering::Greater => {
                let shift = Integer::power_of_ten(scale - self.scale);
                Self { unscaled: self.unscaled.mul(&shift), scale }
            }
            Ordering::Less => {
                let shift = Integer::power_of_ten(self.scale - scale);
                let unscaled = if rounds {
                    divide_half_away(&self.unscaled, &shift)
                } else {
                    self.unscaled.quotient(&shift)
                };
                Self { unscaled, scale }
            }
        }
    }

    /// Rounds to tens, hundreds, …: `places` digits before the point become zero.
    pub fn round_whole(&self, places: u32) -> Self {
        let shift = Integer::power_of_ten(self.scale.saturating_add(places).min(MAX_SCALE));
        let rounded = divide_half_away(&self.unscaled, &shift);
        Self { unscaled: rounded.mul(&Integer::power_of_ten(places.min(MAX_SCALE))), scale: 0 }
    }

    /// The largest whole number that is not larger.
    pub fn floor(&self) -> Self {
        let cut = self.truncate(0);
        if self.sign() < 0 && cut.compare(self) != Ordering::Equal {
            return cut.sub(&Self::from_integer(1));
        }
        cut
    }

    /// The smallest whole number that is not smaller.
    pub fn ceil(&self) -> Self {
        self.neg().floor().neg()
    }

    /// The sum, with the larger scale.
    pub fn add(&self, other: &Self) -> Self {
        let (a, b, scale) = self.aligned(other);
        Self { unscaled: a.add(&b), scale }
    }

    /// The difference, with the larger scale.
    pub fn sub(&self, other: &Self) -> Self {
        let (a, b, scale) = self.aligned(other);
        Self { unscaled: a.sub(&b), scale }
    }

    /// The product, with the sum of the scales.
    pub fn mul(&self, other: &Self) -> Self {
        Self { unscaled: self.unscaled.mul(&other.unscaled), scale: self.scale + other.scale }
    }

    /// What is left of a division, with the sign of the dividend and the larger scale. The divisor is
    /// not zero.
    pub fn remainder(&self, other: &Self) -> Self {
        let (a, b, scale) = self.aligned(other);
        Self { unscaled: a.remainder(&b), scale }
    }

    /// The number with the other sign.
    pub fn neg(&self) -> Self {
        Self { unscaled: self.unscaled.neg(), scale: self.scale }
    }

    /// The number without its sign.
    pub fn abs(&self) -> Self {
        Self { unscaled: self.unscaled.abs(), scale: self.scale }
    }

    /// Which one is larger, whatever they look like.
    pub fn compare(&self, other: &Self) -> Ordering {
        if self.scale == other.scale {
            return self.unscaled.cmp(&other.unscaled);
        }
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }

    fn aligned(&self, other: &Self) -> (Integer, Integer, u32) {
        let scale = self.scale.max(other.scale);
        (self.round(scale).unscaled, other.round(scale).unscaled, scale)
    }

    /// The number without zeros at the end: equal numbers look the same.
    pub fn canonical(&self) -> Self {
        if self.is_zero() {
            return Self::from_integer(0);
        }
        let ten = Integer::Small(10);
        let mut shortest = self.clone();
        while shortest.scale > 0 && shortest.unscaled.remainder(&ten).is_zero() {
            shortest =
                Self { unscaled: shortest.unscaled.quotient(&ten), scale: shortest.scale - 1 };
        }
        shortest
    }

    /// The whole number it is, rounded, if it fits.
    pub fn to_integer(&self) -> Option<i128> {
        self.round(0).unscaled.small()
    }

    /// The whole number that is left without the fraction, if it fits.
    pub fn to_truncated_integer(&self) -> Option<i128> {
        self.truncate(0).unscaled.small()
    }

    /// The nearest floating point number.
    pub fn to_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// The quotient with this scale; half is rounded away from zero. The divisor is not zero.
    pub fn divide_rounded(&self, other: &Self, scale: u32) -> Self {
        let (dividend, divisor) = self.dividend(other, scale);
        Self { unscaled: divide_half_away(&dividend, &divisor), scale }
    }

    /// The quotient with this scale; digits behind are cut off. The divisor is not zero.
    pub fn divide_truncated(&self, other: &Self, scale: u32) -> Self {
        let (dividend, divisor) = self.dividend(other, scale);
        Self { unscaled: dividend.quotient(&divisor), scale }
    }

    fn dividend(&self, other: &Self, scale: u32) -> (Integer, Integer) {
        let up = Integer::power_of_ten(scale + other.scale);
        let down = Integer::power_of_ten(self.scale);
        (self.unscaled.mul(&up), other.unscaled.mul(&down))
    }

    /// PostgreSQL's quotient: at least sixteen significant digits, counted in groups of four.
    pub fn divide_significantly(&self, other: &Self) -> Self {
        let (weight_a, first_a) = self.leading_group();
        let (weight_b, first_b) = other.leading_group();
        let weight = weight_a - weight_b - i64::from(first_a <= first_b);
        let wanted = (16 - weight * 4).clamp(0, 1000);
        let scale = u32::try_from(wanted).unwrap_or(0).max(self.scale).max(other.scale);
        self.divide_rounded(other, scale.min(1000))
    }

    /// The first group of four digits that is not zero, and where it is: 0 just before the point.
    fn leading_group(&self) -> (i64, u32) {
        if self.is_zero() {
            return (0, 0);
        }
        let position = i64::from(self.unscaled.digits()) - i64::from(self.scale);
        let weight = (position - 1).div_euclid(4);
        // Moves the leading group to just before the point and drops what is behind it.
        let shift = weight * 4 + i64::from(self.scale);
        let unscaled = self.unscaled.abs();
        let group = match u32::try_from(shift) {
            Ok(down) => unscaled.quotient(&Integer::power_of_ten(down)),
            Err(_) => unscaled.mul(&Integer::power_of_ten(u32::try_from(-shift).unwrap_or(0))),
        };
        (weight, group.small().and_then(|group| u32::try_from(group).ok()).unwrap_or(0))
    }

    /// MySQL's quotient before it is rounded for display: it counts in groups of nine digits and cuts
    /// the rest off.
    pub fn divide_in_groups(&self, other: &Self, more: u32) -> Self {
        let up = |scale: u32| scale.div_ceil(9) * 9;
        let (a, b) = (up(self.scale), up(other.scale));
        let more = more.saturating_sub((a - self.scale) + (b - other.scale));
        self.divide_truncated(other, up(a + b + more))
    }
}

/// The quotient, with half rounded away from zero.
fn divide_half_away(dividend: &Integer, divisor: &Integer) -> Integer {
    let quotient = dividend.quotient(divisor);
    let twice = dividend.remainder(divisor).abs().mul(&Integer::Small(2));
    if twice < divisor.abs() {
        return quotient;
    }
    let away = i128::from(dividend.sign()) * i128::from(divisor.sign());
    quotient.add(&Integer::Small(away))
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.unscaled.abs().to_string();
        let sign = if self.sign() < 0 { "-" } else { "" };
        let scale = self.scale as usize;
        if scale == 0 {
            return write!(f, "{sign}{digits}");
        }
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).expect("a number")
    }

    #[test]
    fn reads_and_writes_scales() {
        for text in ["0", "-0.50", "12.3400", "123456789012345678901234567890123456789012.5"] {
            assert_eq!(decimal(text).to_string(), text);
        }
        assert_eq!(decimal("1.5e3").to_string(), "1500");
        assert_eq!(decimal("15e-3").to_string(), "0.015");
        for text in ["", "-", ".", "1e", "x", "1.2.3"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn rounds_half_away_from_zero() {
        for (text, scale, rounded) in
            [("2.5", 0, "3"), ("-2.5", 0, "-3"), ("0.125", 2, "0.13"), ("1.005", 2, "1.01")]
        {
            assert_eq!(decimal(text).round(scale).to_string(), rounded);
        }
    }

    #[test]
    fn divides_as_postgresql_does() {
        for (a, b, quotient) in [
            ("10.00", "3", "3.3333333333333333"),
            ("0.05", "7", "0.00714285714285714286"),
            ("100", "3.0", "33.3333333333333333"),
            ("1", "3", "0.33333333333333333333"),
            ("10000", "3", "3333.3333333333333333"),
        ] {
            assert_eq!(decimal(a).divide_significantly(&decimal(b)).to_string(), quotient);
        }
    }

    #[test]
    fn divides_as_mysql_does() {
        let third = decimal("1").divide_in_groups(&decimal("3"), 4);
        assert_eq!(third.to_string(), "0.333333333");
        assert_eq!(
            decimal("10.00").divide_in_groups(&decimal("3"), 4).round(6).to_string(),
            "3.333333"
        );
    }
}
