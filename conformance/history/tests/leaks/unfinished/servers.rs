//! Servers that nobody gets a list of.

use std::net::{Ipv4Addr, SocketAddr};

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::io::{copy, sink};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::gate::Gate;
use crate::never;
use crate::service::{Open, Stage, answer};
use crate::sockets::{Connect, accept, plain};

/// How far a server comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It is not there.
    Absent,
    /// It takes connections, and closes them.
    Closing,
    /// It takes connections, and never says a word.
    Silent,
    /// It speaks HTTP up to here.
    At(Stage),
}

/// How clients come to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Plain,
    /// As HTTP/2, through TLS that stands before it.
    Gate,
    /// As HTTP/2, of which not even the TLS comes up.
    Bare,
}

impl End {
    pub(super) const ALL: [Self; 8] = [
        Self::Absent,
        Self::Closing,
        Self::Silent,
        Self::At(Stage::Asking),
        Self::At(Stage::BackingOff),
        Self::At(Stage::HalfAList),
        Self::At(Stage::BetweenPages),
        Self::At(Stage::Initial),
    ];

    pub(super) const fn ways(self) -> &'static [Way] {
        match self {
            Self::Absent => &[Way::Plain, Way::Bare],
            Self::Closing | Self::Silent => &[Way::Plain, Way::Gate, Way::Bare],
            Self::At(_) => &[Way::Plain, Way::Gate],
        }
    }

    /// Whether clients wait to try again.
    pub(super) const fn is_failure(self) -> bool {
        matches!(self, Self::Absent | Self::Closing | Self::At(Stage::BackingOff))
    }
}

/// A server, and how clients come to it.
pub(super) async fn connect(end: End, way: Way, open: &Open, serving: &mut JoinSet<()>) -> Connect {
    let address = serve(end, open, serving);
    match way {
        Way::Plain => plain(address),
        Way::Gate => Gate::before(address, serving).await.connect(),
        Way::Bare => Gate::before(address, serving).await.connect_to(address),
    }
}

fn serve(end: End, open: &Open, serving: &mut JoinSet<()>) -> SocketAddr {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let address = socket.local_addr().unwrap();
    if end == End::Absent {
        serving.spawn(async move {
            // So nobody else gets the port.
            let _bound = socket;
            never::<()>().await;
        });
    } else {
        let (listener, open) = (socket.listen(64).unwrap(), open.clone());
        serving.spawn(accept(listener, move |client| speak(end, client, open.clone())));
    }
    address
}

async fn speak(end: End, mut client: TcpStream, open: Open) {
    let End::At(stage) = end else {
        let _one = open.one();
        if end == End::Silent {
            // Until the other end is closed.
            let _closed = copy(&mut client, &mut sink()).await;
        }
        return;
    };
    let service = service_fn(move |request| answer(stage, &open, &request));
    let server = auto::Builder::new(TokioExecutor::new());
    let _closed = server.serve_connection(TokioIo::new(client), service).await;
}
