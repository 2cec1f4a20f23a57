use http::HeaderMap;

use super::{below, cleaned, encoded, handed_on};

#[test]
fn what_follows_the_proxy_is_told_as_upstream_tells_it() {
    for (path, told) in [
        ("/api/v1/nodes/n/proxy", ""),
        ("/api/v1/nodes/n/proxy/", "/"),
        ("/api/v1/nodes/n/proxy/healthz", "/healthz"),
        ("/api/v1/nodes/n/proxy/a%2Fb%20c/", "/a/b c/"),
        ("/api/v1/namespaces/a/pods/p:80/proxy/x//y", "/x//y"),
        ("/api/v1/namespaces/a/services/s/proxy", ""),
    ] {
        assert_eq!(below(path), told, "{path}");
    }
}

#[test]
fn a_path_leads_nowhere_else() {
    for (path, clean) in
        [("", ""), ("/", "/"), ("/a//b/./c/", "/a/b/c/"), ("/../../a/..", ""), ("/a/../b", "/b")]
    {
        assert_eq!(cleaned(path), clean, "{path}");
    }
    assert_eq!(encoded("/a b/é?#%/$&+,:;=@-_.~"), "/a%20b/%C3%A9%3F%23%25/$&+,:;=@-_.~");
}

#[test]
fn who_makes_the_request_is_not_told() {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("authorization", "Bearer secret"),
        ("impersonate-user", "ann"),
        ("impersonate-extra-a", "b"),
        ("connection", "x-mine, close"),
        ("x-mine", "1"),
        ("content-length", "3"),
        ("accept", "text/plain"),
    ] {
        headers.append(name, value.parse().expect("a value"));
    }
    let told = handed_on(&headers, "/api/v1/nodes/n/proxy/x");
    let told: Vec<_> = told.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let from = ("x-forwarded-uri", "/api/v1/nodes/n/proxy/x".as_bytes());
    assert_eq!(told, [("accept", "text/plain".as_bytes()), from]);
}
