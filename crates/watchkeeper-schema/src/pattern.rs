//! Regular expressions as Go reads them.

mod bounds;
mod dialect;
mod steps;

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{self, ErrorKind};

pub(crate) use dialect::translated;

/// So many steps are made for one pattern, at most: some hundredths of a second.
const MOST_STEPS: u64 = 1 << 24;

/// Whether a pattern is one; what Go says of those that are none, as far as it says the same.
///
/// It is read, and nothing is made of it: how large a pattern becomes has nothing to do with how long it is, and
/// whoever writes one down does not pay for it.
///
/// # Errors
///
/// Why it is none.
#[cfg(any(feature = "rules", test))]
pub(crate) fn read(pattern: &str) -> Result<(), String> {
    measured(pattern).map(|_| ())
}

/// Whether values can be matched with a pattern. One that Go reads is refused here where it would take too long to be
/// made ready: nothing that it is asked of could ever be taken.
///
/// # Errors
///
/// Why they cannot.
#[cfg(feature = "validate")]
pub(crate) fn usable(pattern: &str) -> Result<(), String> {
    let size = measured(pattern)?;
    if size.is_quick() { Ok(()) } else { Err(too_large(pattern)) }
}

/// What may be large of a pattern that Go reads, however short it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// How many bounds of ranges the classes of Unicode have that it names, each as often as it is named.
    pub(crate) runes: u64,
    /// How many letters are looked at before anything is made of it.
    pub(crate) steps: u64,
}

impl Size {
    /// Whether it can be made ready while somebody waits.
    pub(crate) const fn is_quick(self) -> bool {
        self.steps <= MOST_STEPS
    }
}

/// How large a pattern is.
///
/// # Errors
///
/// Why it is none.
pub(crate) fn measured(pattern: &str) -> Result<Size, String> {
    let (read, unclosed) = dialect::readable(pattern);
    match Parser::new().parse(&read) {
        Ok(parts) => {
            let runes = bounds::look(&parts, &read, pattern)?;
            Ok(Size { runes, steps: steps::of(&parts, &read) })
        }
        Err(error) => Err(misread(&error, &read, pattern, unclosed)),
    }
}

/// What is said of a pattern that is too large.
pub(crate) fn too_large(pattern: &str) -> String {
    refused("expression too large", pattern)
}

fn misread(error: &ast::Error, read: &str, pattern: &str, unclosed: Option<usize>) -> String {
    let span = error.span();
    let from = read.get(span.start.offset..).unwrap_or(read);
    let within = read.get(span.start.offset..span.end.offset).unwrap_or(from);
    let unclosed = unclosed.and_then(|at| pattern.get(at..)).unwrap_or(from);
    let (why, shown) = match error.kind() {
        ErrorKind::ClassUnclosed => ("missing closing ]", unclosed),
        ErrorKind::ClassRangeInvalid => ("invalid character class range", within),
        ErrorKind::GroupUnclosed => ("missing closing )", pattern),
        ErrorKind::GroupUnopened => ("unexpected )", pattern),
        ErrorKind::RepetitionMissing => {
            ("missing argument to repetition operator", bounds::operator(from))
        }
        ErrorKind::RepetitionCountInvalid => (bounds::COUNT, bounds::operator(from)),
        // It is the number that is too large for anything; what is shown is what it stands in.
        ErrorKind::DecimalInvalid => {
            let brace = read.get(..span.start.offset).and_then(|before| before.rfind('{'));
            let operator = brace.and_then(|at| read.get(at..)).map_or(within, bounds::operator);
            (bounds::COUNT, operator)
        }
        ErrorKind::EscapeUnrecognized | ErrorKind::UnsupportedBackreference => {
            ("invalid escape sequence", within)
        }
        ErrorKind::NestLimitExceeded(_) => ("expression nests too deeply", pattern),
        other => return refused(&other.to_string(), within),
    };
    refused(why, shown)
}

fn refused(why: &str, shown: &str) -> String {
    format!("error parsing regexp: {why}: `{shown}`")
}

#[cfg(test)]
mod tests {
    use super::{measured, read};

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

