//! Patterns are written for Go's engine; what that reads otherwise than the one used here is said in another way.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::CharIndices;

/// The pattern in the dialect of the engine used here. Go takes a brace that begins no repetition for itself, and an
/// opening bracket within a class, and what stands between `\Q` and `\E`; and it has no operators within classes.
pub(super) fn translated(pattern: &str) -> Cow<'_, str> {
    if !pattern.contains(['{', '[']) && !pattern.contains(r"\Q") {
        return Cow::Borrowed(pattern);
    }
    let mut writer =
        Writer { pattern, rest: pattern.char_indices().peekable(), out: String::new() };
    while let Some((at, c)) = writer.rest.next() {
        match c {
            '\\' if pattern[at..].starts_with(r"\Q") => writer.quoted(at),
            '\\' => writer.escaped(),
            '{' if !is_repetition(&pattern[at..]) => writer.out.push_str(r"\{"),
            '[' => writer.class(),
            c => writer.out.push(c),
        }
    }
    Cow::Owned(writer.out)
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

struct Writer<'a> {
    pattern: &'a str,
    rest: Peekable<CharIndices<'a>>,
    out: String,
}

impl Writer<'_> {
    /// What comes after a backslash is copied with it.
    fn escaped(&mut self) {
        self.out.push('\\');
        self.out.extend(self.rest.next().map(|(_, c)| c));
    }

    /// What is to be taken as it is, to `\E` or to the end.
    fn quoted(&mut self, at: usize) {
        let begin = at + r"\Q".len();
        let end = self.pattern[begin..].find(r"\E").map_or(self.pattern.len(), |end| begin + end);
        self.out.push_str(&regex_syntax::escape(&self.pattern[begin..end]));
        while self.rest.next_if(|(at, _)| *at < end + r"\E".len()).is_some() {}
    }

    /// A class, after its opening bracket.
    fn class(&mut self) {
        self.out.push('[');
        self.out.extend(self.rest.next_if(|(_, c)| *c == '^').map(|(_, c)| c));
        // One that stands first is one of the class.
        self.out.extend(self.rest.next_if(|(_, c)| *c == ']').map(|_| r"\]"));
        let mut last = None;
        while let Some((at, c)) = self.rest.next() {
            match c {
                ']' => return self.out.push(']'),
                '\\' => self.escaped(),
                '[' if self.pattern[at..].starts_with("[:") => self.out.push('['),
                '[' => self.out.push_str(r"\["),
                '&' | '~' if last == Some(c) => self.out.extend(['\\', c]),
                '-' if last == Some('-') => self.out.push_str(r"\-"),
                c => self.out.push(c),
            }
            last = Some(c);
            if c == '[' && self.pattern[at..].starts_with("[:") {
                self.named();
            }
        }
    }

    /// The rest of `[:alpha:]`, whose bracket is no end of the class.
    fn named(&mut self) {
        for (_, c) in self.rest.by_ref() {
            self.out.push(c);
            if c == ']' {
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
        ] {
            let regex = Regex::new(&translated(pattern)).expect(pattern);
            assert!(regex.is_match(fits), "{pattern} of {fits}");
            assert!(!regex.is_match(fails), "{pattern} of {fails}");
        }
    }

    #[test]
    fn what_is_broken_stays_broken() {
        for pattern in ["(", "[a", "a)", "[", "{2}", r"\Q(\E(", "[[:alpha:]"] {
            assert!(Regex::new(&translated(pattern)).is_err(), "{pattern}");
        }
    }
}
