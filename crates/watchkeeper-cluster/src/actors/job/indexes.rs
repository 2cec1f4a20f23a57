//! Sets of completion indexes, as a job's status writes them: `0,2,5-7`.

use std::fmt;

/// A set of indexes, kept as ranges: in order, apart from each other, both ends within.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Indexes(Vec<(u32, u32)>);

impl Indexes {
    /// Reads what [`fmt::Display`] writes; indexes from `completions` on are left out, and so is what
    /// cannot be read.
    pub(crate) fn parse(text: &str, completions: u32) -> Self {
        let Some(last) = completions.checked_sub(1) else { return Self::default() };
        let read = |part: &str| {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
            (from <= last && from <= to).then_some((from, to.min(last)))
        };
        Self::of_ranges(text.split(',').filter_map(read).collect())
    }

    fn of_ranges(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (from, to) in ranges {
            match joined.last_mut() {
                Some((_, end)) if from <= end.saturating_add(1) => *end = to.max(*end),
                _ => joined.push((from, to)),
            }
        }
        Self(joined)
    }

    /// These and those.
    pub(crate) fn with(&self, indexes: impl IntoIterator<Item = u32>) -> Self {
        let more = indexes.into_iter().map(|index| (index, index));
        Self::of_ranges(self.0.iter().copied().chain(more).collect())
    }

    /// These and those of `other`.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self::of_ranges(self.0.iter().chain(&other.0).copied().collect())
    }

    pub(crate) fn has(&self, index: u32) -> bool {
        let place = self.0.partition_point(|(_, to)| *to < index);
        self.0.get(place).is_some_and(|(from, _)| *from <= index)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|(from, to)| to - from + 1).fold(0, u32::saturating_add)
    }

    /// How many are in `other` as well.
    pub(crate) fn shared_with(&self, other: &Self) -> u32 {
        self.len().saturating_add(other.len()) - self.and(other).len()
    }

    /// The first `count` indexes below `completions` that are not here.
    pub(crate) fn first_missing(&self, count: usize, completions: u32) -> Vec<u32> {
        let mut missing = Vec::new();
        let mut next = 0;
        let end = (completions, completions);
        for (from, to) in self.0.iter().copied().chain([end]) {
            let free = next..from.min(completions);
            missing.extend(free.take(count - missing.len()));
            next = next.max(to.saturating_add(1));
        }
        missing
    }
}

impl fmt::Display for Indexes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (from, to)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            match to - from {
                0 => write!(f, "{comma}{from}")?,
                1 => write!(f, "{comma}{from},{to}")?,
                _ => write!(f, "{comma}{from}-{to}")?,
            }
        }
        Ok(())
    }
}
