//! What the attempts said that were made before the last one.

use std::fmt;

use super::Error;

/// As many different failures are remembered; a server in trouble says few.
const REMEMBERED: usize = 4;

/// The attempts of a call before the one that it ended with (upstream: `WrapPreviousError`).
///
/// ```
/// use watchkeeper_api::Error;
/// use watchkeeper_api::error::Earlier;
/// let mut earlier = Earlier::default();
/// earlier.add("the server answered 503");
/// earlier.add("the server answered 503");
/// let error = Error::other("connection reset").after(earlier);
/// assert_eq!(
///     error.to_string(),
///     "connection reset (attempt 3; before: the server answered 503, 2 times)",
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    attempts: u32,
    /// What was said, and how often in a row; the newest last.
    said: Vec<(String, u32)>,
}

impl Earlier {
    /// One more attempt, and what it ended with.
    pub fn add(&mut self, what: impl Into<String>) {
        let what = what.into();
        self.attempts = self.attempts.saturating_add(1);
        match self.said.last_mut() {
            Some((last, times)) if *last == what => *times = times.saturating_add(1),
            _ => self.said.push((what, 1)),
        }
        if self.said.len() > REMEMBERED {
            self.said.remove(0);
        }
    }

    /// How many attempts there were.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// What they ended with, and how often in a row; the oldest may be left out.
    pub fn said(&self) -> impl Iterator<Item = (&str, u32)> {
        self.said.iter().map(|(what, times)| (what.as_str(), *times))
    }
}

/// What is put behind the error that the last attempt ended with; nothing where it was the only one.
impl fmt::Display for Earlier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.attempts == 0 {
            return Ok(());
        }
        write!(f, " (attempt {}; before: ", self.attempts.saturating_add(1))?;
        for (index, (what, times)) in self.said().enumerate() {
            let gap = if index == 0 { "" } else { "; " };
            write!(f, "{gap}{what}")?;
            if times > 1 {
                write!(f, ", {times} times")?;
            }
        }
        f.write_str(")")
    }
}

impl Error {
    /// The same error, as that of a call of which these attempts were made before.
    #[must_use]
    pub fn after(mut self, earlier: Earlier) -> Self {
        self.0.earlier = earlier;
        self
    }

    /// The attempts that were made before the one that this is the error of.
    #[must_use]
    pub fn earlier(&self) -> &Earlier {
        &self.0.earlier
    }
}
