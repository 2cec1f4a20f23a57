//! What a test lets containers do.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::Response;
use watchkeeper_apiserver::containers::{Doing, Exit, Forward, PortStream, Proxied, Run, Terminal};

type Program = Arc<dyn Fn(Run, Terminal) -> Doing<Exit> + Send + Sync>;
type Port = Arc<dyn Fn(Forward, PortStream) -> Doing<Result<(), String>> + Send + Sync>;

type Node = Arc<dyn Fn(Proxied) -> Doing<Result<Response<Bytes>, String>> + Send + Sync>;

/// What was told last of programs, of each port and of nodes.
#[derive(Clone, Default)]
pub(super) struct Handlers(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    program: Option<Program>,
    ports: BTreeMap<u16, Port>,
    node: Option<Node>,
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handlers({:?})", self.lock().ports.keys())
    }
}

impl Handlers {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_program(&self, program: Program) {
        self.lock().program = Some(program);
    }

    pub(super) fn set_port(&self, port: u16, listener: Port) {
        self.lock().ports.insert(port, listener);
    }

    pub(super) fn set_node(&self, node: Node) {
        self.lock().node = Some(node);
    }

    pub(super) fn program(&self) -> Option<Program> {
        self.lock().program.clone()
    }

    pub(super) fn port(&self, port: u16) -> Option<Port> {
        self.lock().ports.get(&port).cloned()
    }

    pub(super) fn node(&self) -> Option<Node> {
        self.lock().node.clone()
    }
}
