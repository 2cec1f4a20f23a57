//! What is wrong with an expression, and where (cel-go, `common/error.go`, `common/errors.go`).

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use kube_cel::cel::common::ast::SourceInfo;
use kube_cel::cel::parser::Parser;

use super::types::Type;

/// How many mistakes are told of one expression, at most.
const MOST: usize = 100;
/// The longest line that is shown with a mistake, in bytes.
const LONGEST_LINE: usize = 16_384;
/// How long a mistake is told, about, in bytes: the types of many arguments can be long.
const LONGEST: usize = 16 << 10;
/// How many levels the parser follows here: one more than elsewhere is all that is needed.
const LEVELS: u16 = 100;

/// What is wrong, each with the part of the expression that it is wrong with.
#[derive(Debug, Default)]
pub(super) struct Told {
    said: Vec<(u64, String)>,
    count: usize,
}

impl Told {
    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn tell(&mut self, part: u64, what: impl Into<String>) {
        self.count = self.count.saturating_add(1);
        if self.said.len() < MOST {
            self.said.push((part, what.into()));
        }
    }

    pub(super) fn mismatch(&mut self, part: u64, wanted: &Type, found: &Type) {
        let (wanted, found) = (wanted.name(), found.name());
        self.tell(part, format!("expected type '{wanted}' but found '{found}'"));
    }

    pub(super) fn undeclared(&mut self, part: u64, name: &str) {
        self.tell(part, format!("undeclared reference to '{name}' (in container '')"));
    }

    /// No overload of a function takes what it is given.
    pub(super) fn overload(&mut self, part: u64, name: &str, target: Option<&Type>, args: &[Type]) {
        let mut what = format!("found no matching overload for '{name}' applied to '");
        if let Some(target) = target {
            what.push_str(&target.name());
            what.push('.');
        }
        what.push('(');
        for (index, arg) in args.iter().enumerate() {
            if what.len() > LONGEST {
                break;
            }
            what.push_str(if index == 0 { "" } else { ", " });
            what.push_str(&arg.name());
        }
        what.push_str(")'");
        self.tell(part, what);
    }

    /// How many there are by now.
    pub(super) const fn mark(&self) -> Mark {
        Mark { said: self.said.len(), count: self.count }
    }

    /// Tells once more what was told between two marks.
    pub(super) fn again(&mut self, from: Mark, to: Mark) {
        let room = MOST.saturating_sub(self.said.len());
        let said: Vec<_> = self.said[from.said..to.said].iter().take(room).cloned().collect();
        self.said.extend(said);
        self.count = self.count.saturating_add(to.count - from.count);
    }

    /// All of it with the lines of the text that it is about, in the order of the text.
    pub(super) fn shown(self, text: &str) -> String {
        let places = Places::of(text);
        let mut said: Vec<(usize, String)> =
            self.said.into_iter().map(|(part, what)| (places.at(part), what)).collect();
        said.sort_by_key(|(at, _)| *at);
        let mut lines: Vec<String> = said.iter().map(|(at, what)| shown(text, *at, what)).collect();
        if self.count > MOST {
            lines.push(format!("{} more errors were truncated", self.count - MOST));
        }
        lines.join("\n")
    }
}

/// How many mistakes there were at some time.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    said: usize,
    count: usize,
}

fn shown(text: &str, at: usize, what: &str) -> String {
    let before = text.get(..at).unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before.get(begin..).unwrap_or_default().chars().count();
    let head = format!("ERROR: <input>:{number}:{}: {what}", column + 1);
    let line = text.get(begin..).and_then(|rest| rest.split('\n').next()).unwrap_or_default();
    if line.len() > LONGEST_LINE {
        return head;
    }
    let is_wide = |sign: char| sign.len_utf8() > 1;
    let mut signs = line.chars();
    let dots = signs.by_ref().take(column).map(|sign| if is_wide(sign) { '\u{ff0e}' } else { '.' });
    let dots: String = dots.collect();
    let end = if signs.next().is_some_and(is_wide) { '\u{ff3e}' } else { '^' };
    format!("{head}\n | {}\n | {dots}{end}", line.replace('\t', " "))
}

/// Where the parts of an expression stand in its text.
struct Places(Option<Arc<SourceInfo>>);

impl Places {
    /// The parser tells places only with an error. So the text is read once more, with a mistake of ours behind it
    /// that nobody but us gets to see.
    fn of(text: &str) -> Self {
        let text = format!("[{text}\n, has(a)]");
        let read = || {
            let parser = Parser::new().enable_optional_syntax(true).max_recursion_depth(LEVELS);
            let errors = parser.parse(&text).err()?.errors;
            errors.into_iter().find_map(|error| error.source_info)
        };
        Self(std::panic::catch_unwind(AssertUnwindSafe(read)).ok().flatten())
    }

    /// The first byte of a part. In what was read here the list around it was counted before it.
    fn at(&self, part: u64) -> usize {
        let found = self.0.as_ref().and_then(|info| info.offset_for(part + 1));
        found.map_or(0, |(begin, _)| usize::try_from(begin).unwrap_or_default().saturating_sub(1))
    }
}
