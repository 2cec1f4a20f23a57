//! Streams into containers: exec, attach, port-forward (feature `ws`).
//!
//! ```text
//!  Api::exec, attach ─▶ Attached (v5.channel.k8s.io) ─┐
//!  Api::port_forward ─▶ PortStream (v4.channel)       ─┴─▶ Socket ─▶ WebSocket over an Upgrade
//! ```
//!
//! Upstream: `tools/remotecommand`, `tools/portforward`. The decisions are in `docs/design/streaming.md`.

mod attached;
mod forward;
mod handshake;
mod options;
mod socket;

pub use attached::{Attached, Exit, Finished, Input, Output};
pub use forward::PortStream;
pub use options::ExecOptions;
