//! Schedules as cron writes them: five fields, or a name such as `@daily`, or `@every 90m`.
//!
//! Here it is only asked whether a schedule can be read. What is said of one that cannot are the
//! words of the Go library that upstream uses (robfig/cron, `ParseStandard`), so the checks have
//! its order.

use watchkeeper_schema::times::duration;

use super::zones;
use crate::go::atoi;

/// What upstream tells of a zone with nothing behind it, at which the library panics
/// (`ParseCronScheduleWithPanicRecovery`).
const PANIC: &str = "invalid schedule format: runtime error: slice bounds out of range [:-1]";

/// The names that stand for five fields.
const NAMES: [&str; 7] =
    ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// Why a schedule cannot be read, if it cannot.
pub(super) fn read(text: &str) -> Result<(), String> {
    let text = match text.strip_prefix("CRON_TZ=").or_else(|| text.strip_prefix("TZ=")) {
        None => text,
        Some(rest) => {
            let (zone, rest) = rest.split_once(' ').ok_or_else(|| PANIC.to_owned())?;
            zones::find(zone).map_err(|why| format!("provided bad location {zone}: {why}"))?;
            rest.trim()
        }
    };
    if text.starts_with('@') {
        return descriptor(text);
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() != FIELDS.len() {
        let (count, found) = (fields.len(), fields.join(" "));
        return Err(format!("expected exactly {} fields, found {count}: [{found}]", FIELDS.len()));
    }
    FIELDS.iter().zip(fields).try_for_each(|(field, text)| field.read(text))
}

fn descriptor(text: &str) -> Result<(), String> {
    if NAMES.contains(&text) {
        return Ok(());
    }
    match text.strip_prefix("@every ") {
        Some(every) => {
            duration(every).map_err(|why| format!("failed to parse duration {text}: {why}"))
        }
        None => Err(format!("unrecognized descriptor: {text}")),
    }
}

/// What a field may say.
struct Field {
    least: u64,
    most: u64,
    /// Names of values, from the least one on.
    names: &'static [&'static str],
}

/// Minutes, hours, days of the month, months, days of the week.
const FIELDS: [Field; 5] = [
    Field { least: 0, most: 59, names: &[] },
    Field { least: 0, most: 23, names: &[] },
    Field { least: 1, most: 31, names: &[] },
    Field {
        least: 1,
        most: 12,
        names: &[
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ],
    },
    Field { least: 0, most: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

impl Field {
    /// Reads ranges with commas between them (`getField`).
    fn read(&self, text: &str) -> Result<(), String> {
        text.split(',').filter(|range| !range.is_empty()).try_for_each(|range| self.range(range))
    }

    /// Reads `from`, `from-to`, `*` or `?`, each with or without `/step` (`getRange`).
    fn range(&self, text: &str) -> Result<(), String> {
        let mut parts = text.split('/');
        let ends: Vec<&str> = parts.next().unwrap_or_default().split('-').collect();
        let steps: Vec<&str> = parts.collect();
        let (from, mut to) = match ends[..] {
            [] | ["*" | "?", ..] => (self.least, self.most),
            [only] => {
                let only = self.value(only)?;
                (only, only)
            }
            [from, to] => (self.value(from)?, self.value(to)?),
            [from, ..] => {
                self.value(from)?;
                return Err(format!("too many hyphens: {text}"));
            }
        };
        let step = match steps[..] {
            [] => 1,
            [step] => {
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
        Ok(())
    }

    fn value(&self, text: &str) -> Result<u64, String> {
        let mut named = self.names.iter().zip(self.least..);
        let named = named.find(|(name, _)| name.eq_ignore_ascii_case(text));
        named.map_or_else(|| number(text), |(_, value)| Ok(value))
    }
}

fn number(text: &str) -> Result<u64, String> {
    let number = atoi(text).map_err(|why| format!("failed to parse int from {text}: {why}"))?;
    u64::try_from(number).map_err(|_| format!("negative number ({number}) not allowed: {text}"))
}
