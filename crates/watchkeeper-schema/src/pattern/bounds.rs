//! How large a pattern may be: as large as Go reads it (`regexp/syntax/parse.go`). Nothing is written out to see that.

use std::collections::BTreeMap;

use regex_syntax::ast::{
    self, Ast, ClassSetItem, ClassUnicode, Repetition, RepetitionKind, RepetitionRange, Visitor,
};
use regex_syntax::hir::{Class, HirKind};

use super::{refused, too_large};

/// How often a part may be repeated, by all repetitions around it together.
const MOST_TIMES: u64 = 1_000;
/// How many instructions may be made of a pattern, of forty bytes each.
const LARGEST: u64 = (128 << 20) / 40;
/// How many bounds of ranges its classes may have, of four bytes each.
const MOST_RUNES: u64 = (128 << 20) / 4;
/// What is said of a part that is repeated too often, or from more often than at most.
pub(super) const COUNT: &str = "invalid repeat count";

/// Looks how large a pattern is; tells how many bounds of ranges its classes of Unicode have. `read` is what was read
/// of `pattern`.
pub(super) fn look(parts: &Ast, read: &str, pattern: &str) -> Result<u64, String> {
    let runes = ast::visit(parts, Classes { read, known: BTreeMap::new(), runes: 0 })?;
    let mut measure = Measure { read, parts: 0, repeats: 1, largest: 0 };
    measure.of(parts)?;
    if runes > MOST_RUNES || measure.is_too_large() { Err(too_large(pattern)) } else { Ok(runes) }
}

/// The sign of a repetition at the beginning of a text, as Go shows it.
pub(super) fn operator(text: &str) -> &str {
    let end = match text.as_bytes() {
        [b'{', ..] => text.find('}').map(|end| end + 1),
        [_, b'?', ..] => Some(2),
        _ => text.chars().next().map(char::len_utf8),
    };
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Looks whether the classes of Unicode that a pattern names are ones: `\p{Greek}`. Each is looked up by itself and
/// once, as their letters, thousands of them, would otherwise be listed for each time that a class is named.
struct Classes<'p> {
    read: &'p str,
    known: BTreeMap<&'p str, u64>,
    runes: u64,
}

impl Classes<'_> {
    fn look_up(&mut self, class: &ClassUnicode) -> Result<(), String> {
        let place = class.span.start.offset..class.span.end.offset;
        let name = self.read.get(place).unwrap_or_default();
        let runes = match self.known.get(name) {
            Some(runes) => *runes,
            None => runes(name).ok_or_else(|| refused("invalid character class range", name))?,
        };
        self.known.insert(name, runes);
        self.runes += runes;
        Ok(())
    }
}

impl Visitor for Classes<'_> {
    type Output = u64;
    type Err = String;

    fn finish(self) -> Result<u64, String> {
        Ok(self.runes)
    }

    fn visit_pre(&mut self, part: &Ast) -> Result<(), String> {
        if let Ast::ClassUnicode(class) = part { self.look_up(class) } else { Ok(()) }
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), String> {
        if let ClassSetItem::Unicode(class) = item { self.look_up(class) } else { Ok(()) }
    }
}

/// How many bounds the ranges of a class have; none if it is no class.
fn runes(name: &str) -> Option<u64> {
    let class = regex_syntax::parse(name).ok()?;
    Some(match class.kind() {
        HirKind::Class(Class::Unicode(class)) => 2 * class.ranges().len() as u64,
        _ => 2,
    })
}

/// A part of a pattern when its repetitions are written out.
#[derive(Clone, Copy)]
struct Part {
    /// How often what is repeated most in it is there.
    times: u64,
    /// How many instructions it is.
    size: u64,
}

struct Measure<'p> {
    read: &'p str,
    /// How many parts there are, without letters, which Go keeps many in one.
    parts: u64,
    /// All repetitions, multiplied, wherever they stand.
    repeats: u64,
    /// The size of the largest part.
    largest: u64,
}

