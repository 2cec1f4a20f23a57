//! Somebody in between: HTTP proxies (RFC 9110, `CONNECT`), with or without TLS, and SOCKS5 (RFC 1928).
//!
//! The kubeconfig's `proxy-url` wins over the environment's (upstream: `clientcmd`, `parseProxyURL`, and
//! Go's `httpproxy`). Host names are resolved by the proxy.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::{HeaderValue, Uri};

use crate::config::{AFTER_HOST, without_password};
use crate::connector::Wire;
use crate::explain::why_no_connection;
use crate::say::Failure;

mod environment;
mod socks;
#[cfg(test)]
mod tests;
mod tunnel;

pub(crate) use environment::{is_loopback, of_environment};

/// What a proxy speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaks {
    Http,
    Https,
    Socks5,
}

/// A proxy. Its debug output and its errors hold no password.
pub(crate) struct Proxy {
    speaks: Speaks,
    /// Scheme, host and port.
    address: Uri,
    login: Option<Login>,
    /// The address, and who named it, for messages.
    told: String,
}

/// Who we are to the proxy.
struct Login {
    name: String,
    password: String,
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl Proxy {
    /// `origin` says who names it: `proxy-url`, `HTTPS_PROXY`.
    ///
    /// # Errors
    /// What is wrong with the address, without the password in it.
    pub(crate) fn parse(url: &str, origin: &str) -> Result<Self, String> {
        let told = format!("{} ({origin})", without_password(url));
        let (scheme, rest) = url.split_once("://").ok_or_else(|| {
            format!(
                "the proxy {told} has no scheme; write http://, https:// or socks5:// before it"
            )
        })?;
        let (speaks, port) = match scheme.to_ascii_lowercase().as_str() {
            "http" => (Speaks::Http, 80),
            "https" => (Speaks::Https, 443),
            "socks5" | "socks5h" => (Speaks::Socks5, 1080),
            other => {
                return Err(format!(
                    "the proxy {told} speaks {other:?}, not http, https or socks5; name one that does"
                ));
            }
        };
        let (authority, after) = rest.find(AFTER_HOST).map_or((rest, ""), |end| rest.split_at(end));
        if after.contains('@') {
            return Err(format!(
                "the proxy {told} has an @ behind its address; in a name or a password write / as %2F, ? as %3F \
                 and # as %23"
            ));
        }
        let (login, place) = match authority.rsplit_once('@') {
            Some((login, place)) => (Some(Login::parse(login)), place),
            None => (None, authority),
        };
        let no_address = || format!("the proxy {told} is no address; write it as http://HOST:PORT");
        let given: Uri = place.parse().map_err(|_| no_address())?;
        let host = given.host().filter(|host| !host.is_empty()).ok_or_else(no_address)?;
        let port = match place.strip_prefix(host).unwrap_or_default() {
            "" => port,
            port => {
                let port = port.strip_prefix(':').and_then(|port| port.parse::<u16>().ok());
                port.filter(|port| *port > 0).ok_or_else(no_address)?
            }
        };
        let address = format!("http://{host}:{port}/").parse().map_err(|_| no_address())?;
        Ok(Self { speaks, address, login, told })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> Uri {
        self.address.clone()
    }

    /// Whether it takes whole requests to servers without TLS, instead of bytes.
    pub(crate) fn forwards(&self) -> bool {
        self.speaks != Speaks::Socks5
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.speaks == Speaks::Https
    }

    /// `Proxy-Authorization`.
    pub(crate) fn authorization(&self) -> Option<HeaderValue> {
        let Login { name, password } = self.login.as_ref()?;
        let value = format!("Basic {}", BASE64.encode(format!("{name}:{password}")));
        let mut value = HeaderValue::from_str(&value).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Asks for a way to the host and port of `target`.
    pub(crate) async fn open(&self, wire: &mut Wire, target: &Uri) -> Result<(), Failure> {
        let opened = match self.speaks {
            Speaks::Http | Speaks::Https => tunnel::open(wire, target, self.authorization()).await,
            Speaks::Socks5 => socks::open(wire, target, self.login.as_ref()).await,
        };
        opened.map_err(|what| Failure(format!("the proxy {} {what}", self.told)))
    }

    /// There is no connection to it.
    pub(crate) fn unreachable(&self, error: &(dyn std::error::Error + 'static)) -> Failure {
        Failure(format!("no connection to the proxy {}: {}", self.told, why_no_connection(error)))
    }
}

impl Login {
    fn parse(text: &str) -> Self {
        let (name, password) = text.split_once(':').unwrap_or((text, ""));
        Self { name: decoded(name), password: decoded(password) }
    }
}

/// `%40` is an `@`. What is no escape stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| first == b'%');
        let escaped = escaped.and_then(|hex| std::str::from_utf8(hex).ok());
        match escaped.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The port of an address, or that of its scheme.
fn port(uri: &Uri) -> u16 {
    uri.port_u16().unwrap_or(if uri.scheme_str() == Some("https") { 443 } else { 80 })
}
