//! What differs between two texts, line by line, as `diff -u` tells it.

#[cfg(test)]
mod tests;

use std::ops::Range;

/// So many equal lines stand around a change.
const CONTEXT: usize = 3;
/// Texts with more changes than this are told as one whole replaced by another.
const MOST_CHANGES: usize = 2000;

/// A run of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    /// The lines of the old text; of an insertion, where it stands.
    old: Range<usize>,
    /// The lines of the new text; of a deletion, where it stood.
    new: Range<usize>,
}

/// The unified diff from `old` to `new`, without the lines that name the files. Empty when they are equal.
pub(crate) fn hunks(old: &str, new: &str) -> String {
    let (old, new) = (lines(old), lines(new));
    let changes = changes(&old, &new);
    let mut text = String::new();
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        let near = |pair: &[Run]| pair[1].old.start - pair[0].old.end <= 2 * CONTEXT;
        let count = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (hunk, after) = rest.split_at(count);
        text += &hunk_text(hunk, first, &old, &new);
        rest = after;
    }
    text
}

/// Lines with their ends, so that a missing last one counts.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn hunk_text(hunk: &[Run], first: &Run, old: &[&str], new: &[&str]) -> String {
    let last = hunk.last().unwrap_or(first);
    let before = CONTEXT.min(first.old.start);
    let after = CONTEXT.min(old.len() - last.old.end);
    let whole = Run {
        old: first.old.start - before..last.old.end + after,
        new: first.new.start - before..last.new.end + after,
    };
    let mut text = format!("@@ -{} +{} @@\n", place(&whole.old), place(&whole.new));
    let mut at = whole.old.start;
    for run in hunk {
        old[at..run.old.start].iter().for_each(|line| push(&mut text, ' ', line));
        old[run.old.clone()].iter().for_each(|line| push(&mut text, '-', line));
        new[run.new.clone()].iter().for_each(|line| push(&mut text, '+', line));
        at = run.old.end;
    }
    old[at..whole.old.end].iter().for_each(|line| push(&mut text, ' ', line));
    text
}

/// First line and count; of no lines, the line before them.
fn place(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    }
}

fn push(text: &mut String, sign: char, line: &str) {
    text.push(sign);
    text.push_str(line);
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

/// Where the texts differ, in order.
fn changes(old: &[&str], new: &[&str]) -> Vec<Run> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let old_rest = &old_rest[..old_rest.len() - tail];
    let new_rest = &new_rest[..new_rest.len() - tail];
    let steps = steps(old_rest, new_rest);
    let mut runs: Vec<Run> = Vec::new();
    for (x, y, is_old) in steps {
        let (x, y) = (x + head, y + head);
        let (end_x, end_y) = if is_old { (x + 1, y) } else { (x, y + 1) };
        match runs.last_mut().filter(|run| run.old.end == x && run.new.end == y) {
            Some(run) => (run.old.end, run.new.end) = (end_x, end_y),
            None => runs.push(Run { old: x..end_x, new: y..end_y }),
        }
    }
    runs
}

/// The lines that go and those that come, each with its place in both texts: the fewest there can be, by
/// Myers' greedy way. A line that goes is marked.
fn steps(old: &[&str], new: &[&str]) -> Vec<(usize, usize, bool)> {
    let most = (old.len() + new.len()).min(MOST_CHANGES);
    // The furthest place in `old` on each diagonal, diagonals of both signs beside each other.
    let index = |diagonal: isize| (diagonal + most.cast_signed() + 1).cast_unsigned();
    let mut furthest = vec![0_usize; 2 * most + 3];
    let mut trace: Vec<Vec<usize>> = Vec::new();
    for round in 0..=most.cast_signed() {
        trace.push(furthest[index(-round)..=index(round)].to_vec());
        for diagonal in (-round..=round).step_by(2) {
            let down = goes_down(diagonal, round, |diagonal| furthest[index(diagonal)]);
            let mut x = match down {
                true => furthest[index(diagonal + 1)],
                false => furthest[index(diagonal - 1)] + 1,
            };
            let mut y = (x.cast_signed() - diagonal).cast_unsigned();
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[index(diagonal)] = x;
            if x >= old.len() && y >= new.len() {
                return walk_back(&trace, old.len(), new.len());
            }
        }
    }
    let gone = (0..old.len()).map(|x| (x, 0, true));
    gone.chain((0..new.len()).map(|y| (old.len(), y, false))).collect()
}

/// Whether the best way to a diagonal is by a line that comes.
fn goes_down(diagonal: isize, round: isize, furthest: impl Fn(isize) -> usize) -> bool {
    diagonal == -round || (diagonal != round && furthest(diagonal - 1) < furthest(diagonal + 1))
}

fn walk_back(trace: &[Vec<usize>], old: usize, new: usize) -> Vec<(usize, usize, bool)> {
    let (mut x, mut y) = (old, new);
    let mut steps = Vec::new();
    for (round, before) in trace.iter().enumerate().skip(1).rev() {
        let round = round.cast_signed();
        let diagonal = x.cast_signed() - y.cast_signed();
        let furthest = |diagonal: isize| {
            let index = usize::try_from(diagonal + round).ok();
            index.and_then(|index| before.get(index)).copied().unwrap_or(0)
        };
        let down = goes_down(diagonal, round, furthest);
        let from = if down { diagonal + 1 } else { diagonal - 1 };
        let from_x = furthest(from);
        let from_y = (from_x.cast_signed() - from).cast_unsigned();
        steps.push((from_x, from_y, !down));
        (x, y) = (from_x, from_y);
    }
    steps.reverse();
    steps
}
