//! `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, as every Kubernetes program reads them (Go's
//! `golang.org/x/net/http/httpproxy`).

use std::net::IpAddr;

use http::Uri;

use super::{Proxy, port};
use crate::connector::bare_host;

/// The proxy that the environment names for this server. `variable` reads it.
///
/// # Errors
/// When what it names is none.
pub(crate) fn of_environment(
    server: &Uri,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Proxy>, String> {
    let names = match server.scheme_str() {
        Some("https") => ["HTTPS_PROXY", "https_proxy"],
        // A CGI script's environment is written by the client.
        _ if variable("REQUEST_METHOD").is_some() => return Ok(None),
        _ => ["HTTP_PROXY", "http_proxy"],
    };
    let set = names.into_iter().find_map(|name| Some((name, variable(name)?)));
    let Some((name, url)) = set else { return Ok(None) };
    let exceptions = variable("NO_PROXY").or_else(|| variable("no_proxy")).unwrap_or_default();
    if is_direct(&exceptions, bare_host(server), port(server)) {
        return Ok(None);
    }
    let url = url.trim();
    let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    Proxy::parse(&url, name).map(Some)
}

/// Whether no proxy stands before this host.
pub(super) fn is_direct(exceptions: &str, host: &str, port: u16) -> bool {
    if is_loopback(host) {
        return true;
    }
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let address: Option<IpAddr> = host.parse().ok();
    exceptions.split(',').any(|entry| {
        let entry = entry.trim().to_ascii_lowercase();
        covers(&entry, &host, address, port)
    })
}

/// Whether what is sent there does not leave the machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let address = host.parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

fn covers(entry: &str, host: &str, address: Option<IpAddr>, port: u16) -> bool {
    if entry.is_empty() {
        return false;
    }
    if entry == "*" {
        return true;
    }
    if let Some((network, bits)) = entry.split_once('/') {
        let network = network.parse().ok().zip(bits.parse().ok());
        return address
            .zip(network)
            .is_some_and(|(address, (network, bits))| contains(network, bits, address));
    }
    let (name, only) = split_port(entry);
    if only.is_some_and(|only| only != port) {
        return false;
    }
    if let Ok(named) = name.parse::<IpAddr>() {
        return address == Some(named);
    }
    let name = name.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(name);
    match name.strip_prefix('.') {
        Some(domain) => below(host, domain),
        None => host == name || below(host, name),
    }
}

/// `host:port`, `[::1]:port`, or neither.
fn split_port(entry: &str) -> (&str, Option<u16>) {
    let bare = |name: &'_ str| -> Option<(usize, u16)> {
        let (before, port) = name.rsplit_once(':')?;
        let whole = !before.contains(':') || before.ends_with(']');
        whole.then(|| port.parse().ok().map(|port| (before.len(), port)))?
    };
    let (name, port) = match bare(entry) {
        Some((length, port)) => (&entry[..length], Some(port)),
        None => (entry, None),
    };
    let inside = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    (inside.unwrap_or(name), port)
}

/// `a.example.com` is below `example.com`; `example.com` is not.
fn below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1)
}

fn contains(network: IpAddr, bits: u32, address: IpAddr) -> bool {
    let (network, address, width) = match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) => {
            (u128::from(network.to_bits()), u128::from(address.to_bits()), 32)
        }
        (IpAddr::V6(network), IpAddr::V6(address)) => (network.to_bits(), address.to_bits(), 128),
        _ => return false,
    };
    let Some(rest) = u32::checked_sub(width, bits) else { return false };
    network.checked_shr(rest).unwrap_or(0) == address.checked_shr(rest).unwrap_or(0)
}
