//! Which mutants an error of the compiler is about.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::switched::Held;

/// The mutants that are to go: those that do instead what the error points at; if there is none, those that it
/// points at besides; if there is none, the innermost around it, and if there is none, the arms between it and where
/// another is suggested, as an arm with a condition is none that a `match` may end with.
pub(super) fn blamed(error: &Value, files: &BTreeMap<String, Vec<Held>>) -> Vec<usize> {
    let (main, besides): (Vec<_>, Vec<_>) = spans(error).partition(|span| span.is_main);
    let inside = |spans: &[Span<'_>]| -> Vec<usize> {
        let inside = |span: &Span<'_>| {
            let held = held(files, span.file).iter();
            held.filter(|held| contains(&held.instead, &span.at)).map(|held| held.number).min()
        };
        spans.iter().filter_map(inside).collect()
    };
    let around = |span: &Span<'_>| {
        let around = held(files, span.file).iter().filter(|held| contains(&held.whole, &span.at));
        around.min_by_key(|held| held.whole.len()).map(|held| held.number)
    };
    let blamed = inside(&main);
    if !blamed.is_empty() {
        return blamed;
    }
    let mut blamed = inside(&besides);
    if blamed.is_empty() {
        blamed = main.iter().filter_map(around).collect();
    }
    if blamed.is_empty() { arms(error, &main, files) } else { blamed }
}

/// Of an arm nothing is done instead: a condition is all that there is of its mutant.
fn arms(error: &Value, main: &[Span<'_>], files: &BTreeMap<String, Vec<Held>>) -> Vec<usize> {
    let helps = error.get("children").and_then(Value::as_array).into_iter().flatten();
    let suggested: Vec<_> = helps.flat_map(spans).collect();
    let mut arms = Vec::new();
    for from in main {
        for to in suggested.iter().filter(|to| to.file == from.file) {
            let between = from.at.end..to.at.end;
            let is_arm =
                |held: &&Held| held.instead == held.whole && contains(&between, &held.whole);
            arms.extend(held(files, from.file).iter().filter(is_arm).map(|held| held.number));
        }
    }
    arms
}

struct Span<'a> {
    file: &'a str,
    at: Range<usize>,
    is_main: bool,
}

fn spans(error: &Value) -> impl Iterator<Item = Span<'_>> {
    let spans = error.get("spans").and_then(Value::as_array).into_iter().flatten();
    spans.filter_map(|span| {
        let byte = |name| usize::try_from(span.get(name)?.as_u64()?).ok();
        Some(Span {
            file: span.get("file_name")?.as_str()?,
            at: byte("byte_start")?..byte("byte_end")?,
            is_main: span.get("is_primary")?.as_bool()?,
        })
    })
}

fn held<'a>(files: &'a BTreeMap<String, Vec<Held>>, file: &str) -> &'a [Held] {
    files.get(file).map_or(&[], Vec::as_slice)
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests;
