//! Patterns are written for Go's engine; what that reads otherwise than the one used here is said in another way.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::CharIndices;

/// The pattern in the dialect of the engine used here, to be asked. Go takes a brace that begins no repetition for
/// itself, and an opening bracket within a class, and what stands between `\Q` and `\E`; it has no operators within
/// classes; and its digits, white space, words and their ends are those of ASCII.
pub(crate) fn translated(pattern: &str) -> Cow<'_, str> {
    written(pattern, true).0
}

/// The same, only to be read, and where a class begins that has no end. Outside of classes it makes no difference to
/// whether it can be read which letters are those of a word, so that is left as it is.
pub(super) fn readable(pattern: &str) -> (Cow<'_, str>, Option<usize>) {
    written(pattern, false)
}

fn written(pattern: &str, is_asked: bool) -> (Cow<'_, str>, Option<usize>) {
    if !pattern.contains(['{', '[', '\\']) {
        return (Cow::Borrowed(pattern), None);
    }
    let rest = pattern.char_indices().peekable();
    let mut writer = Writer { pattern, rest, out: String::new(), is_asked, unclosed: None };
    while let Some((at, c)) = writer.rest.next() {
        match c {
            '\\' if pattern[at..].starts_with(r"\Q") => writer.quoted(at),
            '\\' => writer.escaped(),
            '{' if !is_repetition(&pattern[at..]) => writer.out.push_str(r"\{"),
            '[' => writer.class(at),
            c => writer.out.push(c),
        }
    }
    (Cow::Owned(writer.out), writer.unclosed)
}

/// What a letter behind a backslash stands for, as an item of a class.
fn of_ascii(letter: char) -> Option<&'static str> {
    Some(match letter {
        'd' => "[:digit:]",
        'D' => "[:^digit:]",
        // Unlike `[:space:]`, it has no vertical tab.
        's' => r"[\t\n\f\r\x20]",
        'S' => r"[^\t\n\f\r\x20]",
        'w' => "[:word:]",
        'W' => "[:^word:]",
        _ => return None,
    })
}

/// Whether a text begins with `{n}`, `{n,}` or `{n,m}`.
fn is_repetition(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[1..];
    let least = digits(rest);
    let rest = &rest[least..];
    let rest = rest.strip_prefix(',').map_or(rest, |most| &most[digits(most)..]);
    least > 0 && rest.starts_with('}')
}

/// What stands before an item of a class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing that could begin a range.
    Nothing,
    One,
    /// One, and the sign of a range, which the item ends.
    Range,
}

impl Before {
    /// What stands before the next item, if this one is no class itself.
    fn then(self, c: char) -> Self {
        match self {
            Self::Range => Self::Nothing,
            Self::One if c == '-' => Self::Range,
            Self::One | Self::Nothing => Self::One,
        }
    }
}

struct Writer<'a> {
    pattern: &'a str,
    rest: Peekable<CharIndices<'a>>,
    out: String,
    /// It is not only read.
    is_asked: bool,
    /// Where a class begins that has no end.
    unclosed: Option<usize>,
}

