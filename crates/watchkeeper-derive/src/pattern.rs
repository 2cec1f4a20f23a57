//! Regular expressions as servers read them: the syntax of Go's `regexp`, which is RE2's.
//!
//! A server takes a definition with a pattern that is none, and then refuses every value by it. What is wrong
//! is told in Go's words. Not found: an expression that Go takes for too large or too deep, and
//! `\p{…}` with the name of a script that there is not.

mod class;

#[cfg(test)]
mod tests;

/// The most that something may be repeated, also by repeats in one another.
const MOST: u32 = 1_000;

/// What Go's parser says against an expression.
type Outcome<T = ()> = Result<T, String>;

/// Refuses what is no expression.
pub(crate) fn check(pattern: &str) -> Outcome {
    let mut reader = Reader { whole: pattern, rest: pattern, ..Reader::default() };
    while let Some(sign) = reader.rest.chars().next() {
        reader.part(sign)?;
    }
    if reader.around.is_empty() { Ok(()) } else { Err(mistake("missing closing )", pattern)) }
}

fn mistake(what: &str, text: &str) -> String {
    format!("{what}: `{text}`")
}

/// The text before its end `rest`.
fn until<'a>(text: &'a str, rest: &str) -> &'a str {
    &text[..text.len() - rest.len()]
}

/// Something that is repeated so often at most, and the repeats in it.
struct Repeat {
    times: u32,
    inner: Vec<Self>,
}

impl Repeat {
    /// Whether it makes no more than so many copies of anything.
    fn fits(&self, most: u32) -> bool {
        match self.times {
            0 => true,
            times if times > most => false,
            times => self.inner.iter().all(|inner| inner.fits(most / times)),
        }
    }
}

/// What was read between two brackets: the repeats in it.
#[derive(Default)]
struct Group {
    before: Vec<Repeat>,
    /// Those in the last part, which a sign of repetition would be about; none at the start of a choice.
    last: Option<Vec<Repeat>>,
}

impl Group {
    fn part(&mut self, repeats: Vec<Repeat>) {
        self.end_choice();
        self.last = Some(repeats);
    }

    fn end_choice(&mut self) {
        self.before.extend(self.last.take().into_iter().flatten());
    }
}

#[derive(Default)]
struct Reader<'a> {
    whole: &'a str,
    rest: &'a str,
    group: Group,
    /// The groups that this one is in.
    around: Vec<Group>,
    /// From the sign of repetition on that was read last, if nothing stands behind it.
    repeated: Option<&'a str>,
}

impl<'a> Reader<'a> {
    fn part(&mut self, sign: char) -> Outcome {
        let before = self.rest;
        let repeated = self.repeated.take();
        let behind = &before[sign.len_utf8()..];
        match sign {
            '(' => self.open()?,
            ')' => self.close()?,
            '|' => {
                self.group.end_choice();
                self.rest = behind;
            }
            '[' => self.literal(class::class(before)?),
            '*' | '+' | '?' => self.repeat(before, behind, None, repeated)?,
            '{' => match count(before) {
                // What is no count stands for itself.
                None => self.literal(behind),
                Some((least, most, behind)) => {
                    self.repeat(before, behind, Some((least, most)), repeated)?;
                }
            },
            '\\' => self.escape()?,
            _ => self.literal(behind),
        }
        Ok(())
    }

    /// A part without repeats, up to `behind`.
    fn literal(&mut self, behind: &'a str) {
        self.group.part(Vec::new());
        self.rest = behind;
    }

    fn escape(&mut self) -> Outcome {
        let before = self.rest;
        match before.chars().nth(1) {
            Some('A' | 'b' | 'B' | 'z') => self.literal(&before[2..]),
            Some('C') => return Err(mistake("invalid escape sequence", &before[..2])),
            Some('Q') => {
                let (text, behind) = before[2..].split_once("\\E").unwrap_or((&before[2..], ""));
                if !text.is_empty() {
                    self.group.part(Vec::new());
                }
                self.rest = behind;
            }
            _ => match class::set(before)? {
                Some(behind) => self.literal(behind),
                None => self.literal(class::escaped(before)?.1),
            },
        }
        Ok(())
    }

