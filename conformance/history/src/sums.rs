//! What histories have in all, and the same as a line of text.

use std::collections::BTreeMap;

use crate::faults::{Counts, Fault};
use crate::world::Outcome;

/// The sums of many histories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many there were.
    pub worlds: u64,
    /// How many writes the servers took.
    pub changes: u64,
    /// How many changes handlers were told of.
    pub heard: u64,
    /// How often copies were looked at.
    pub looks: u64,
    /// How many own writes were read back.
    pub reads: u64,
    /// The time in the worlds.
    pub seconds: u64,
    /// How often each class of faults struck.
    pub struck: Counts,
    /// How many histories there were of each mode.
    pub modes: Tally,
    /// How many handlers there were of each manner.
    pub handlers: Tally,
}

/// How many there were of each.
pub type Tally = BTreeMap<String, u64>;

impl Sums {
    /// One history more.
    pub(crate) fn count(&mut self, outcome: &Outcome) {
        self.add(&Self {
            worlds: 1,
            changes: outcome.changes,
            heard: outcome.heard,
            looks: outcome.looks,
            reads: outcome.reads,
            seconds: outcome.time.as_secs(),
            struck: outcome.struck.clone(),
            modes: Tally::from([(outcome.mode.name().to_owned(), 1)]),
            handlers: outcome
                .handlers
                .iter()
                .map(|(kind, count)| (kind.to_string(), *count))
                .collect(),
        });
    }

    /// Those of other histories, too.
    pub(crate) fn add(&mut self, other: &Self) {
        for ((_, sum), (_, more)) in self.fields().into_iter().zip(other.clone().fields()) {
            *sum += *more;
        }
        self.struck.add(&other.struck);
        let tallies = [(&mut self.modes, &other.modes), (&mut self.handlers, &other.handlers)];
        for (tally, more) in tallies {
            more.iter().for_each(|(of, count)| *tally.entry(of.clone()).or_default() += count);
        }
    }

    fn fields(&mut self) -> [(&'static str, &mut u64); 6] {
        [
            ("worlds", &mut self.worlds),
            ("changes", &mut self.changes),
            ("heard", &mut self.heard),
            ("looks", &mut self.looks),
            ("reads", &mut self.reads),
            ("seconds", &mut self.seconds),
        ]
    }

    /// As a line: `worlds=1 changes=10000 … Refused=12 …`.
    pub(crate) fn line(&self) -> String {
        let mut sums = self.clone();
        let fields = sums.fields().map(|(name, value)| format!("{name}={value}"));
        let struck = Fault::ALL.iter().map(|fault| format!("{fault:?}={}", self.struck.of(*fault)));
        let tallies = [(MODE, &self.modes), (HANDLERS, &self.handlers)];
        let tallies = tallies.into_iter().flat_map(|(what, tally)| {
            // Names have spaces in them.
            let named = move |(of, count): (&String, &u64)| {
                format!("{what}{}={count}", of.replace(' ', "_"))
            };
            tally.iter().map(named)
        });
        fields.into_iter().chain(struck).chain(tallies).collect::<Vec<_>>().join(" ")
    }

    /// What such a line says; nothing if it is not one of these.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let mut sums = Self::default();
        let mut words = line.split(' ').map(|word| word.split_once('='));
        for (name, value) in sums.fields() {
            let (said, number) = words.next()??;
            *value = number.parse().ok().filter(|_| said == name)?;
        }
        let mut struck = Counts::default();
        for fault in Fault::ALL {
            let (said, number) = words.next()??;
            struck.set(*fault, number.parse().ok().filter(|_| said == format!("{fault:?}"))?);
        }
        sums.struck = struck;
        for word in words {
            let (name, number) = word?;
            let (tally, of) = match (name.strip_prefix(MODE), name.strip_prefix(HANDLERS)) {
                (Some(of), _) => (&mut sums.modes, of),
                (None, Some(of)) => (&mut sums.handlers, of),
                (None, None) => return None,
            };
            tally.insert(of.replace('_', " "), number.parse().ok()?);
        }
        Some(sums)
    }
}

const MODE: &str = "mode:";
const HANDLERS: &str = "handlers:";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_all_that_is_known() {
        let mut sums = Sums { worlds: 3, changes: 30_001, seconds: 9, ..Sums::default() };
        sums.struck.set(Fault::ALL[0], 7);
        sums.struck.set(Fault::Bookmarks, 12);
        sums.modes.insert("metadata only".to_owned(), 2);
        sums.handlers.insert("filtered and merging".to_owned(), 5);
        let line = sums.line();
        assert_eq!(Sums::of_line(&line), Some(sums.clone()));
        sums.add(&sums.clone());
        assert_eq!((sums.worlds, sums.struck.of(Fault::Bookmarks)), (6, 24));
        assert_eq!((sums.modes["metadata only"], sums.handlers["filtered and merging"]), (4, 10));
        assert_eq!(Sums::of_line(&line.replace("heard", "herd")), None);
        assert_eq!(Sums::of_line(&format!("{line} more=1")), None);
        assert_eq!(Sums::of_line(line.split_once(" Bookmarks").expect("a class").0), None);
    }
}
