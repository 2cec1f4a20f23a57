//! From a request to a WebSocket (RFC 6455, 4.1).

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::{client::generate_key, derive_accept_key};
use tokio_tungstenite::tungstenite::protocol::Role;
use watchkeeper_api::Error;
use watchkeeper_api::error::Subject;

use super::socket::{Socket, Ws};
use crate::client::Client;
use crate::fail::Why;
use crate::request::Call;
use crate::send::in_time;
use crate::upgrade::Upgrade;

/// Why there is no WebSocket.
pub(super) struct NoSocket {
    pub(super) error: Error,
    /// The server answered as one that does not know the protocol.
    pub(super) is_unknown: bool,
}

impl From<NoSocket> for Error {
    fn from(none: NoSocket) -> Self {
        none.error
    }
}

/// Opens a WebSocket that speaks `protocol`. The request is sent once: what it starts may have happened.
pub(super) async fn connect(
    client: &Client,
    subject: Subject,
    uri: String,
    protocol: &'static str,
) -> Result<Socket, NoSocket> {
    let failed = |why: Why| NoSocket { error: why.into_error(&subject), is_unknown: false };
    let key = generate_key();
    let headers = headers(&key, protocol).map_err(failed)?;
    let call = Call { headers, retries: Some(0), idempotent: false, ..Call::raw(uri, "*/*") };
    let answer = client.open_answer(&call).await.map_err(|refused| {
        let error = refused.into_error(&subject);
        NoSocket { is_unknown: is_unknown(&error), error }
    })?;
    let upgrade = answer.extensions().get::<Upgrade>().cloned();
    check(answer.status(), answer.headers(), &key, protocol)
        .map_err(|why| NoSocket { error: why.into_error(&subject), is_unknown: true })?;
    let Some(coming) = upgrade.and_then(|upgrade| upgrade.take()) else {
        let why = "the connection cannot be upgraded: its service hands over no stream";
        return Err(failed(Why::Nonsense(why.to_owned())));
    };
    let stream = async { coming.await.map_err(Why::Broken) };
    let stream = in_time(client.settings.deadline, stream).await.map_err(failed)?;
    let ws: Ws = WebSocketStream::from_raw_socket(stream, Role::Client, None).await;
    Ok(Socket::new(ws, subject))
}

/// What servers answer to a request that they do not understand. All else may be another answer in a moment:
/// 429, 500, 503; or is about the pod and who asks: 401, 403, 404.
fn is_unknown(error: &Error) -> bool {
    error.status().is_some_and(|status| matches!(status.code, 400 | 405 | 426 | 501))
}

fn headers(key: &str, protocol: &'static str) -> Result<HeaderMap, Why> {
    let mut headers = HeaderMap::new();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONNECTION, "Upgrade");
    set(header::UPGRADE, "websocket");
    set(header::SEC_WEBSOCKET_VERSION, "13");
    set(header::SEC_WEBSOCKET_PROTOCOL, protocol);
    let key = HeaderValue::from_str(key).map_err(|error| Why::Asked(error.to_string()))?;
    headers.insert(header::SEC_WEBSOCKET_KEY, key);
    Ok(headers)
}

fn check(status: StatusCode, headers: &HeaderMap, key: &str, protocol: &str) -> Result<(), Why> {
    let text = |name| headers.get(name).and_then(|v: &HeaderValue| v.to_str().ok()).unwrap_or("");
    let wrong = if status != StatusCode::SWITCHING_PROTOCOLS {
        format!("the server answered {status} and did not upgrade the connection")
    } else if !text(header::UPGRADE).eq_ignore_ascii_case("websocket") {
        "the server upgraded to something else than a WebSocket".to_owned()
    } else if text(header::SEC_WEBSOCKET_ACCEPT) != derive_accept_key(key.as_bytes()) {
        "the server did not accept this WebSocket".to_owned()
    } else if text(header::SEC_WEBSOCKET_PROTOCOL) != protocol {
        let chosen = text(header::SEC_WEBSOCKET_PROTOCOL);
        format!("the server does not speak {protocol}: it chose {chosen:?}")
    } else {
        return Ok(());
    };
    Err(Why::Nonsense(wrong))
}
