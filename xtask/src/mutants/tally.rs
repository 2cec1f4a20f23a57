//! What became of the mutants, as a table.

use std::collections::BTreeMap;
use std::fmt;

use super::mutant::Mutant;
use super::trial::Verdict;

/// What became of the mutants, file by file.
#[derive(Debug, Default)]
pub(super) struct Tally {
    files: BTreeMap<String, Counts>,
    survivors: Vec<String>,
    /// How many were not tried.
    left_out: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    caught: usize,
    hung: usize,
    missed: usize,
    /// Not counted.
    unviable: usize,
}

impl Counts {
    pub(super) const fn viable(self) -> usize {
        self.noticed() + self.missed
    }

    pub(super) const fn noticed(self) -> usize {
        self.caught + self.hung
    }
}

impl Tally {
    pub(super) fn add(&mut self, mutant: &Mutant, verdict: Verdict) {
        let file = mutant.file.strip_prefix("src/").unwrap_or(&mutant.file);
        let counts = self.files.entry(file.to_owned()).or_default();
        *match verdict {
            Verdict::Caught => &mut counts.caught,
            Verdict::Hung => &mut counts.hung,
            Verdict::Missed => &mut counts.missed,
            Verdict::Unviable => &mut counts.unviable,
        } += 1;
        if verdict == Verdict::Missed {
            self.survivors.push(mutant.name.clone());
        }
    }

    pub(super) fn leave_out(&mut self, count: usize) {
        self.left_out += count;
    }

    pub(super) fn sum(&self) -> Counts {
        let mut sum = Counts::default();
        for counts in self.files.values() {
            sum.caught += counts.caught;
            sum.hung += counts.hung;
            sum.missed += counts.missed;
            sum.unviable += counts.unviable;
        }
        sum
    }

    /// How many of a hundred were noticed.
    pub(super) fn rate(&self) -> f64 {
        let sum = self.sum();
        100.0 * sum.noticed() as f64 / sum.viable() as f64
    }
}

/// As in `docs/design/mutants.md`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| module | mutants | caught | hung | survived |\n|---|---|---|---|---|")?;
        let all = ("all".to_owned(), self.sum());
        let rows = self.files.iter().chain([(&all.0, &all.1)]);
        for (file, counts) in rows {
            let Counts { caught, hung, missed, .. } = *counts;
            writeln!(f, "| {file} | {} | {caught} | {hung} | {missed} |", counts.viable())?;
        }
        writeln!(f, "{:.1} % caught; {} did not compile", self.rate(), all.1.unviable)?;
        if self.left_out > 0 {
            writeln!(f, "{} that no switch can hold were not tried", self.left_out)?;
        }
        self.survivors.iter().try_for_each(|survivor| writeln!(f, "survived: {survivor}"))
    }
}
