//! Functions of texts whose work upstream knows better than their length tells: what is matched, taken
//! apart, put together.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kube_cel::cel::Value;
use regex::Regex;

use super::{Failure, Interpreter, Outcome, cost};
use crate::pattern::{Size, measured, too_large, translated};

/// How large a regular expression may become when it is read, in bytes.
const LARGEST_PATTERN: usize = 1 << 20;
/// How many bounds of ranges its classes may have. With more it is larger than that, which is found out only once all
/// their letters are listed.
const MOST_RUNES: u64 = 1 << 18;
/// How many of them are kept, at most.
const MOST_PATTERNS: usize = 64;
/// How many digits `format` writes, at most.
const MOST_DIGITS: usize = 3;

/// Regular expressions that have been read.
#[derive(Default)]
pub(super) struct Patterns(RefCell<BTreeMap<String, Rc<Regex>>>);

impl Interpreter {
    /// None for what is done elsewhere, once it is paid for.
    pub(super) fn of_texts(&self, name: &str, values: &[Value]) -> Option<Outcome> {
        let (Value::String(text), args) = values.split_first()? else { return None };
        let pay = |cost: u64| self.charge(cost).err().map(Err);
        Some(match (name, args) {
            ("startsWith", [Value::String(part)]) => {
                self.charge(cost::walk(text.len())).map(|()| text.starts_with(part.as_str()).into())
            }
            ("endsWith", [Value::String(part)]) => {
                self.charge(cost::walk(text.len())).map(|()| text.ends_with(part.as_str()).into())
            }
            ("contains", [Value::String(part)]) => {
                let cost = cost::walk(text.len()).saturating_mul(cost::walk(part.len()));
                self.charge(cost).map(|()| text.contains(part.as_str()).into())
            }
            ("matches", [Value::String(pattern)]) => {
                let pattern = self.pattern(text, pattern);
                pattern.map(|pattern| pattern.is_match(text).into())
            }
            ("find", [Value::String(pattern)]) => self.pattern(text, pattern).map(|pattern| {
                let found = pattern.find(text).map(|found| found.as_str());
                self::text(found.unwrap_or_default())
            }),
            ("findAll", [Value::String(pattern)]) => self.find_all(text, pattern, -1),
            ("findAll", [Value::String(pattern), Value::Int(most)]) => {
                self.find_all(text, pattern, *most)
            }
            ("indexOf" | "lastIndexOf", [Value::String(part), ..]) => {
                return pay(cost::walk(text.len()).saturating_mul(cost::walk(part.len()).max(1)));
            }
            ("split", [Value::String(by), ..]) => {
                let parts =
                    if by.is_empty() { text.len() } else { text.matches(by.as_str()).count() };
                return pay(cost::walk(text.len() * 2) + parts as u64);
            }
            ("replace", [Value::String(from), Value::String(to), ..]) => {
                let count = match from.is_empty() {
                    true => text.len() + 1,
                    false => text.matches(from.as_str()).count(),
                };
                return pay(cost::walk(count.saturating_mul(to.len())) + cost::walk(text.len() * 2));
            }
            ("format", [args]) => {
                return self.charge_walk(args).and_then(|()| digits(text)).err().map(Err);
            }
            _ => return None,
        })
    }

    fn find_all(&self, text: &str, pattern: &str, most: i64) -> Outcome {
        let pattern = self.pattern(text, pattern)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let (mut found, mut at) = (Vec::new(), 0);
        for match_ in pattern.find_iter(text).take(most) {
            // Each search may look at all that is left, however little it finds.
            self.charge(cost::walk(text.len() - at).max(cost::CALL))?;
            at = match_.end();
            found.push(self::text(match_.as_str()));
        }
        Ok(Value::List(Arc::new(found)))
    }

    /// Reads a regular expression, once, and takes the cost of matching a text with it. What Go would not read is
    /// refused before anything is made of it.
    fn pattern(&self, text: &str, pattern: &str) -> Result<Rc<Regex>, Failure> {
        self.charge(cost::matching(text.len(), pattern.len()))?;
        let mut known = self.texts.0.borrow_mut();
        if let Some(pattern) = known.get(pattern) {
            return Ok(Rc::clone(pattern));
        }
        // Those that are written in an expression are read beforehand upstream.
        if known.len() >= 16 {
            self.charge(cost::NEW_PATTERN)?;
        }
        let size = measured(pattern).map_err(Failure::wrong)?;
        self.charge(cost::listing(size.runes))?;
        if !is_bearable(size) {
            return Err(Failure::wrong(too_large(pattern)));
        }
        self.charge(cost::folding(size.steps))?;
        let read = ready(pattern).map_err(Failure::wrong)?;
        if known.len() >= MOST_PATTERNS {
            known.clear();
        }
        let read = Rc::new(read);
        known.insert(pattern.to_owned(), Rc::clone(&read));
        Ok(read)
    }
}

/// Whether a pattern may be made ready. What it becomes has a bound, too, but that is asked too late for these.
const fn is_bearable(size: Size) -> bool {
    size.runes <= MOST_RUNES && size.is_quick()
}

/// A pattern that was read, ready to be asked.
fn ready(pattern: &str) -> Result<Regex, String> {
    let mut builder = regex::RegexBuilder::new(&translated(pattern));
    builder.size_limit(LARGEST_PATTERN).dfa_size_limit(LARGEST_PATTERN);
    builder.build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => too_large(pattern),
        other => format!("error parsing regexp: {other}"),
    })
}

fn text(text: &str) -> Value {
    Value::String(Arc::new(text.to_owned()))
}

/// Refuses what would write numbers of any length.
fn digits(format: &str) -> Result<(), Failure> {
    let precision = |part: &str| {
        let digits = part.strip_prefix('.').unwrap_or_default();
        digits.bytes().take_while(u8::is_ascii_digit).count()
    };
    match format.split('%').all(|part| precision(part) <= MOST_DIGITS) {
        true => Ok(()),
        false => Err(Failure::wrong("precision is too large")),
    }
}