    /// Go counts how often a part is repeated by all repetitions around it.
    #[test]
    fn a_part_is_repeated_a_thousand_times_and_no_more() {
        for pattern in [
            "a{1000}",
            "(a{10}){100}",
            "((a{10}b{2}){10}|c*){10}",
            "(a{1000}){0}",
            "(a{1000}){0,1}",
            "(a{1000}){0,}",
            "(a{1000})*",
            "(?:a{500,}){2}?",
        ] {
            assert_eq!(read(pattern), Ok(()), "{pattern}");
        }
        for (pattern, shown) in [
            ("a{1001}", "{1001}"),
            ("a{1001}?", "{1001}"),
            ("a{1,1001}b", "{1,1001}"),
            ("a{1001,}", "{1001,}"),
            ("a{2,1}", "{2,1}"),
            ("a{99999999999}", "{99999999999}"),
            ("(a{11}){100}b{2000}", "{100}"),
            ("((a{10}){10}){11}", "{11}"),
            ("(b|a{501}){2}?", "{2}?"),
            ("(a{999}){1,999}", "{1,999}"),
        ] {
            let why = format!("error parsing regexp: invalid repeat count: `{shown}`");
            assert_eq!(read(pattern), Err(why), "{pattern}");
        }
    }

    #[test]
    fn signs_of_repetition_stand_behind_what_is_repeated() {
        let nested = "invalid nested repetition operator";
        let missing = "missing argument to repetition operator";
        for (pattern, why, shown) in [
            ("a**", nested, "**"),
            ("a***", nested, "**"),
            ("a+?{2}", nested, "+?{2}"),
            ("a{2}{3}", nested, "{2}{3}"),
            ("*", missing, "*"),
            ("a|+?b", missing, "+?"),
            ("({2}", missing, "{2}"),
        ] {
            let why = format!("error parsing regexp: {why}: `{shown}`");
            assert_eq!(read(pattern), Err(why), "{pattern}");
        }
    }

    /// Go reckons what a pattern would be when its repetitions are written out, and lists the letters of classes.
    #[test]
    fn a_pattern_that_would_be_too_large_is_none() {
        let too_large =
            |pattern: &str| read(pattern).is_err_and(|why| why == super::too_large(pattern));
        let many = "[ab]{1000}".repeat(3_500);
        assert!(too_large(&many), "three million and a half");
        assert!(!too_large(&many[..many.len() / 2]));
        assert!(too_large(&r"\pL".repeat(30_000)), "more than thirty million bounds");
    }

    #[test]
    fn a_pattern_is_nested_so_deep_and_no_deeper() {
        let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(read(&nested(200)), Ok(()));
        let deep = nested(1_001);
        let why = format!("error parsing regexp: expression nests too deeply: `{deep}`");
        assert_eq!(read(&deep), Err(why));
    }

    #[test]
    fn classes_are_counted_each_time_they_are_named() {
        let runes = |pattern: &str| measured(pattern).map(|size| size.runes);
        let letters = runes(r"\pL").expect("a pattern");
        assert!((1_000..2_000).contains(&letters), "{letters}");
        assert_eq!(runes(r"a[\pLb]*(\pL)"), Ok(2 * letters));
        assert_eq!(runes(r"^\w+[a-z]$"), Ok(0));
    }

    /// As it is translated, so it is measured: what is not of a class of ASCII is nearly all there is.
    #[test]
    fn steps_are_those_of_what_will_be_asked() {
        let steps = |pattern: &str| measured(pattern).map(|size| size.steps);
        assert_eq!(steps(r"\pL[\S_]"), Ok(0));
        assert_eq!(steps(r"(?i)^[^\s@]+@[\w-]+$"), Ok(2 + 2 * 0x80));
        assert_eq!(steps(r"(?i)[\S_]"), Ok(0x11_0000 + 1));
        assert_eq!(steps(r"(?i)[\D\W]"), Ok(2 * 0x11_0000));
        assert_eq!(steps(r"(?i)\Q[\pL]\E"), Ok(0));
    }

    #[cfg(feature = "validate")]
    #[test]
    fn a_pattern_that_takes_too_long_to_be_made_ready_cannot_be_used() {
        use super::{too_large, usable};
        let long = r"(?i)\p{Any}".repeat(20_000);
        assert_eq!(read(&long), Ok(()), "Go reads it");
        assert_eq!(usable(&long), Err(too_large(&long)));
        assert_eq!(usable(&r"\p{Any}".repeat(20_000)), Ok(()), "nobody looks at the letters");
        for pattern in
            [r"(?i)^[a-z]+$", r"(?i)\pL+", r"(?i)^[^\W_]+(\.[\pL\pN-]+)*$", r"(?i)\p{Any}"]
        {
            assert_eq!(usable(pattern), Ok(()), "{pattern}");
        }
    }

    /// Made into what can be asked, each of these would take minutes or all memory.
    #[test]
    fn a_pattern_is_read_in_the_time_of_its_length() {
        assert_eq!(read(&r"(?i)\pL".repeat(20_000)), Ok(()));
        assert!(read(&"(a{30}){30}".repeat(20_000)).is_err());
    }
}
