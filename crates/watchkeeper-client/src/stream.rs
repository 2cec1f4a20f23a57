//! Streams into containers: exec, attach, port-forward (feature `ws`).
//!
//! ```text
//!  Api::exec, attach ─▶ Attached (v5.channel.k8s.io) ────────────────────────────┐
//!  Api::tunnel ─▶ Tunnel ─┬▶ TunnelStream ─▶ Session ─▶ spdy (SPDY/3.1+portforw.) ┴─▶ Socket ─▶ WebSocket
//!   └▶ port_forward       └▶ ChannelStream (v4.channel.k8s.io), where there is no tunnel ─┘   over an Upgrade
//! ```
//!
//! Upstream: `tools/remotecommand`, `tools/portforward`. The decisions are in `docs/design/streaming.md`.

mod attached;
mod channel;
mod forward;
mod handshake;
mod options;
mod pulse;
mod session;
mod socket;
mod spdy;
mod tunnel;
mod wakers;

pub use attached::{Attached, Exit, Finished, Input, Output};
pub use forward::{PortStream, Tunnel};
pub use options::ExecOptions;
