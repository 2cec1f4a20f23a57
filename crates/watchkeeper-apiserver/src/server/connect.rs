//! Requests that the kubelet answers.

use std::future::Future;
use std::sync::PoisonError;

use bytes::Bytes;
use http::Response;
use tokio::io::DuplexStream;

use super::{ApiServer, Body, Upgrade, ports, proxy, session, tunnel};
use crate::containers::{Agreed, Connect, Doing};
use crate::error::ApiError;
use crate::reply;
use crate::request::accept::Codec;

impl ApiServer {
    pub(super) fn connect(&self, connect: Connect) -> Doing<Response<Body>> {
        let known = self.shared.kubelet.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let answer = match (connect, known) {
            (Connect::Proxy(asked), kubelet) => return proxy::answer(kubelet, *asked),
            (_, None) => {
                let why =
                    "nothing answers for the containers of this server: it was given no kubelet";
                reply::error(Codec::Json, &ApiError::internal(why)).map(Body::whole)
            }
            (Connect::Log(asked), Some(kubelet)) => {
                reply::typed(200, "text/plain", Body::log(kubelet.log(self, asked)))
            }
            (Connect::Run(asked, agreed), Some(kubelet)) => switch(&agreed, |stream| {
                let program = move |asked, terminal| kubelet.run(asked, terminal);
                session::run(stream, agreed.protocol, asked, program)
            }),
            (Connect::Refused(why, agreed), _) => {
                switch(&agreed, |stream| session::refuse(stream, why))
            }
            (Connect::Forward(all, agreed), Some(kubelet)) => switch(&agreed, |stream| {
                ports::forward(stream, all, move |asked, stream| kubelet.forward(asked, stream))
            }),
            (Connect::Tunnel(to, agreed), Some(kubelet)) => switch(&agreed, |stream| {
                tunnel::forward(stream, to, move |asked, stream| kubelet.forward(asked, stream))
            }),
        };
        Box::pin(std::future::ready(answer))
    }
}

/// The answer after which the connection is a WebSocket.
fn switch<F>(agreed: &Agreed, work: impl FnOnce(DuplexStream) -> F) -> Response<Body>
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut response = agreed.answer(Body::whole(Bytes::new()));
    response.extensions_mut().insert(Upgrade::to(work));
    response
}
