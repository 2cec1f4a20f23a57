//! From a request to a WebSocket (RFC 6455, 4.2).

use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::error::{ApiError, Result};

/// A WebSocket that the server agrees to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// What is spoken over it.
    pub protocol: &'static str,
    /// What proves that the request was understood.
    accept: String,
}

impl Agreed {
    /// What a request asks for, with the first protocol of the client's that is spoken here.
    ///
    /// # Errors
    ///
    /// 400 for what is no WebSocket, or for nothing that is spoken here.
    pub(super) fn with(headers: &HeaderMap, spoken: &[&'static str]) -> Result<Self> {
        let upgrades =
            words(headers, header::CONNECTION).any(|one| one.eq_ignore_ascii_case("upgrade"));
        let to = words(headers, header::UPGRADE).next().unwrap_or_default();
        if !upgrades || to.is_empty() {
            return Err(ApiError::bad_request("Upgrade request required"));
        }
        if !to.eq_ignore_ascii_case("websocket") {
            let why = format!("unable to upgrade: {to} is not spoken here, WebSockets are");
            return Err(ApiError::bad_request(why));
        }
        let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|key| !key.is_empty());
        let version = words(headers, header::SEC_WEBSOCKET_VERSION).next();
        let (Some(key), Some("13")) = (key, version) else {
            return Err(ApiError::bad_request(
                "unable to upgrade: this is no WebSocket of version 13",
            ));
        };
        let mut wanted = words(headers, header::SEC_WEBSOCKET_PROTOCOL);
        let protocol = wanted.find_map(|one| spoken.iter().copied().find(|spoken| *spoken == one));
        let Some(protocol) = protocol else {
            let spoken = spoken.join(", ");
            let why = format!(
                "unable to upgrade: of the protocols asked for none is spoken here, only {spoken}"
            );
            return Err(ApiError::bad_request(why));
        };
        Ok(Self { protocol, accept: derive_accept_key(key.as_bytes()) })
    }

    /// The answer that begins it.
    pub(crate) fn answer<B>(&self, body: B) -> Response<B> {
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(self.protocol));
        // Base64, which headers can hold.
        if let Ok(accept) = HeaderValue::from_str(&self.accept) {
            headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        }
        response
    }
}

/// Whether SPDY in a WebSocket is among what is asked for (upstream: `IsWebSocketRequestWithTunnelingProtocol`).
pub(super) fn asks_for_tunnel(headers: &HeaderMap) -> bool {
    let mut wanted = words(headers, header::SEC_WEBSOCKET_PROTOCOL);
    wanted.any(|one| one.starts_with("SPDY/3.1+") && one.ends_with(".k8s.io"))
}

/// The words of a header, of all lines that it has.
fn words(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
}
