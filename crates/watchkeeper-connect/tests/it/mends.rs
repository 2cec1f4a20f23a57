//! Each error of a configuration names the file, the context, whose entry it is, and what to do.

use std::path::Path;

use watchkeeper_connect::{Config, verified};

use crate::config::options;
use crate::server::Authority;
use crate::{folder, kubeconfig};

const CLUSTER: &str = "cluster \"there\"";
pub(crate) const USER: &str = "user \"me\"";
const OK: &str = "server: 'https://a'";
/// Of a file that is not there.
const UNREADABLE: &str = "; is the path right, and may this program read it?";

/// What is said of this `cluster` and `user`: that `what` is wrong with the entry of `whose`, and the mend.
fn wrong(test: &str, (cluster, user): (&str, &str), whose: &str, (what, mend): (&str, &str)) {
    let path = kubeconfig(&folder(test), cluster, user);
    let result = Config::from_kubeconfig(&options(path.clone())).and_then(Config::client);
    told(&result.unwrap_err().to_string(), &path, whose, (what, mend));
}

fn told(error: &str, path: &Path, whose: &str, (what, mend): (&str, &str)) {
    let begin = format!("{whose} in context \"here\" of {}", path.display());
    assert!(error.starts_with(&begin), "it names {whose}, the context and the file: {error}");
    assert!(error.contains(what), "it says {what:?}: {error}");
    assert!(error.ends_with(mend), "it says to do {mend:?}: {error}");
    assert!(!error.contains('\n') && !error.contains("hunter2"), "{error}");
}

#[test]
fn what_is_wrong_with_a_cluster_is_told_with_its_mend() {
    let of = |cluster: &str, what: &str, mend: &str| {
        wrong("mends-cluster", (cluster, ""), CLUSTER, (what, mend));
    };
    let and = |more: &str, what: &str, mend: &str| of(&format!("{OK}, {more}"), what, mend);
    let write_it = "; write it as https://HOST:PORT";
    of("", "has no server", "; set it to https://HOST:PORT");
    of("server: 'ftp://a'", "the server \"ftp://a\" is no http or https URL", write_it);
    of("server: 'https://a b'", "the server \"https://a b\" is no URL", write_it);
    of(
        "server: 'https://me:hunter2@a'",
        "https://a\" has a name or a password in it",
        "; put them into the user (an @ of its path is written %40)",
    );
    for port in ["99999", "0", "65536"] {
        let what = format!("{port:?} is not from 1 to 65535");
        of(&format!("server: 'https://a:{port}'"), &what, "; write the one on which it listens");
    }
    let name = "write a DNS name or an address that the server's certificate is for";
    and("tls-server-name: 'a b'", "tls-server-name \"a b\" is no host", name);

    let data = |data: &str| format!("certificate-authority-data: '{data}'");
    let not_base64 = "; encode the PEM text so, or name its file as certificate-authority";
    and(&data("hunter2!"), "certificate-authority-data is not base64", not_base64);
    let none = "certificate-authority-data is no certificate: there is no PEM certificate in it";
    and(&data("aHVudGVyMg=="), none, "; write one there");
    // "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    let nonsense =
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBQUEKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=";
    let malformed = "certificate-authority-data is no certificate: it is malformed";
    and(&data(nonsense), malformed, "; write it anew");
    and("certificate-authority: gone.crt", "cannot read certificate-authority /", UNREADABLE);
    and(
        "insecure-skip-tls-verify: true, certificate-authority: ca.crt",
        "insecure-skip-tls-verify beside a certificate-authority",
        ": remove one of them",
    );

    let proxy = |url: &str, what: &str, mend: &str| and(&format!("proxy-url: '{url}'"), what, mend);
    let other = "the proxy ftp://p (proxy-url) speaks \"ftp\", not http, https or socks5";
    proxy("ftp://p", other, "; name one that does");
    proxy("quic://me:hunter2@p:1", "the proxy quic://p:1 (proxy-url)", "; name one that does");
    proxy("p:1", "has no scheme", "; write http://, https:// or socks5:// before it");
    proxy("http://p:0", "is no address", "; write it as http://HOST:PORT");
    let slash = "the proxy http://p:1 (proxy-url) has an @ behind its address";
    proxy("http://me:hunter2/x@p:1", slash, "write / as %2F, ? as %3F and # as %23");
}

