//! What is different in two texts, in the form of `diff -u`, found as Python's `difflib` finds it: the longest block of
//! lines that both have, and the same again before it and behind it.

use std::collections::HashMap;

/// How many lines are told around each change.
const AROUND: usize = 3;
/// From so many lines on those that come often are no beginning of a block.
const LONG: usize = 200;

/// So often a line is looked up.
const MOST_LOOKS: usize = 2_000_000;

/// Lines that both texts have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    old: usize,
    new: usize,
    len: usize,
}

/// Where lines are different, or not.
#[derive(Clone, Copy, Debug)]
struct Part {
    is_same: bool,
    old: (usize, usize),
    new: (usize, usize),
}

/// The changes from one text to another: nothing in it where there is none, and none where it would be more work than
/// anybody waits for.
#[must_use]
pub(crate) fn diff(old: &str, new: &str) -> Option<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut out = String::new();
    for hunk in hunks(parts(&blocks(&old, &new)?, old.len(), new.len())) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let [before, after] = [(first.old.0, last.old.1), (first.new.0, last.new.1)].map(range);
        out.push_str(&format!("@@ -{before} +{after} @@\n"));
        for part in &hunk {
            let of = |lines: &[&str], (from, to): (usize, usize), sign: char, out: &mut String| {
                lines[from..to].iter().for_each(|line| out.push_str(&format!("{sign}{line}\n")));
            };
            if part.is_same {
                of(&old, part.old, ' ', &mut out);
            } else {
                of(&old, part.old, '-', &mut out);
                of(&new, part.new, '+', &mut out);
            }
        }
    }
    Some(out)
}

/// Lines from and to, as a hunk names them: the first and how many, which one alone need not say.
fn range((from, to): (usize, usize)) -> String {
    match to - from {
        0 => format!("{from},0"),
        1 => (from + 1).to_string(),
        count => format!("{},{count}", from + 1),
    }
}

/// Where each line of a text is. Of a long one those that come often are left out.
fn places<'a>(lines: &[&'a str]) -> HashMap<&'a str, Vec<usize>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        places.entry(line).or_default().push(at);
    }
    if lines.len() >= LONG {
        let often = lines.len() / 100 + 1;
        places.retain(|_, at| at.len() <= often);
    }
    places
}

/// All blocks, in order; none where lines would have to be looked up too often.
fn blocks(old: &[&str], new: &[&str]) -> Option<Vec<Block>> {
    let places = places(new);
    let mut found = Vec::new();
    let mut left = vec![((0, old.len()), (0, new.len()))];
    let mut looks = 0;
    while let Some((of_old, of_new)) = left.pop() {
        let block = longest((old, of_old), (new, of_new), &places, &mut looks);
        if looks > MOST_LOOKS {
            return None;
        }
        if block.len == 0 {
            continue;
        }
        found.push(block);
        let (end_old, end_new) = (block.old + block.len, block.new + block.len);
        if of_old.0 < block.old && of_new.0 < block.new {
            left.push(((of_old.0, block.old), (of_new.0, block.new)));
        }
        if end_old < of_old.1 && end_new < of_new.1 {
            left.push(((end_old, of_old.1), (end_new, of_new.1)));
        }
    }
    found.sort_by_key(|block| block.old);
    // No two of them touch: each is as long as it can be.
    Some(found)
}

/// The longest block within; of several the first in the old text, and of these the first in the new one.
fn longest(
    (old, of_old): (&[&str], (usize, usize)),
    (new, of_new): (&[&str], (usize, usize)),
    places: &HashMap<&str, Vec<usize>>,
    looks: &mut usize,
) -> Block {
    let mut best = Block { old: of_old.0, new: of_new.0, len: 0 };
    // By the line of the new text at which they end: how long the blocks are that end at the line before.
    let mut ending: HashMap<usize, usize> = HashMap::new();
    for (at, line) in old.iter().enumerate().take(of_old.1).skip(of_old.0) {
        let mut here = HashMap::new();
        let found = places.get(line).map(Vec::as_slice).unwrap_or_default();
        *looks += 1 + found.len();
        if *looks > MOST_LOOKS {
            return best;
        }
        for &in_new in found.iter().filter(|at| (of_new.0..of_new.1).contains(*at)) {
            let before = in_new.checked_sub(1).and_then(|before| ending.get(&before));
            let len = before.copied().unwrap_or(0) + 1;
            here.insert(in_new, len);
            if len > best.len {
                best = Block { old: at + 1 - len, new: in_new + 1 - len, len };
            }
        }
        ending = here;
    }
    // Lines that come often are no beginning, but belong to it.
    while best.old > of_old.0 && best.new > of_new.0 && old[best.old - 1] == new[best.new - 1] {
        best = Block { old: best.old - 1, new: best.new - 1, len: best.len + 1 };
    }
    let end = |block: Block| (block.old + block.len, block.new + block.len);
    while end(best).0 < of_old.1 && end(best).1 < of_new.1 && old[end(best).0] == new[end(best).1] {
        best.len += 1;
    }
    best
}

/// The blocks and what is between them.
fn parts(blocks: &[Block], old: usize, new: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut in_old, mut in_new) = (0, 0);
    for block in blocks.iter().chain([&Block { old, new, len: 0 }]) {
        if in_old < block.old || in_new < block.new {
            let (old, new) = ((in_old, block.old), (in_new, block.new));
            parts.push(Part { is_same: false, old, new });
        }
        (in_old, in_new) = (block.old + block.len, block.new + block.len);
        if block.len > 0 {
            let (old, new) = ((block.old, in_old), (block.new, in_new));
            parts.push(Part { is_same: true, old, new });
        }
    }
    parts
}

/// Changes with some lines around, those together that are near each other.
fn hunks(mut parts: Vec<Part>) -> Vec<Vec<Part>> {
    let tail = |part: Part| {
        let keep = |(from, to): (usize, usize)| (from.max(to.saturating_sub(AROUND)), to);
        Part { old: keep(part.old), new: keep(part.new), ..part }
    };
    let head = |part: Part| {
        let keep = |(from, to): (usize, usize)| (from, to.min(from + AROUND));
        Part { old: keep(part.old), new: keep(part.new), ..part }
    };
    if let Some(first) = parts.first_mut().filter(|part| part.is_same) {
        *first = tail(*first);
    }
    if let Some(last) = parts.last_mut().filter(|part| part.is_same) {
        *last = head(*last);
    }
    let (mut hunks, mut hunk) = (Vec::new(), Vec::new());
    for part in parts {
        if part.is_same && part.old.1 - part.old.0 > 2 * AROUND {
            hunk.push(head(part));
            hunks.push(std::mem::take(&mut hunk));
            hunk.push(tail(part));
        } else {
            hunk.push(part);
        }
    }
    hunks.push(hunk);
    hunks.retain(|hunk| hunk.iter().any(|part| !part.is_same));
    hunks
}

#[cfg(test)]
mod tests;
