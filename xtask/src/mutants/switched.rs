//! A file with all of its mutants in it, each behind a switch.

use std::ops::Range;

use super::mutant::{Kind, Mutant};
use super::places::{Holds, Place, Places};
use crate::Outcome;

/// What the copy asks whether a mutant is on, with its number.
const IS: &str = "crate::mutant::is";

/// A file with its mutants.
#[derive(Debug, Default)]
pub(super) struct Switched {
    pub(super) text: String,
    /// Those that are in it.
    pub(super) held: Vec<Held>,
    /// Those that no switch can hold, though they may compile.
    pub(super) alone: Vec<usize>,
    /// Those that cannot compile.
    pub(super) never: Vec<usize>,
}

/// Where in the text a mutant is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) number: usize,
    /// What it does instead.
    pub(super) instead: Range<usize>,
    /// With what it does it instead of.
    pub(super) whole: Range<usize>,
}

/// Text before and after a part of the file.
struct Edit {
    part: Range<usize>,
    before: String,
    after: &'static str,
    /// The mutant, and where in `before` it is.
    mutant: Option<(usize, Range<usize>)>,
}

/// Puts mutants, each with its number, into the text of their file.
///
/// # Errors
/// When the text cannot be parsed, or has no such place.
pub(super) fn switched(text: &str, mutants: &[(usize, &Mutant)]) -> Outcome<Switched> {
    let places = Places::of(text)?;
    let mut switched = Switched::default();
    // A function that a constant may call cannot ask anything.
    let mut edits: Vec<_> = places.consts.iter().map(|word| plain(word, "/* ", " */")).collect();
    for (number, mutant) in mutants {
        let range = mutant.range(text)?;
        let place = places.get(mutant.kind, range.start);
        let place = place.ok_or_else(|| format!("no place for it: {}", mutant.name))?;
        match place.holds {
            Holds::Nothing => switched.alone.push(*number),
            Holds::Let => switched.never.push(*number),
            Holds::Switch => match edit(text, *number, mutant, range, place) {
                Some(edit) => edits.push(edit),
                None => switched.never.push(*number),
            },
        }
    }
    Ok(Writer { text, done: 0, open: Vec::new(), switched }.write(edits))
}

fn plain(part: &Range<usize>, before: &str, after: &'static str) -> Edit {
    Edit { part: part.clone(), before: before.to_owned(), after, mutant: None }
}

/// What a mutant adds to its file; nothing when it cannot be parsed.
fn edit(
    text: &str,
    number: usize,
    mutant: &Mutant,
    range: Range<usize>,
    place: &Place,
) -> Option<Edit> {
    let Place { whole, .. } = place;
    let (head, instead, tail, after) = match mutant.kind {
        Kind::Body => {
            let instead = format!("return {};", mutant.replacement);
            (format!("if {IS}({number}) {{ "), instead, " } ", "")
        }
        Kind::Arm => (String::new(), format!(" if !{IS}({number})"), "", ""),
        _ => {
            let before = text.get(whole.start..range.start)?;
            let behind = text.get(range.end..whole.end)?;
            let instead = format!("{before}{}{behind}", mutant.replacement);
            syn::parse_str::<syn::Expr>(&instead).ok()?;
            (format!("(if {IS}({number}) {{ "), instead, " } else { ", " })")
        }
    };
    let at = head.len()..head.len() + instead.len();
    let before = head + &instead + tail;
    Some(Edit { part: whole.clone(), before, after, mutant: Some((number, at)) })
}

/// The text while it is written.
struct Writer<'a> {
    text: &'a str,
    /// So much of it is written.
    done: usize,
    /// Parts that have begun, and where.
    open: Vec<(Edit, usize)>,
    switched: Switched,
}

impl Writer<'_> {
    /// Adds everything, the outer parts around the inner ones.
    fn write(mut self, mut edits: Vec<Edit>) -> Switched {
        edits.sort_by_key(|edit| {
            let Range { start, end } = edit.part;
            (start, start < end, std::cmp::Reverse(end))
        });
        for edit in edits {
            self.end(edit.part.start);
            self.copy(edit.part.start);
            let start = self.switched.text.len();
            self.switched.text += &edit.before;
            self.open.push((edit, start));
        }
        self.end(usize::MAX);
        self.copy(self.text.len());
        self.switched
    }

    /// Ends the parts that end until here.
    fn end(&mut self, here: usize) {
        while let Some((edit, start)) = self.open.pop_if(|(edit, _)| edit.part.end <= here) {
            self.copy(edit.part.end);
            self.switched.text += edit.after;
            if let Some((number, at)) = edit.mutant {
                let instead = start + at.start..start + at.end;
                let whole = start..self.switched.text.len();
                self.switched.held.push(Held { number, instead, whole });
            }
        }
    }

    fn copy(&mut self, until: usize) {
        self.switched.text += self.text.get(self.done..until).unwrap_or_default();
        self.done = self.done.max(until);
    }
}

/// The text with one mutant in it, and no switch.
///
/// # Errors
/// When the text has no such place.
pub(super) fn replaced(text: &str, mutant: &Mutant) -> Outcome<String> {
    let mut replaced = text.to_owned();
    replaced.replace_range(mutant.range(text)?, &mutant.replacement);
    Ok(replaced)
}

/// The variable that tells the copy which mutant is on.
pub(super) const VARIABLE: &str = "WATCHKEEPER_MUTANT";

/// The variable that tells the copy where to write which mutants it gets to, a number a line.
pub(super) const REACHED: &str = "WATCHKEEPER_MUTANTS_REACHED";

/// The module of the copy that knows which mutant is on.
pub(super) fn module() -> String {
    format!(
        "//! Which mutant is on, and which are got to.

use std::io::Write as _;
use std::sync::{{Mutex, OnceLock}};
use std::sync::atomic::{{AtomicU64, Ordering}};

/// Which were got to, a bit each. What is asked a million times costs a look.
static SEEN: [AtomicU64; 1024] = [const {{ AtomicU64::new(0) }}; 1024];

pub(crate) fn is(number: usize) -> bool {{
    static NUMBER: OnceLock<Option<usize>> = OnceLock::new();
    let read = || std::env::var({VARIABLE:?}).ok()?.parse().ok();
    let bit = 1 << (number % 64);
    let word = &SEEN[number / 64 % 1024];
    if word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0 {{
        reach(number);
    }}
    *NUMBER.get_or_init(read) == Some(number)
}}

fn reach(number: usize) {{
    static REACHED: OnceLock<Option<Mutex<std::fs::File>>> = OnceLock::new();
    let open = || {{
        let path = std::env::var({REACHED:?}).ok()?;
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path).ok()?;
        Some(Mutex::new(file))
    }};
    let Some(reached) = REACHED.get_or_init(open) else {{ return }};
    let Ok(mut reached) = reached.lock() else {{ return }};
    let line = format!(\"{{number}}\\n\");
    let _full = reached.write_all(line.as_bytes());
}}
"
    )
}

#[cfg(test)]
mod tests;
