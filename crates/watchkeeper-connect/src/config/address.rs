//! Addresses as people write them.

use http::Uri;
use rustls_pki_types::ServerName;

use crate::kubeconfig::Cluster;

const WRITE_IT: &str = "write it as https://HOST:PORT";

/// `host:port` means https where there is something to speak `tls` with, else http (upstream:
/// `rest.DefaultServerUrlFor`).
pub(super) fn address(server: &str, tls: bool) -> Result<Uri, String> {
    let server = server.trim();
    if without_password(server) != server {
        return Err(format!(
            "the server {:?} has a name or a password in it; put them into the user (an @ of its path is \
             written %40)",
            without_password(server)
        ));
    }
    let scheme = if tls { "https" } else { "http" };
    let full =
        if server.contains("://") { server.to_owned() } else { format!("{scheme}://{server}") };
    let uri: Uri =
        full.parse().map_err(|_| format!("the server {server:?} is no URL; {WRITE_IT}"))?;
    match (uri.scheme_str(), uri.host()) {
        (Some("http" | "https"), Some(host)) if !host.is_empty() => {}
        _ => return Err(format!("the server {server:?} is no http or https URL; {WRITE_IT}")),
    }
    match port(&uri) {
        Some(port) if !port.parse::<u16>().is_ok_and(|port| port > 0) => Err(format!(
            "the server {server:?} has no valid port: {port:?} is not from 1 to 65535; write the one on which \
             it listens"
        )),
        _ => Ok(uri),
    }
}

/// The port as it is written, which the URL's own syntax does not bound.
fn port(uri: &Uri) -> Option<&str> {
    let (authority, host) = (uri.authority()?.as_str(), uri.host()?);
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    place.strip_prefix(host)?.strip_prefix(':')
}

/// A URL without what stands before its host, for messages. A password may have in it what ends a host: so
/// all before the last `@` goes, unless it can only be a host and a path.
pub(crate) fn without_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (scheme, rest));
    match rest.rsplit_once('@') {
        Some((before, place)) if before.contains(':') || !before.contains(AFTER_HOST) => {
            let colon = if scheme.is_empty() { "" } else { "://" };
            format!("{scheme}{colon}{place}")
        }
        _ => url.to_owned(),
    }
}

/// What ends the host and port of a URL.
pub(crate) const AFTER_HOST: [char; 3] = ['/', '?', '#'];

pub(super) fn server_name(cluster: &Cluster) -> Result<Option<ServerName<'static>>, String> {
    let name = cluster.tls_server_name.as_deref().filter(|name| !name.is_empty());
    name.map(|name| {
        ServerName::try_from(name.to_owned())
            .map_err(|_| {
                format!(
                    "tls-server-name {name:?} is no host; write a DNS name or an address that the server's \
                     certificate is for"
                )
            })
    })
    .transpose()
}