#[test]
fn what_is_wrong_with_a_user_is_told_with_its_mend() {
    let of = |user: &str, what: &str, mend: &str| {
        wrong("mends-user", (OK, user), USER, (what, mend));
    };
    of(
        "client-key-data: aHVudGVyMg==",
        "client-key without client-certificate",
        "; add it, or remove the key",
    );
    of("client-certificate: me.crt", "client-certificate without client-key", "; add its key");
    for what in ["client-certificate", "client-key"] {
        let mend = format!("; encode the PEM text so, or name its file as {what}");
        of(&format!("{what}-data: 'hunter2!'"), &format!("{what}-data is not base64"), &mend);
    }
    let files = "client-certificate: gone.crt, client-key: gone.key";
    of(files, "cannot read client-certificate /", UNREADABLE);
    let none = "client-certificate-data: aHVudGVyMg==, client-key-data: aHVudGVyMg==";
    let what = "client-certificate-data and client-key-data hold a client certificate that is none";
    of(none, what, "; write one there");

    let in_ascii = "; write it on one line, in ASCII";
    of("token: \"hunter2\\nhunter2\"", "its token is none", in_ascii);
    of("as: \"hunter2\\nhunter2\"", "impersonate-user holds characters", in_ascii);
    of("as-groups: [dev]", "and not who that is", "; set as");

    of("exec: {apiVersion: x}", "its exec plugin names no command", "; set command");
    let speaks = "its exec plugin speaks \"v9\"";
    of("exec: {apiVersion: v9, command: x}", speaks, "; update the plugin or the kubeconfig");
    for (name, mend) in [
        (
            "gcp",
            "its exec plugin is gke-gcloud-auth-plugin: install it, then run `gcloud container clusters get-credentials`",
        ),
        (
            "azure",
            "its exec plugin is kubelogin: install it, then run `kubelogin convert-kubeconfig`",
        ),
        (
            "openstack",
            "its exec plugin is client-keystone-auth: install it, and name it under exec instead",
        ),
        ("other", "use an exec plugin"),
    ] {
        let what = format!("the auth-provider {name:?} was removed from Kubernetes");
        of(&format!("auth-provider: {{name: {name}}}"), &what, mend);
    }

    let oidc = |config: &str, what: &str, mend: &str| {
        of(&format!("auth-provider: {{name: oidc, config: {{{config}}}}}"), what, mend);
    };
    oidc("", "its auth-provider \"oidc\" has no idp-issuer-url", "; set it");
    let url = "its idp-issuer-url \"ftp://idp\" is no http or https URL";
    oidc("idp-issuer-url: 'ftp://me:hunter2@idp', client-id: a", url, "; write it as https://HOST");
    let issuer = "idp-issuer-url: 'https://idp', client-id: a";
    oidc(issuer, "has neither an id-token nor a refresh-token", "; log in first");
    let data = format!("{issuer}, idp-certificate-authority-data: 'hunter2!'");
    let mend = "; encode the PEM text so, or name its file as idp-certificate-authority";
    oidc(&data, "idp-certificate-authority-data is not base64", mend);
}

