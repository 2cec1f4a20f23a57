//! How much work it is to make a pattern ready to be asked, beside what it becomes.
//!
//! Where upper and lower case are one, the engine looks at each letter of each class, and a class may have a million of
//! them: that is no longer to write than `\p{Any}`, and no bound of what the pattern becomes is asked before. And a
//! letter that is written in a class is put into its place among those that were there.

use std::collections::BTreeMap;
use std::convert::Infallible;

use regex_syntax::ast::{self, Ast, ClassAscii, ClassSetItem, ClassUnicode, Flag, Flags, Visitor};
use regex_syntax::hir::{Class, HirKind};

/// So many letters there are.
const ALL: u64 = 0x11_0000;
/// A class of ASCII has fewer.
const ASCII: u64 = 0x80;
/// So many letters of a class make way for another one as fast as one letter is looked at.
const MOVED: u64 = 16;

/// How many letters are looked at for a pattern, no fewer than there will be. `read` is what was read of it.
pub(super) fn of(parts: &Ast, read: &str) -> u64 {
    let steps =
        Steps { read, known: BTreeMap::new(), letters: 0, is_folded: false, in_class: 0, moved: 0 };
    let Ok(steps) = ast::visit(parts, steps);
    steps
}

struct Steps<'p> {
    read: &'p str,
    known: BTreeMap<&'p str, u64>,
    /// How many letters all classes have.
    letters: u64,
    /// Whether upper and lower case are one anywhere. It counts for the whole pattern then.
    is_folded: bool,
    /// How much is written in the class that is looked at.
    in_class: u64,
    moved: u64,
}

impl Steps<'_> {
    /// Each is looked up by itself and once, as it is where classes are looked up for what they are.
    fn letters_of(&mut self, class: &ClassUnicode) -> u64 {
        let place = class.span.start.offset..class.span.end.offset;
        let name = self.read.get(place).unwrap_or_default();
        *self.known.entry(name).or_insert_with(|| letters(name))
    }

    fn flags(&mut self, flags: &Flags) {
        self.is_folded |= flags.flag_state(Flag::CaseInsensitive) == Some(true);
    }

    fn put(&mut self) {
        self.in_class += 1;
        self.moved += self.in_class / MOVED;
    }

    fn item(&mut self, item: &ClassSetItem) {
        let letters = match item {
            ClassSetItem::Literal(_) => {
                self.put();
                1
            }
            ClassSetItem::Range(range) => {
                self.put();
                length(range.start.c, range.end.c)
            }
            // By itself, and once more with all else that is in the class.
            ClassSetItem::Unicode(class) => 2 * self.letters_of(class),
            ClassSetItem::Ascii(ClassAscii { negated: false, .. }) => ASCII,
            ClassSetItem::Ascii(_) | ClassSetItem::Perl(_) => ALL,
            _ => 0,
        };
        self.letters += letters;
    }
}

impl Visitor for Steps<'_> {
    type Output = u64;
    type Err = Infallible;

    fn finish(self) -> Result<u64, Infallible> {
        Ok(self.moved + if self.is_folded { self.letters } else { 0 })
    }

    fn visit_pre(&mut self, part: &Ast) -> Result<(), Infallible> {
        match part {
            Ast::Flags(set) => self.flags(&set.flags),
            Ast::Group(group) => {
                if let Some(flags) = group.flags() {
                    self.flags(flags);
                }
            }
            Ast::ClassUnicode(class) => {
                let letters = self.letters_of(class);
                self.letters += letters;
            }
            // One that is negated is that only once its letters are looked at.
            Ast::ClassPerl(_) => self.letters += ASCII,
            Ast::ClassBracketed(_) => self.in_class = 0,
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Infallible> {
        self.item(item);
        Ok(())
    }
}

/// How many letters a class has.
fn letters(name: &str) -> u64 {
    let Ok(read) = regex_syntax::parse(name) else { return 1 };
    match read.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            class.ranges().iter().map(|range| length(range.start(), range.end())).sum()
        }
        _ => 1,
    }
}

fn length(from: char, to: char) -> u64 {
    u64::from(u32::from(to).saturating_sub(u32::from(from))) + 1
}

#[cfg(test)]
mod tests {
    use regex_syntax::ast::parse::Parser;

    use super::{ALL, ASCII, letters, of};

    fn steps(pattern: &str) -> u64 {
        of(&Parser::new().parse(pattern).expect("a pattern"), pattern)
    }

    #[test]
    fn letters_are_looked_at_where_upper_and_lower_case_are_one() {
        let greek = letters(r"\p{Greek}");
        assert!((400..700).contains(&greek), "{greek}");
        for (pattern, expected) in [
            (r"\p{Any}[a-z]", 0),
            (r"(?-i)\p{Any}", 0),
            (r"(?s-i:\p{Any})", 0),
            (r"(?i)^[a-z]+$", 26),
            (r"(?i)[a-zA-Z_.-]", 55),
            (r"(?i)[^@]+@[^@.]+", 3),
            (r"(?i)a.b", 0),
            (r"(?i)\w\S", 2 * ASCII),
            (r"(?i)[[:alpha:]]", ASCII),
            (r"(?i)[[:^alpha:]_]", ALL + 1),
            (r"(?i)\p{Greek}", greek),
            (r"(?i)[\p{Greek}x]", 2 * greek + 1),
            (r"(?i:\p{Any})", ALL),
            (r"(?i)[\x00-\x{10FFFF}]", ALL),
            (r"(?i)[^\x00-\x{10FFFF}]", ALL),
            (r"\p{Any}(a|(?i)b)(?-i)\p{Any}", 2 * ALL),
        ] {
            assert_eq!(steps(pattern), expected, "{pattern}");
        }
        assert_eq!(steps(&format!("(?i){}", r"\p{Any}".repeat(8_192))), 8_192 * ALL);
        assert!((800_000..ALL).contains(&steps(r"(?i)\PL")));
    }

    #[test]
    fn what_is_written_in_a_class_is_put_into_its_place() {
        let class = |count: usize| format!("[{}]", "ab".repeat(count / 2));
        assert_eq!(steps(&class(14)), 0);
        assert_eq!(steps(&class(32)), 16 + 2);
        assert_eq!(steps(&class(32).repeat(2)), 2 * (16 + 2), "each class by itself");
        assert!(steps(&class(100_000)) > 1 << 28);
    }
}
