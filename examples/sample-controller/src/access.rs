//! What the controller needs of a cluster's authorization: for `--print-access`, and for its role.

use std::time::Duration;

use watchkeeper::client::access::{self, AccessRecorder};
use watchkeeper::prelude::*;

use crate::controller::{NAME, foo_controller};

/// What the controller declares, and what was recorded of it, as JSON. It needs no server. With an
/// election it needs a lease besides.
#[must_use]
pub fn document(election: Option<LeaderElection>, recorder: &AccessRecorder) -> String {
    let mut manager = Manager::new(&Client::unconnected());
    if let Some(election) = election {
        manager = manager.leader_election(election);
    }
    foo_controller(&manager, 1, Duration::ZERO);
    access::document(NAME, &manager.needs(), recorder)
}