    fn open(&mut self) -> Outcome {
        let before = self.rest;
        if before.starts_with("(?") {
            match named(before)? {
                Some(behind) => self.rest = behind,
                None => {
                    let (opens, behind) = flags(before)?;
                    self.rest = behind;
                    if !opens {
                        return Ok(());
                    }
                }
            }
        } else {
            self.rest = &before[1..];
        }
        self.around.push(std::mem::take(&mut self.group));
        Ok(())
    }

    fn close(&mut self) -> Outcome {
        let Some(around) = self.around.pop() else {
            return Err(mistake("unexpected )", self.whole));
        };
        let mut group = std::mem::replace(&mut self.group, around);
        group.end_choice();
        self.group.part(group.before);
        self.rest = &self.rest[1..];
        Ok(())
    }

    /// `before` begins with the sign, `behind` is what follows it; `count` is what braces say.
    fn repeat(
        &mut self,
        before: &'a str,
        behind: &'a str,
        count: Option<(u32, Option<u32>)>,
        repeated: Option<&'a str>,
    ) -> Outcome {
        if let Some((least, most)) = count
            && (least > MOST || most.is_some_and(|most| most > MOST || least > most))
        {
            return Err(mistake("invalid repeat count", until(before, behind)));
        }
        let behind = behind.strip_prefix('?').unwrap_or(behind);
        if let Some(repeated) = repeated {
            return Err(mistake("invalid nested repetition operator", until(repeated, behind)));
        }
        let Some(inner) = self.group.last.take() else {
            return Err(mistake("missing argument to repetition operator", until(before, behind)));
        };
        self.group.last = Some(match count {
            None => inner,
            Some((least, most)) => {
                let repeat = Repeat { times: most.unwrap_or(least), inner };
                if (least >= 2 || most >= Some(2)) && !repeat.fits(MOST) {
                    return Err(mistake("invalid repeat count", until(before, behind)));
                }
                vec![repeat]
            }
        });
        self.repeated = Some(before);
        self.rest = behind;
        Ok(())
    }
}

/// `{3}`, `{3,}`, `{3,5}`: the bounds, and what follows; `None` if it is not of that form.
fn count(text: &str) -> Option<(u32, Option<u32>, &str)> {
    let (least, rest) = number(text.strip_prefix('{')?)?;
    let (most, rest) = match rest.strip_prefix(',') {
        None => (Some(least), rest),
        Some(rest) if rest.starts_with('}') => (None, rest),
        Some(rest) => number(rest).map(|(most, rest)| (Some(most), rest))?,
    };
    Some((least, most, rest.strip_prefix('}')?))
}

/// Digits, but not behind a zero. What is too large is as large as may be.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}

/// `(?P<name>` and `(?<name>`: what follows; `None` if it is none of them.
fn named(text: &str) -> Outcome<Option<&str>> {
    let begins = |start: &str| text.strip_prefix(start).filter(|rest| !rest.is_empty());
    let Some(rest) = begins("(?P<").or_else(|| begins("(?<")) else { return Ok(None) };
    let Some((name, behind)) = rest.split_once('>') else {
        return Err(mistake("invalid named capture", text));
    };
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    if name.is_empty() || !name.chars().all(is_part) {
        return Err(mistake("invalid named capture", until(text, behind)));
    }
    Ok(Some(behind))
}

/// `(?i)`, `(?i-s:`: whether a group begins, and what follows.
fn flags(text: &str) -> Outcome<(bool, &str)> {
    let mut rest = &text[2..];
    let (mut negative, mut said) = (false, false);
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        match sign {
            'i' | 'm' | 's' | 'U' => said = true,
            '-' if !negative => (negative, said) = (true, false),
            ':' | ')' if said || !negative => return Ok((sign == ':', rest)),
            _ => break,
        }
    }
    Err(mistake("invalid or unsupported Perl syntax", until(text, rest)))
}
