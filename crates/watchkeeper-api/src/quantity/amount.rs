//! The number behind a quantity.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

/// A number in billionths, with the family of units it is written in.
///
/// What is finer than billionths is rounded away from zero, and what is written in powers of 1024 is
/// capped at 2⁶³−1, as upstream does. Above 10²¹ upstream loses its units; here 10²⁹ is the cap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Amount {
    nanos: i128,
    format: Format,
}

/// The family of units an amount is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `n u m k M G T P E`: powers of 1000.
    #[default]
    DecimalSi,
    /// `Ki Mi Gi Ti Pi Ei`: powers of 1024.
    BinarySi,
    /// `e3`, `E6`: a power of ten.
    DecimalExponent,
}

/// A text that is no quantity.
///
/// ```
/// use watchkeeper_api::quantity::Amount;
/// assert_eq!("12Gib".parse::<Amount>().unwrap_err().offset(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantityError(usize);

impl QuantityError {
    /// The byte from which on the text is none.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.0
    }
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a quantity as in 100m, 1.5, 2Gi or 3e6")
    }
}

impl std::error::Error for QuantityError {}

const ONE: i128 = 1_000_000_000;
const LARGEST_BINARY: i128 = i64::MAX as i128 * ONE;
const LARGEST: i128 = 10_i128.pow(29) * ONE;
const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

impl Amount {
    /// From billionths.
    #[must_use]
    pub fn from_nanos(nanos: i128, format: Format) -> Self {
        Self { nanos: nanos.clamp(-LARGEST, LARGEST), format }
    }

    /// In billionths.
    #[must_use]
    pub const fn nanos(self) -> i128 {
        self.nanos
    }

    /// The family of units it is written in.
    #[must_use]
    pub const fn format(self) -> Format {
        self.format
    }

    /// As a whole number, rounded away from zero and capped (upstream's `Value`).
    #[must_use]
    pub fn value(self) -> i64 {
        capped(divide_away(self.nanos, ONE))
    }

    /// In thousandths, rounded away from zero and capped (upstream's `MilliValue`).
    #[must_use]
    pub fn milli_value(self) -> i64 {
        capped(divide_away(self.nanos, ONE / 1_000))
    }

    /// As a float, for computing with shares.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.nanos as f64 / ONE as f64
    }

    /// Whether it is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.nanos == 0
    }
}

fn capped(value: i128) -> i64 {
    value.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// Divides and rounds away from zero.
fn divide_away(value: i128, by: i128) -> i128 {
    let (quotient, remainder) = (value / by, value % by);
    quotient + remainder.signum()
}

impl FromStr for Amount {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        parse(text).map_err(QuantityError)
    }
}

/// # Errors
/// The byte from which on it is none.
fn parse(text: &str) -> Result<Amount, usize> {
    let (negative, unsigned) = match text.as_bytes().first().ok_or(0_usize)? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (number, suffix) = unsigned.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    // Upstream takes a unit without digits for zero.
    let behind = text.len() - suffix.len();
    if let Some(point) = fraction.find('.') {
        return Err(behind - fraction.len() + point);
    }
    let (scale, mut format) = parse_suffix(suffix).ok_or(behind)?;
    let nanos = scaled(whole, fraction, scale);
    if format == Format::BinarySi && nanos > 0 && nanos < ONE && !negative {
        format = Format::DecimalSi;
    }
    Ok(Amount::from_nanos(if negative { -nanos } else { nanos }, format))
}

/// What the digits are multiplied with.
#[derive(Clone, Copy)]
enum Scale {
    Ten(i32),
    Two(u32),
}

