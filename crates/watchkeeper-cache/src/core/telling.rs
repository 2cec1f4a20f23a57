//! What is worth a line of how it goes: that the server is lost, and that it is found again, once each; and
//! what [`aside`](super::aside) says.

use crate::item::Item;
use crate::reflector::state::{Place, State};

/// What was told last.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    lost: Option<String>,
}

/// What is to be told.
#[derive(Debug)]
pub(crate) enum News {
    /// Why it failed, and whether the end of the wait brings a list.
    Lost {
        error: String,
        relists: bool,
    },
    Found,
    /// An object that cannot be read, and how many others were not told of lately.
    SetAside {
        object: String,
        version: String,
        reason: String,
        left_out: u64,
    },
}

impl Telling {
    /// A failure that costs a wait, unless the last one was the same, and its end.
    ///
    /// What the reflector gets around at once, such as a server that cannot stream its lists, is
    /// not worth a line.
    pub(super) fn heed<K: Item>(&mut self, state: &State<K>) -> Option<News> {
        match (state.place(), state.trouble()) {
            (Place::Asleep, Some(trouble)) if self.lost.as_ref() != Some(&trouble.text) => {
                self.lost = Some(trouble.text.clone());
                Some(News::Lost { error: trouble.text.clone(), relists: state.relists() })
            }
            (Place::Watching, None) if self.lost.take().is_some() => Some(News::Found),
            _ => None,
        }
    }
}

impl News {
    /// Tells `tracing`.
    pub(crate) fn log(self, copy: &str, synced: bool) {
        match self {
            Self::Lost { error, .. } if !synced => {
                tracing::warn!(copy, error, "cannot list yet; trying again");
            }
            Self::Lost { error, relists: true } => {
                tracing::warn!(copy, error, "lost the watch; listing everything again");
            }
            Self::Lost { error, relists: false } => {
                tracing::warn!(copy, error, "lost the watch; taking it up again");
            }
            Self::Found => tracing::info!(copy, "follows the server again"),
            Self::SetAside { object, version, reason, left_out } => {
                let left_out = (left_out > 0).then_some(left_out);
                tracing::warn!(copy, object, version, reason, left_out, "an object cannot be read");
            }
        }
    }
}