impl Measure<'_> {
    /// The nesting of a pattern is bounded by its parser.
    fn of(&mut self, part: &Ast) -> Result<Part, String> {
        let found = match part {
            Ast::Literal(_) => return Ok(Part { times: 1, size: 1 }),
            Ast::Repetition(repetition) => self.repeated(repetition)?,
            Ast::Group(group) => {
                let inner = self.of(&group.ast)?;
                // What is captured is marked at both ends.
                let marks = if group.is_capturing() { 2 } else { 0 };
                Part { size: inner.size.saturating_add(marks), ..inner }
            }
            Ast::Concat(parts) => self.all(&parts.asts, 0)?,
            Ast::Alternation(parts) => self.all(&parts.asts, 1)?,
            _ => Part { times: 1, size: 1 },
        };
        self.parts += 1;
        self.largest = self.largest.max(found.size);
        Ok(found)
    }

    /// Parts with so many instructions between each two.
    fn all(&mut self, parts: &[Ast], between: u64) -> Result<Part, String> {
        let mut whole = Part { times: 1, size: 0 };
        for (index, part) in parts.iter().enumerate() {
            let found = self.of(part)?;
            let before = if index > 0 { between } else { 0 };
            whole.times = whole.times.max(found.times);
            whole.size = whole.size.saturating_add(found.size).saturating_add(before);
        }
        Ok(whole)
    }

    fn repeated(&mut self, repetition: &Repetition) -> Result<Part, String> {
        let inner = self.of(&repetition.ast)?;
        let sign = &repetition.op.span;
        if let Ast::Repetition(within) = &*repetition.ast {
            let signs = self.shown(within.op.span.start.offset, sign.end.offset);
            return Err(refused("invalid nested repetition operator", signs));
        }
        let (least, most) = match &repetition.op.kind {
            RepetitionKind::ZeroOrMore => {
                return Ok(Part { size: inner.size.saturating_add(2), ..inner });
            }
            RepetitionKind::ZeroOrOne | RepetitionKind::OneOrMore => {
                return Ok(Part { size: inner.size.saturating_add(1), ..inner });
            }
            RepetitionKind::Range(RepetitionRange::Exactly(times)) => (*times, Some(*times)),
            RepetitionKind::Range(RepetitionRange::AtLeast(least)) => (*least, None),
            RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => (*least, Some(*most)),
        };
        let shown = self.shown(sign.start.offset, sign.end.offset);
        let (least, most) = (u64::from(least), most.map(u64::from));
        let given = most.unwrap_or(least);
        if given > MOST_TIMES {
            return Err(refused(COUNT, shown.trim_end_matches('?')));
        }
        let times = match given {
            0 if most.is_some() => 1,
            given => inner.times * given.max(1),
        };
        if times > MOST_TIMES {
            return Err(refused(COUNT, shown));
        }
        self.repeats = self.repeats.saturating_mul(given.max(1)).min(LARGEST);
        Ok(Part { times, size: written_out(inner.size, least, most) })
    }

    fn shown(&self, from: usize, to: usize) -> &str {
        self.read.get(from..to).unwrap_or_default()
    }

    /// Go does not look at sizes while there are few parts, however long texts of letters are.
    const fn is_too_large(&self) -> bool {
        self.parts >= LARGEST / self.repeats && self.largest > LARGEST
    }
}

/// What a part of that size is when it is repeated: `xx(x(x)?)?`, `xx+`.
fn written_out(size: u64, least: u64, most: Option<u64>) -> u64 {
    let all = match most {
        None if least == 0 => size.saturating_add(2),
        None => size.saturating_mul(least).saturating_add(1),
        Some(most) => size.saturating_mul(most).saturating_add(most.saturating_sub(least)),
    };
    all.max(1)
}

#[cfg(test)]
mod tests;
