//! What was found, told.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use watchkeeper_generator::{Answer, Case, Difference, Digests, Generator};

use super::compare::{Deviation, shown};
use super::work::{Verdict, Wrong};
use crate::{Outcome, workspace};

/// How many of a hundred cases may differ as the deviations say.
const LISTED: f64 = 2.0;
/// How many of a hundred cases may have another code, where some may differ.
const CODES: f64 = 1.0;
/// Where the tests of the embedded server find what a real one answers.
const RECORD: &str = "crates/watchkeeper-apiserver/tests/it/generated/digests.txt";
/// How many cases are written down whole.
const WHOLE: usize = 3_000;

/// Counts, and what differs.
#[derive(Default)]
pub(super) struct Report {
    of: BTreeMap<Generator, Counts>,
    listed: BTreeMap<usize, u64>,
    /// Cases that differ in the same way, with the first of them.
    classes: BTreeMap<String, (u64, u64)>,
    whole: Vec<String>,
    /// Of the cases that are answered alike.
    digests: BTreeMap<u64, String>,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    equal: u64,
    listed: u64,
    wrong: u64,
    /// Of the wrong ones, those with another code.
    codes: u64,
}

impl Report {
    pub(super) fn add(&mut self, number: u64, case: &Case, verdict: Verdict) {
        let counts = self.of.entry(Generator::of(number)).or_default();
        match verdict {
            Verdict::Equal(digest) => {
                counts.equal += 1;
                self.digests.insert(number, digest.to_string());
            }
            Verdict::Listed(index) => {
                counts.listed += 1;
                *self.listed.entry(index).or_default() += 1;
            }
            Verdict::Wrong(wrong) => {
                counts.wrong += 1;
                counts.codes += u64::from(wrong.differences.iter().any(|one| one.at == "code"));
                self.classes.entry(class(case, &wrong)).or_insert((0, number)).0 += 1;
                if self.whole.len() < WHOLE {
                    self.whole.push(whole(number, case, &wrong));
                }
            }
        }
    }

    /// Writes down what both servers said, where it was the same.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn record(&mut self, seed: u64) -> Outcome<()> {
        let path = workspace::root().join(RECORD);
        let digests = Digests { seed, of: std::mem::take(&mut self.digests) };
        std::fs::write(&path, digests.to_string())
            .map_err(|e| format!("{}: {e}", path.display()))?;
        eprintln!("{} cases are recorded in {RECORD}", digests.of.len());
        Ok(())
    }

    /// Tells it.
    ///
    /// # Errors
    /// That fewer than `least` of a hundred are alike where some differ, that too many have another code, or that too
    /// many are listed.
    pub(super) fn tell(&self, deviations: &[Deviation], least: f64, seconds: f64) -> Outcome<()> {
        let mut all = Counts::default();
        for (generator, counts) in &self.of {
            eprintln!("{:<10} {counts}", generator.name());
            all.equal += counts.equal;
            all.listed += counts.listed;
            all.wrong += counts.wrong;
            all.codes += counts.codes;
        }
        let cases = all.equal + all.listed + all.wrong;
        let rate = cases as f64 / seconds;
        eprintln!("{:<10} {all}; {seconds:.0} s, {rate:.0} cases a second", "in all");
        for (index, count) in &self.listed {
            eprintln!("{count:>6} listed: {}", deviations[*index].reason);
        }
        if all.wrong > 0 {
            let told = self.wrong(all.wrong)?;
            let share = |count: u64| count as f64 * 100.0 / cases as f64;
            if share(all.equal) < least || (share(all.codes) > CODES && cases >= 500) {
                return Err(told);
            }
            eprintln!("{told}");
        }
        let share = all.listed as f64 * 100.0 / cases.max(1) as f64;
        if share > LISTED && cases >= 500 {
            return Err(format!("{share:.1} % of the cases are listed deviations, not {LISTED}"));
        }
        Ok(())
    }

    fn wrong(&self, count: u64) -> Outcome<String> {
        let path = workspace::target().join("conformance-generated.txt");
        let text = self.whole.join("\n\n");
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut classes: Vec<_> = self.classes.iter().collect();
        classes.sort_by_key(|(class, (count, _))| (std::cmp::Reverse(*count), (*class).clone()));
        let mut text = format!("{count} cases differ:\n");
        for (class, (count, first)) in classes.into_iter().take(120) {
            // Writing to a String does not fail.
            let _ok = writeln!(text, "{count:>6} as case {first}: {class}");
        }
        let _ok = write!(text, "the first {} are in {}", self.whole.len(), path.display());
        Ok(text)
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { equal, listed, wrong, codes } = self;
        let share = *equal as f64 * 100.0 / (equal + listed + wrong).max(1) as f64;
        write!(
            f,
            "{equal:>6} equal ({share:.2} %), {listed} listed, {wrong} different, {codes} of them in their code"
        )
    }
}

/// What cases that differ for one reason have in common.
fn class(case: &Case, wrong: &Wrong) -> String {
    let request = &case.requests[wrong.request];
    let path = request.path.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').collect();
    let plural =
        segments.iter().rev().find(|part| part.ends_with('s') && !part.starts_with("case-"));
    let told = wrong.differences.iter().find(|one| one.at.ends_with("message"));
    let told = told.or(wrong.differences.first()).map(one_line).unwrap_or_default();
    let name = segments.iter().find(|part| part.starts_with("case-")).copied();
    let told = name.map_or_else(|| told.clone(), |name| told.replace(name, "N"));
    format!("{} {} {told}", request.method, plural.copied().unwrap_or_default())
}

fn one_line(difference: &Difference) -> String {
    let short = |text: String| text.chars().take(260).collect::<String>();
    let real = short(shown(difference.real.as_ref()));
    let embedded = short(shown(difference.embedded.as_ref()));
    format!("{}: {real} | {embedded}", difference.at)
}

/// The requests of a case up to the first that is answered differently, and the answers to it.
fn whole(number: u64, case: &Case, wrong: &Wrong) -> String {
    let mut text = format!("case {number}\n");
    for request in &case.requests[..=wrong.request] {
        let _ok = writeln!(text, "  {request}");
    }
    for difference in &wrong.differences {
        let _ok = writeln!(text, "  differs {}", one_line(difference));
    }
    for (side, answer) in ["real", "embedded"].iter().zip(&wrong.answers) {
        let Answer { code, warnings, body } = answer;
        let _ok = writeln!(text, "  {side:<8} {code} {warnings:?} {body}");
    }
    text
}