fn parse_suffix(suffix: &str) -> Option<(Scale, Format)> {
    if let Some(index) = DECIMAL.iter().position(|unit| *unit == suffix) {
        return Some((Scale::Ten(3 * (index as i32 - 3)), Format::DecimalSi));
    }
    if let Some(index) = BINARY.iter().position(|unit| *unit == suffix) {
        return Some((Scale::Two(10 * index as u32), Format::BinarySi));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?;
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size: i32 = digits.parse().unwrap_or(i32::MAX).min(1_000);
    let exponent = if exponent.starts_with('-') { -size } else { size };
    Some((Scale::Ten(exponent), Format::DecimalExponent))
}

/// `whole.fraction` times the scale, in billionths, rounded up and capped.
fn scaled(whole: &str, fraction: &str, scale: Scale) -> i128 {
    match scale {
        Scale::Ten(exponent) => shift_decimal(whole, fraction, exponent + 9),
        Scale::Two(bits) => {
            let whole = shift_decimal(whole, "", 9).saturating_mul(1 << bits);
            whole.saturating_add(fraction_times(fraction, bits)).min(LARGEST_BINARY)
        }
    }
}

/// The digits as a whole number after moving the point right by `places`, rounded up and capped.
fn shift_decimal(whole: &str, fraction: &str, places: i32) -> i128 {
    let point = whole.len() as i64 + i64::from(places);
    let mut value: i128 = 0;
    let digits = whole.bytes().chain(fraction.bytes()).map(|byte| i128::from(byte - b'0'));
    let mut count = 0_i64;
    let mut finer = false;
    for digit in digits {
        if count < point {
            value = value.saturating_mul(10).saturating_add(digit);
        } else {
            finer |= digit != 0;
        }
        count += 1;
    }
    while count < point && value != 0 && value <= LARGEST {
        value = value.saturating_mul(10);
        count += 1;
    }
    value.saturating_add(i128::from(finer)).min(LARGEST)
}

/// `0.fraction` times 2 to the `bits`, in billionths, rounded up: doubled digit by digit, so that
/// nothing is lost on the way.
fn fraction_times(fraction: &str, bits: u32) -> i128 {
    let mut digits: Vec<u8> = fraction.bytes().map(|byte| byte - b'0').collect();
    let mut whole: i128 = 0;
    for _ in 0..bits {
        let carry = digits.iter_mut().rev().fold(0, |carry, digit| {
            let doubled = *digit * 2 + carry;
            *digit = doubled % 10;
            doubled / 10
        });
        whole = whole * 2 + i128::from(carry);
    }
    let places = digits.iter().copied().chain(std::iter::repeat(0)).take(9);
    let nanos = places.fold(whole, |value, digit| value * 10 + i128::from(digit));
    let finer = digits.iter().skip(9).any(|digit| *digit != 0);
    nanos + i128::from(finer)
}

/// The canonical spelling: the largest unit that leaves a whole number. A binary unit is not used
/// for less than 1024 and for what is no whole number.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let binary = self.nanos.abs() >= 1_024 * ONE && self.nanos % ONE == 0;
        match self.format {
            Format::BinarySi if binary => self.write_binary(f),
            Format::BinarySi | Format::DecimalSi => {
                let (mantissa, power) = self.decimal();
                write!(f, "{mantissa}{}", DECIMAL[power])
            }
            Format::DecimalExponent => match self.decimal() {
                (mantissa, 3) => write!(f, "{mantissa}"),
                (mantissa, power) => write!(f, "{mantissa}e{}", 3 * (power as i32 - 3)),
            },
        }
    }
}

impl Amount {
    /// Mantissa and power of 1000, counted from billionths.
    fn decimal(self) -> (i128, usize) {
        if self.nanos == 0 {
            return (0, 3);
        }
        let (mut mantissa, mut power) = (self.nanos, 0);
        while mantissa % 1_000 == 0 && power + 1 < DECIMAL.len() {
            mantissa /= 1_000;
            power += 1;
        }
        (mantissa, power)
    }

    fn write_binary(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut mantissa, mut power) = (self.nanos / ONE, 0);
        while mantissa % 1_024 == 0 && power + 1 < BINARY.len() {
            mantissa /= 1_024;
            power += 1;
        }
        write!(f, "{mantissa}{}", BINARY[power])
    }
}

impl From<i64> for Amount {
    fn from(value: i64) -> Self {
        Self::from_nanos(i128::from(value) * ONE, Format::DecimalSi)
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Amount {}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Amount {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.nanos.hash(state);
    }
}

/// Sums take the format of the left side, or of the right one when the left is zero. They stop at
/// the cap.
impl Add for Amount {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let format = if self.is_zero() { other.format } else { self.format };
        Self::from_nanos(self.nanos.saturating_add(other.nanos), format)
    }
}

impl Neg for Amount {
    type Output = Self;
    fn neg(self) -> Self {
        Self { nanos: -self.nanos, ..self }
    }
}

/// So many of it, as of what each replica asks for; stops at the cap.
impl Mul<i64> for Amount {
    type Output = Self;
    fn mul(self, times: i64) -> Self {
        Self::from_nanos(self.nanos.saturating_mul(times.into()), self.format)
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), Add::add)
    }
}

impl Sub for Amount {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
