//! The answer to a request that is handed on.

use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;

use super::body::Body;
use super::session::PIECE;
use crate::containers::proxy::without_own;
use crate::containers::{Behind, Doing, Forward, Kubelet, Proxied};
use crate::error::ApiError;
use crate::reply;
use crate::request::accept::Codec;
use crate::request::body::LIMIT;

/// What whoever is behind answers, or that nobody does.
pub(super) fn answer(kubelet: Option<Arc<dyn Kubelet>>, asked: Proxied) -> Doing<Response<Body>> {
    Box::pin(async move {
        let refused = asked.refused();
        let answered = match (kubelet, asked.to.clone()) {
            (None, _) => Err(refused),
            (Some(kubelet), Behind::Node(_)) => kubelet.node(asked).await,
            (Some(kubelet), Behind::Pod(to)) => over_port(&*kubelet, to, asked).await,
        };
        match answered {
            Ok(answer) => {
                let (mut head, body) = answer.into_parts();
                head.headers = without_own(head.headers);
                Response::from_parts(head, Body::whole(body))
            }
            Err(why) => {
                let why = format!("error trying to reach service: {why}");
                let error = ApiError::new(503, "ServiceUnavailable", why);
                reply::error(Codec::Json, &error).map(Body::whole)
            }
        }
    })
}

/// Speaks HTTP with whoever listens to a port of a pod.
async fn over_port(
    kubelet: &dyn Kubelet,
    to: Forward,
    asked: Proxied,
) -> Result<Response<Bytes>, String> {
    let refused = asked.refused();
    let Proxied { method, target, headers, body, .. } = asked;
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = target.parse().map_err(|error| format!("{target}: {error}"))?;
    *request.headers_mut() = headers;
    let (near, far) = tokio::io::duplex(PIECE);
    let shaken = http1::handshake(TokioIo::new(near)).await;
    let (mut sender, connection) = shaken.map_err(|error| error.to_string())?;
    let exchange = async {
        let answer = sender.send_request(request).await.map_err(|error| error.to_string())?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, LIMIT).collect().await.map_err(|error| error.to_string())?;
        Ok(Response::from_parts(head, body.to_bytes()))
    };
    let listening = async {
        match kubelet.forward(to, far).await {
            // Told as of a place that has no pods.
            Err(why) if why.ends_with("connection refused") => refused,
            Err(why) => why,
            // What it said last is still on its way.
            Ok(()) => std::future::pending().await,
        }
    };
    let (mut exchange, connection) = (pin!(exchange), pin!(connection));
    let connected = async {
        let _ = connection.await;
        std::future::pending::<String>().await
    };
    tokio::select! {
        biased;
        answer = &mut exchange => answer,
        why = listening => Err(why),
        why = connected => Err(why),
    }
}
