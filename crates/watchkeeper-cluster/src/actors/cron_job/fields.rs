//! The fields of a schedule.

use std::time::Duration;

/// The values of one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Values {
    bits: u64,
    /// Whether a star said so, which is more than that all are there.
    all: bool,
}

impl Values {
    pub(crate) const fn has(self, value: u8) -> bool {
        self.bits & (1 << value) != 0
    }

    pub(crate) const fn is_all(self) -> bool {
        self.all
    }
}

/// What a field may say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    least: u64,
    most: u64,
    /// Names of values, from the least one on.
    names: &'static [&'static str],
}

impl Field {
    pub(crate) const MINUTE: Self = Self { least: 0, most: 59, names: &[] };
    pub(crate) const HOUR: Self = Self { least: 0, most: 23, names: &[] };
    pub(crate) const DAY: Self = Self { least: 1, most: 31, names: &[] };
    pub(crate) const MONTH: Self = Self {
        least: 1,
        most: 12,
        names: &[
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ],
    };
    pub(crate) const WEEKDAY: Self =
        Self { least: 0, most: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] };

    /// Reads a field: ranges with commas between them.
    pub(crate) fn values(&self, text: &str) -> Result<Values, String> {
        let mut values = Values { bits: 0, all: false };
        for range in text.split(',').filter(|range| !range.is_empty()) {
            let (from, to, step, all) = self.range(range)?;
            values.all |= all;
            let mut value = from;
            while value <= to {
                values.bits |= 1 << value;
                value = value.saturating_add(step);
            }
        }
        Ok(values)
    }

    /// Reads `from`, `from-to`, `*` or `?`, each with or without `/step`.
    fn range(&self, text: &str) -> Result<(u64, u64, u64, bool), String> {
        let parts: Vec<&str> = text.split('/').collect();
        let ends: Vec<&str> = parts[0].split('-').collect();
        let star = ends[0] == "*" || ends[0] == "?";
        let (from, mut to) = match ends[..] {
            _ if star => (self.least, self.most),
            [only] => (self.value(only)?, self.value(only)?),
            [from, to] => (self.value(from)?, self.value(to)?),
            _ => return Err(format!("too many hyphens: {text}")),
        };
        let step = match parts[..] {
            [_] => 1,
            [_, step] => {
                // `from/step` goes on to the end.
                to = if ends.len() == 1 { self.most } else { to };
                number(step)?
            }
            _ => return Err(format!("too many slashes: {text}")),
        };
        if from < self.least {
            let least = self.least;
            return Err(format!("beginning of range ({from}) below minimum ({least}): {text}"));
        }
        if to > self.most {
            return Err(format!("end of range ({to}) above maximum ({}): {text}", self.most));
        }
        if from > to {
            return Err(format!("beginning of range ({from}) beyond end of range ({to}): {text}"));
        }
        if step == 0 {
            return Err(format!("step of range should be a positive number: {text}"));
        }
        Ok((from, to, step, star && step == 1))
    }

    fn value(&self, text: &str) -> Result<u64, String> {
        let named = self.names.iter().zip(self.least..);
        let mut named = named.filter(|(name, _)| name.eq_ignore_ascii_case(text));
        named.next().map_or_else(|| number(text), |(_, value)| Ok(value))
    }
}

fn number(text: &str) -> Result<u64, String> {
    let number: i64 = text.parse().map_err(|_| format!("failed to parse int from {text}"))?;
    u64::try_from(number).map_err(|_| format!("negative number ({number}) not allowed: {text}"))
}

/// Reads a duration as Go writes them, such as `1h30m` or `1.5h`; `None` for one that is not positive.
pub(crate) fn go_duration(text: &str) -> Option<Duration> {
    let mut rest = text.strip_prefix('+').unwrap_or(text);
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let unit = rest.find(|c: char| c != '.' && !c.is_ascii_digit())?;
        let number: f64 = rest[..unit].parse().ok()?;
        let after = &rest[unit..];
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        seconds += number
            * match &after[..end] {
                "h" => 3600.0,
                "m" => 60.0,
                "s" => 1.0,
                "ms" => 1e-3,
                "us" | "µs" | "μs" => 1e-6,
                "ns" => 1e-9,
                _ => return None,
            };
        rest = &after[end..];
    }
    Duration::try_from_secs_f64(seconds).ok().filter(|_| !text.is_empty())
}