impl Writer<'_> {
    /// What comes after a backslash is copied with it, unless it means something else here.
    fn escaped(&mut self) {
        let letter = self.rest.next().map(|(_, c)| c);
        match letter.filter(|_| self.is_asked) {
            Some('b') => self.out.push_str(r"(?-u:\b)"),
            Some('B') => self.out.push_str(r"(?-u:\B)"),
            asked => match asked.and_then(of_ascii) {
                Some(item) => self.out.extend(["[", item, "]"]),
                None => self.copied(letter),
            },
        }
    }

    /// The same within a class, and whether it is one. No class ends a range, and so it is left to be refused there.
    fn escaped_in_class(&mut self, before: Before) -> bool {
        let letter = self.rest.next().map(|(_, c)| c);
        let item = letter.and_then(of_ascii).filter(|_| before != Before::Range);
        match (item, letter) {
            // What is only read is not made longer than it must be.
            (Some(_), Some('s')) if !self.is_asked => self.out.push_str("[:space:]"),
            (Some(_), Some('S')) if !self.is_asked => self.out.push_str("[:^space:]"),
            (Some(item), _) => self.out.push_str(item),
            (None, letter) => self.copied(letter),
        }
        item.is_some()
    }

    /// A letter behind a backslash, with what stands in braces behind it: `\p{Greek}`, `\x{7f}`.
    fn copied(&mut self, letter: Option<char>) {
        self.out.push('\\');
        self.out.extend(letter);
        let may_go_on = matches!(letter, Some('p' | 'P' | 'x'));
        if may_go_on && self.rest.next_if(|(_, c)| *c == '{').is_some() {
            self.out.push('{');
            self.up_to('}');
        }
    }

    /// What is to be taken as it is, to `\E` or to the end.
    fn quoted(&mut self, at: usize) {
        let begin = at + r"\Q".len();
        let end = self.pattern[begin..].find(r"\E").map_or(self.pattern.len(), |end| begin + end);
        self.out.push_str(&regex_syntax::escape(&self.pattern[begin..end]));
        while self.rest.next_if(|(at, _)| *at < end + r"\E".len()).is_some() {}
    }

    /// A class, after its opening bracket, which stands there.
    fn class(&mut self, begin: usize) {
        self.out.push('[');
        self.out.extend(self.rest.next_if(|(_, c)| *c == '^').map(|(_, c)| c));
        // One that stands first is one of the class.
        let first = self.rest.next_if(|(_, c)| *c == ']');
        self.out.extend(first.map(|_| r"\]"));
        let mut before = if first.is_some() { Before::One } else { Before::Nothing };
        let mut last = None;
        while let Some((at, c)) = self.rest.next() {
            let mut is_class = false;
            match c {
                ']' => return self.out.push(']'),
                '\\' => is_class = self.escaped_in_class(before),
                '[' if self.pattern[at..].starts_with("[:") => {
                    // The bracket of `[:alpha:]` is no end of the class.
                    self.out.push('[');
                    self.up_to(']');
                    is_class = true;
                }
                '[' => self.out.push_str(r"\["),
                '&' | '~' if last == Some(c) => self.out.extend(['\\', c]),
                '-' if last == Some('-') => self.out.push_str(r"\-"),
                c => self.out.push(c),
            }
            last = Some(c);
            before = if is_class { Before::Nothing } else { before.then(c) };
        }
        self.unclosed = Some(begin);
    }

    fn up_to(&mut self, end: char) {
        for (_, c) in self.rest.by_ref() {
            self.out.push(c);
            if c == end {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::translated;

    #[test]
    fn what_go_reads_is_read_as_go_reads_it() {
        for (pattern, fits, fails) in [
            (r"^\${[A-Z]+}$", "${HOME}", "$HOME"),
            (r"^{{.*}}$", "{{ a }}", "{ a }"),
            (r"^a{,3}$", "a{,3}", "aaa"),
            (r"^a{2,3}$", "aaa", "a{2,3}"),
            (r"^[^[]+$", "abc", "a[b"),
            (r"^[[:alpha:]_[]+$", "a_[", "1"),
            (r"^[]a]+$", "]a", "b"),
            (r"^[^]a]+$", "b", "]"),
            (r"^[&&a]+$", "&a", "b"),
            (r"^[a~~]+$", "~a", "b"),
            (r"^\Qa.b{\E$", "a.b{", "axb{"),
            (r"^\[{\]$", "[{]", "{"),
            (r"^[a-z]([-a-z0-9]*[a-z0-9])?$", "a-b", "a-"),
            (r"^[\w-.]+$", "a-.", "é"),
            (r"^[-\d\s]+$", "- 1", "\u{b}"),
            (r"^[^\W]+$", "a_1", "é"),
            (r"^\w+$", "a_1", "é"),
            (r"^\d\D$", "1a", "١a"),
            (r"^\s\S$", " a", "\u{a0}a"),
            (r"^\p{Greek}\x{7e}$", "α~", "a~"),
            (r"a\b", "aé", "ab"),
            (r"^a\B", "ab", "aé"),
        ] {
            let regex = Regex::new(&translated(pattern)).expect(pattern);
            assert!(regex.is_match(fits), "{pattern} of {fits}");
            assert!(!regex.is_match(fails), "{pattern} of {fails}");
        }
    }

    #[test]
    fn what_is_broken_stays_broken() {
        for pattern in ["(", "[a", "a)", "[", "{2}", r"\Q(\E(", "[[:alpha:]", r"[a-\w]"] {
            assert!(Regex::new(&translated(pattern)).is_err(), "{pattern}");
        }
    }
}
