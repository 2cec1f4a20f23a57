//! Where the lines go: standard output, or whatever a test gives.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Prints whole lines, from however many workers. Clones print to the same place.
#[derive(Clone)]
pub struct Printer(Arc<Mutex<dyn Write + Send>>);

impl Printer {
    /// Prints to standard output.
    #[must_use]
    pub fn stdout() -> Self {
        Self::new(std::io::stdout())
    }

    /// Prints to `writer`.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Prints one line. A reader that went away is not an error.
    pub fn line(&self, text: impl fmt::Display) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _gone = writeln!(writer, "{text}").and_then(|()| writer.flush());
    }
}

impl fmt::Debug for Printer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Printer")
    }
}