#[test]
fn a_key_that_does_not_fit_is_told_before_anything_is_sent() {
    let folder = folder("misfit");
    let authority = Authority::new("ca");
    std::fs::write(folder.join("me.crt"), authority.sign("me").certificate).unwrap();
    std::fs::write(folder.join("me.key"), authority.sign("you").key).unwrap();
    let user = "client-certificate: me.crt, client-key: me.key";
    let path = kubeconfig(&folder, OK, user);
    let mend = "; give the key that the certificate was made for";
    let error = || {
        let config = Config::from_kubeconfig(&options(path.clone()));
        config.and_then(Config::client).unwrap_err().to_string()
    };
    told(&error(), &path, USER, ("the client certificate and key do not fit", mend));
    std::fs::write(folder.join("me.key"), "hunter2").unwrap();
    let what = "me.key hold a client key that is no PEM private key";
    told(&error(), &path, USER, (what, "; write one there, not encrypted"));
}

/// What goes wrong with the file as a whole is of no context and of no user.
#[test]
fn what_is_wrong_with_a_file_is_told_with_its_mend() {
    let path = folder("mends-file").join("config");
    let told = |what: &str, mend: &str| {
        let error = Config::from_kubeconfig(&options(path.clone())).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "it names the file: {error}");
        assert!(error.contains(what) && error.ends_with(mend), "{what:?}, {mend:?}: {error}");
        assert!(!error.contains("hunter2"), "{error}");
    };
    told("cannot read the kubeconfig ", UNREADABLE);
    let written = |text: &str, what: &str, mend: &str| {
        std::fs::write(&path, text).unwrap();
        told(what, mend);
    };
    written("users: 'hunter2", "is malformed: line 1, ", "; correct it there");
    written("users: hunter2", "is malformed: line 1, ", "; correct it there");
    written("users:\n- user: {}", "is malformed: line 2, ", "there is no name; add it");
    written("users: [{name: a}, {name: a}]", "two entries are named", "; remove or rename one");
    written("", "has no contexts", "; is it a kubeconfig?");
    let context = |rest: &str| format!("current-context: here\ncontexts: [{{name: {rest}}}]\n");
    written(&context("a"), "has no context \"here\" (it knows a)", "; choose one that is there");
    let lost = context("here, context: {cluster: c, user: me}");
    let what = "context \"here\" of ";
    written(
        &lost,
        what,
        "the cluster \"c\", which is not there (it knows none); add it, or name another",
    );
    let nobody = format!("{lost}clusters: [{{name: c}}]");
    written(
        &nobody,
        what,
        "the user \"me\", which is not there (it knows none); add it, or name another",
    );
    written(
        "contexts: [{name: a}]",
        "sets no current-context; choose one with --context",
        "(it knows a)",
    );
    std::fs::write(&path, b"\xff\xfea").unwrap();
    told("it is neither UTF-8 nor UTF-16", "; save it as UTF-8");
}

/// What is seen only when credentials are needed.
#[tokio::test]
async fn credentials_that_are_not_to_be_had_are_told_with_their_mend() {
    let folder = folder("mends-credentials");
    std::fs::write(folder.join("empty"), "").unwrap();
    let exec = |plugin: &str| {
        format!(
            "exec: {{apiVersion: client.authentication.k8s.io/v1, {plugin}, interactiveMode: Never}}"
        )
    };
    for (user, what, mend) in [
        ("tokenFile: gone", "cannot read the token file /", UNREADABLE),
        ("tokenFile: empty", "empty is empty", "; write a token into it"),
        (&exec("command: /no/such"), "is not installed, or not in PATH", "; install it"),
        (&exec("command: /"), "cannot be started", "; may this program run it?"),
        (&exec("command: 'false'"), "failed", "; run it by hand to see why"),
        (
            &exec("command: 'true'"),
            "printed no ExecCredential",
            "; run it by hand to see, and update it",
        ),
    ] {
        let path = kubeconfig(&folder, "server: 'http://127.0.0.1:1'", user);
        let config = Config::from_kubeconfig(&options(path.clone())).unwrap();
        let text = verified(config).await.unwrap_err().to_string();
        told(&text, &path, USER, (what, mend));
    }
}
