//! Addresses of proxies, and who needs none.

use super::environment::is_direct;
use super::*;

#[test]
fn addresses_of_proxies_are_read() {
    for (url, told, address, authorization) in [
        ("http://p", "http://p (x)", "http://p:80/", None),
        ("https://p:3128/", "https://p:3128/ (x)", "http://p:3128/", None),
        ("socks5://[::1]", "socks5://[::1] (x)", "http://[::1]:1080/", None),
        ("HTTP://me:p%40ss@p:1", "HTTP://p:1 (x)", "http://p:1/", Some("Basic bWU6cEBzcw==")),
    ] {
        let proxy = Proxy::parse(url, "x").unwrap();
        assert_eq!(format!("{proxy:?}"), told);
        assert_eq!(proxy.address(), address);
        let sent = proxy.authorization();
        assert_eq!(sent.as_ref().map(|value| value.to_str().unwrap()), authorization);
        assert!(sent.is_none_or(|value| value.is_sensitive()));
    }
    for (url, what) in [
        ("p:3128", "has no scheme"),
        ("ftp://me:hunter2@p", "speaks \"ftp\", not http, https or socks5"),
        ("http://me:hunter2@", "is no address"),
        ("http://p:0", "is no address"),
        ("http://p:99999", "is no address"),
        ("http://me:1#hunter2@p", "has an @ behind its address"),
        ("http://me:1/hunter2@p", "has an @ behind its address"),
        ("http://me:?@hunter2@p", "has an @ behind its address"),
    ] {
        let error = Proxy::parse(url, "proxy-url").unwrap_err();
        assert!(error.contains(what) && error.contains("(proxy-url)"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
}

/// As Go's `httpproxy` decides.
#[test]
fn no_proxy_names_hosts_domains_addresses_and_networks() {
    let list =
        "10.96.0.1, 192.168.0.0/16,fd00::/8 ,.cluster.local,example.com,*.wild.io,h:8443,[::2]:1";
    for (host, port, direct) in [
        ("10.96.0.1", 443, true),
        ("10.96.0.2", 443, false),
        ("192.168.7.7", 443, true),
        ("192.169.7.7", 443, false),
        ("fd12::1", 443, true),
        ("fe80::1", 443, false),
        ("kubernetes.default.svc.cluster.local", 443, true),
        ("cluster.local", 443, false),
        ("example.com", 443, true),
        ("API.Example.com", 443, true),
        ("badexample.com", 443, false),
        ("a.wild.io", 443, true),
        ("wild.io", 443, false),
        ("h", 8443, true),
        ("h", 443, false),
        ("::2", 1, true),
        ("::2", 2, false),
        ("localhost", 1, true),
        ("127.0.0.9", 1, true),
        ("::1", 1, true),
    ] {
        assert_eq!(is_direct(list, host, port), direct, "{host}:{port}");
    }
    assert!(is_direct("*", "anything", 1));
    assert!(!is_direct("", "anything", 1));
    assert!(is_direct("0.0.0.0/0", "1.2.3.4", 1) && !is_direct("0.0.0.0/33", "1.2.3.4", 1));
}

#[test]
fn the_environment_names_a_proxy_for_each_scheme() {
    let of = |server: &str, set: &[(&str, &str)]| {
        let variable = |name: &str| {
            set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        let server = server.parse().unwrap();
        of_environment(&server, variable).map(|proxy| proxy.map(|proxy| format!("{proxy:?}")))
    };
    let both = [("HTTPS_PROXY", "http://s"), ("HTTP_PROXY", "p:1"), ("https_proxy", "http://no")];
    assert_eq!(of("https://k", &both).unwrap().unwrap(), "http://s (HTTPS_PROXY)");
    assert_eq!(of("http://k", &both).unwrap().unwrap(), "http://p:1 (HTTP_PROXY)");
    assert_eq!(
        of("https://k", &[("https_proxy", "p")]).unwrap().unwrap(),
        "http://p (https_proxy)"
    );
    assert_eq!(of("https://k", &both[1..2]), Ok(None));
    let cgi = [("HTTP_PROXY", "http://p"), ("REQUEST_METHOD", "GET")];
    assert_eq!(of("http://k", &cgi), Ok(None));
    assert_eq!(of("https://k:6443", &[both[0], ("NO_PROXY", "k")]), Ok(None));
    let error = of("https://k", &[("HTTPS_PROXY", "quic://p")]).unwrap_err();
    assert!(error.contains("HTTPS_PROXY"), "{error}");
}
