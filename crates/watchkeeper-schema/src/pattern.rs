//! Regular expressions as Go reads them.

mod dialect;

use std::collections::BTreeSet;

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{self, Ast, ClassSetItem, ClassUnicode, ErrorKind, Visitor};

pub(crate) use dialect::translated;

/// Whether a pattern is one; what Go says of those that are none, as far as it says the same.
///
/// It is read, and nothing is made of it: how large a pattern becomes has nothing to do with how long it is, and
/// whoever writes one down does not pay for it.
///
/// # Errors
///
/// Why it is none.
pub(crate) fn read(pattern: &str) -> Result<(), String> {
    let (read, unclosed) = dialect::readable(pattern);
    let error = match Parser::new().parse(&read) {
        Ok(parts) => {
            return ast::visit(&parts, Classes { pattern: &read, seen: BTreeSet::new() });
        }
        Err(error) => error,
    };
    let span = error.span();
    let from = read.get(span.start.offset..).unwrap_or(&read);
    let within = read.get(span.start.offset..span.end.offset).unwrap_or(from);
    let unclosed = unclosed.and_then(|at| pattern.get(at..)).unwrap_or(from);
    let (why, shown) = match error.kind() {
        ErrorKind::ClassUnclosed => ("missing closing ]", unclosed),
        ErrorKind::GroupUnclosed => ("missing closing )", pattern),
        ErrorKind::GroupUnopened => ("unexpected )", pattern),
        ErrorKind::RepetitionMissing => ("missing argument to repetition operator", within),
        ErrorKind::EscapeUnrecognized => ("invalid escape sequence", within),
        _ => return Err(error.to_string()),
    };
    Err(refused(why, shown))
}

fn refused(why: &str, shown: &str) -> String {
    format!("error parsing regexp: {why}: `{shown}`")
}

/// Looks whether the classes of Unicode that a pattern names are ones: `\p{Greek}`. Each is looked up by itself and
/// once, as their letters, thousands of them, would otherwise be listed for each time that a class is named.
struct Classes<'p> {
    pattern: &'p str,
    seen: BTreeSet<&'p str>,
}

impl Classes<'_> {
    fn look_up(&mut self, class: &ClassUnicode) -> Result<(), String> {
        let place = class.span.start.offset..class.span.end.offset;
        let name = self.pattern.get(place).unwrap_or_default();
        let is_one = !self.seen.insert(name) || regex_syntax::parse(name).is_ok();
        if is_one { Ok(()) } else { Err(refused("invalid character class range", name)) }
    }
}

impl Visitor for Classes<'_> {
    type Output = ();
    type Err = String;

    fn finish(self) -> Result<(), String> {
        Ok(())
    }

    fn visit_pre(&mut self, part: &Ast) -> Result<(), String> {
        if let Ast::ClassUnicode(class) = part { self.look_up(class) } else { Ok(()) }
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), String> {
        if let ClassSetItem::Unicode(class) = item { self.look_up(class) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn what_go_reads_is_a_pattern() {
        for pattern in [
            r"^[\w][\w.-]{0,127}$",
            r"^\w{1,63}$",
            r"[\w-.]",
            r"{{.*}}",
            r"[[a]",
            r"\Qa.b\E",
            r"\pL[\p{Greek}-]",
        ] {
            assert_eq!(read(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn of_what_is_none_is_shown_what_was_written() {
        for (pattern, why) in [
            (r"a[\w{", r"missing closing ]: `[\w{`"),
            (r"[a[", r"missing closing ]: `[a[`"),
            (r"(\w", r"missing closing ): `(\w`"),
            (r"\w)", r"unexpected ): `\w)`"),
            (r"\p{Nobody}", r"invalid character class range: `\p{Nobody}`"),
        ] {
            assert_eq!(read(pattern), Err(format!("error parsing regexp: {why}")), "{pattern}");
        }
        for pattern in [r"[a-\w]", r"[!-\d]", r"[\b]"] {
            assert!(read(pattern).is_err(), "{pattern}");
        }
    }

    /// Made into what can be asked, each of these would take minutes or all memory.
    #[test]
    fn a_pattern_is_read_in_the_time_of_its_length() {
        assert_eq!(read(&r"(?i)\pL".repeat(20_000)), Ok(()));
        assert_eq!(read(&"(a{999}){999}".repeat(20_000)), Ok(()));
    }
}
