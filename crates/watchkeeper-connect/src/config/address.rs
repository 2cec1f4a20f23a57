//! Addresses as people write them.

use http::Uri;
use rustls_pki_types::ServerName;

use crate::kubeconfig::Cluster;

/// `host:port` means http, as with kubectl.
pub(super) fn address(server: &str) -> Result<Uri, String> {
    let server = server.trim();
    if without_password(server) != server {
        return Err(format!(
            "the server {:?} has a name or a password in it; put them into the user",
            without_password(server)
        ));
    }
    let full = if server.contains("://") { server.to_owned() } else { format!("http://{server}") };
    let uri: Uri = full.parse().map_err(|_| format!("the server {server:?} is no URL"))?;
    match (uri.scheme_str(), uri.host()) {
        (Some("http" | "https"), Some(host)) if !host.is_empty() => {}
        _ => return Err(format!("the server {server:?} is no http or https URL")),
    }
    match port(&uri) {
        Some(port) if !port.parse::<u16>().is_ok_and(|port| port > 0) => {
            Err(format!("the server {server:?} has no valid port: {port:?} is not from 1 to 65535"))
        }
        _ => Ok(uri),
    }
}

/// The port as it is written, which the URL's own syntax does not bound.
fn port(uri: &Uri) -> Option<&str> {
    let (authority, host) = (uri.authority()?.as_str(), uri.host()?);
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    place.strip_prefix(host)?.strip_prefix(':')
}

/// A URL without what stands before its host, for messages.
pub(crate) fn without_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (authority, _) = rest.split_once(['/', '?', '#']).unwrap_or((rest, ""));
    let Some(at) = authority.rfind('@') else { return url.to_owned() };
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    format!("{scheme}{}", &rest[at + 1..])
}

pub(super) fn server_name(cluster: &Cluster) -> Result<Option<ServerName<'static>>, String> {
    let name = cluster.tls_server_name.as_deref().filter(|name| !name.is_empty());
    name.map(|name| {
        ServerName::try_from(name.to_owned())
            .map_err(|_| format!("tls-server-name {name:?} is no host"))
    })
    .transpose()
}
