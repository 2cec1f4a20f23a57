//! Tells `tracing` when the server is lost and when it is found again, once each.

use crate::item::Item;
use crate::reflector::state::{Place, State};

/// What was told last.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    lost: Option<String>,
}

impl Telling {
    /// Tells a failure that costs a wait, unless the last one was the same, and its end.
    ///
    /// What the reflector gets around at once, such as a server that cannot stream its lists, is
    /// not worth a line.
    pub(crate) fn heed<K: Item>(&mut self, copy: &str, synced: bool, state: &State<K>) {
        match (state.place(), state.trouble()) {
            (Place::Asleep, Some(trouble)) if self.lost.as_ref() != Some(&trouble.text) => {
                let error = trouble.text.as_str();
                if !synced {
                    tracing::warn!(copy, error, "cannot list yet; trying again");
                } else if state.relists() {
                    tracing::warn!(copy, error, "lost the watch; listing everything again");
                } else {
                    tracing::warn!(copy, error, "lost the watch; taking it up again");
                }
                self.lost = Some(trouble.text.clone());
            }
            (Place::Watching, None) if self.lost.take().is_some() => {
                tracing::info!(copy, "follows the server again");
            }
            _ => {}
        }
    }
}
