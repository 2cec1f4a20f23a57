//! Whether a source has told all there was.

use crate::sync::Notify;

/// Something that is said once, to whoever asks, also later.
#[derive(Default)]
pub(crate) struct Told(Notify);

impl Told {
    /// It has.
    pub(crate) fn say(&self) {
        self.0.notify_one();
    }

    /// Completes when it has.
    pub(crate) async fn all(&self) {
        self.0.notified().await;
        // For the next who asks.
        self.0.notify_one();
    }
}
