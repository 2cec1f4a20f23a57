//! Tells `tracing` when the server is lost and when it is found again, once each; and those who measure, what
//! the copy holds.

use super::Core;
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

impl<K: Item> Core<K> {
    /// Lets the figures tell what the copy holds, where there are any.
    pub(crate) fn measure_store(&self) {
        if let Some(meter) = self.meter.get() {
            let store = self.store.clone();
            meter.ask_what_is_held(move || store.holding());
        }
    }
}
