//! Who calls, from what the kubeconfig says of the user.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::auth::{Auth, TokenFile, bearer};
use crate::certs::{Sources, Trusted};
use crate::exec::Plugin;
use crate::kubeconfig::{Cluster, User};
use crate::oidc::Oidc;
use crate::pem::Pem;

/// Under this name a cluster's extension holds what its exec plugin is to know (upstream:
/// `clientcmd`, `execConfigKey`).
const EXEC_EXTENSION: &str = "client.authentication.k8s.io/exec";

/// What is to hold PEM text in base64 and does not.
pub(crate) fn not_base64(what: &str) -> String {
    format!("{what}-data is not base64; encode the PEM text so, or name its file as {what}")
}

pub(super) fn trust(cluster: &Cluster) -> Result<Trusted, String> {
    if cluster.insecure_skip_tls_verify {
        // Upstream: `transport.TLSConfigFor`.
        return match names_authority(cluster) {
            false => Ok(Trusted::Anybody),
            true => {
                Err("insecure-skip-tls-verify beside a certificate-authority: remove one of them"
                    .to_owned())
            }
        };
    }
    let data = cluster.certificate_authority_data.as_deref();
    let pem = material("certificate-authority", data, cluster.certificate_authority.as_deref())?;
    Ok(pem.map_or(Trusted::Machine, Trusted::Roots))
}

fn names_authority(cluster: &Cluster) -> bool {
    is_said(cluster.certificate_authority_data.as_deref(), cluster.certificate_authority.as_deref())
}

fn is_said(data: Option<&str>, file: Option<&Path>) -> bool {
    data.is_some_and(|data| !data.is_empty())
        || file.is_some_and(|file| !file.as_os_str().is_empty())
}

/// Whether a server whose address has no scheme is one with TLS.
pub(super) fn speaks_tls(cluster: &Cluster, user: &User) -> bool {
    let (data, file) = (&user.client_certificate_data, &user.client_certificate);
    cluster.insecure_skip_tls_verify
        || names_authority(cluster)
        || is_said(data.as_deref(), file.as_deref())
}

pub(super) fn identity(user: &User) -> Result<Option<Sources>, String> {
    let (data, file) =
        (user.client_certificate_data.as_deref(), user.client_certificate.as_deref());
    let certificate = material("client-certificate", data, file)?;
    let (data, file) = (user.client_key_data.as_deref(), user.client_key.as_deref());
    let key = material("client-key", data, file)?;
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some(Sources { certificate, key })),
        (None, None) => Ok(None),
        (Some(_), None) => Err("client-certificate without client-key; add its key".to_owned()),
        (None, Some(_)) => {
            Err("client-key without client-certificate; add it, or remove the key".to_owned())
        }
    }
}

/// Data in the kubeconfig wins over a file it names, as upstream has it.
fn material(
    what: &'static str,
    data: Option<&str>,
    file: Option<&Path>,
) -> Result<Option<Pem>, String> {
    if let Some(data) = data.filter(|data| !data.is_empty()) {
        let compact: String = data.split_whitespace().collect();
        let decoded = BASE64.decode(compact);
        let decoded = decoded.map_err(|_| not_base64(what))?;
        return Ok(Some(Pem::data(what, decoded)));
    }
    let path = file.filter(|path| !path.as_os_str().is_empty());
    Ok(path.map(|path| Pem::file(what, path.to_owned())))
}

/// The first of: token file, token, name and password, plugin (upstream: `getUserIdentificationPartialConfig`).
pub(super) fn auth(user: &User, cluster: &Cluster) -> Result<Auth, String> {
    let token = user.token.as_deref().filter(|token| !token.is_empty());
    let token = token.map(bearer).transpose();
    let token = token.map_err(|what| format!("its token is none: {what}"))?;
    if let Some(path) = user.token_file.as_ref().filter(|path| !path.as_os_str().is_empty()) {
        return Ok(Auth::TokenFile(TokenFile::new(path.clone(), token)));
    }
    if let Some(token) = token {
        return Ok(Auth::Header(token));
    }
    if let Some(name) = user.username.as_deref().filter(|name| !name.is_empty()) {
        let password = user.password.as_deref().unwrap_or_default();
        return Auth::basic(name, password).map_err(|what| format!("its password: {what}"));
    }
    if let Some(exec) = &user.exec {
        let plugin = Plugin::new(exec.clone(), told(cluster)?)?;
        return Ok(Auth::Exec(Box::new(plugin)));
    }
    match &user.auth_provider {
        None => Ok(Auth::None),
        Some(oidc) if oidc.name == "oidc" => Oidc::new(oidc).map(|oidc| Auth::Oidc(Box::new(oidc))),
        Some(old) => Err(replaced(&old.name)),
    }
}

/// What to use instead of a plugin that Kubernetes removed in 1.26.
fn replaced(name: &str) -> String {
    let mend = match name {
        "gcp" => {
            "its exec plugin is gke-gcloud-auth-plugin: install it, then run `gcloud container clusters \
             get-credentials`"
        }
        "azure" => {
            "its exec plugin is kubelogin: install it, then run `kubelogin convert-kubeconfig`"
        }
        "openstack" => {
            "its exec plugin is client-keystone-auth: install it, and name it under exec instead"
        }
        _ => "use an exec plugin",
    };
    format!("the auth-provider {name:?} was removed from Kubernetes; {mend}")
}

/// What a plugin may learn of the cluster (upstream: `clientauthentication.Cluster`).
pub(super) fn told(cluster: &Cluster) -> Result<serde_json::Value, String> {
    let mut told = serde_json::json!({ "server": cluster.server });
    let texts = [("tls-server-name", &cluster.tls_server_name), ("proxy-url", &cluster.proxy_url)];
    for (name, text) in texts {
        if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
            told[name] = text.into();
        }
    }
    let flags = [
        ("insecure-skip-tls-verify", cluster.insecure_skip_tls_verify),
        ("disable-compression", cluster.disable_compression),
    ];
    for (name, flag) in flags.into_iter().filter(|(_, flag)| *flag) {
        told[name] = flag.into();
    }
    let data = cluster.certificate_authority_data.as_deref();
    let ca = material("certificate-authority", data, cluster.certificate_authority.as_deref())?;
    if let Some(ca) = ca {
        told["certificate-authority-data"] = BASE64.encode(ca.read()?).into();
    }
    let config = cluster.extensions.iter().find(|extension| extension.name == EXEC_EXTENSION);
    if let Some(config) = config {
        told["config"] = config.extension.clone();
    }
    Ok(told)
}

/// What is empty says nothing, as in upstream.
pub(super) fn impersonation(user: &User) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    let groups = user.as_groups.iter().map(|group| ("impersonate-group", group));
    let said = |text: &'_ &String| !text.is_empty();
    let (who, uid) = (user.impersonate.as_ref().filter(said), user.as_uid.as_ref().filter(said));
    let more = uid.is_some() || !user.as_groups.is_empty() || !user.as_user_extra.is_empty();
    if who.is_none() && more {
        return Err(
            "it says of whom it acts as a uid, groups or more, and not who that is; set as"
                .to_owned(),
        );
    }
    let single = [("impersonate-user", who), ("impersonate-uid", uid)];
    let single = single.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let named = single.chain(groups).map(|(name, value)| (name.to_owned(), value));
    let extra = user.as_user_extra.iter().flat_map(|(key, values)| {
        let name = format!("impersonate-extra-{}", header_key(key));
        values.iter().map(move |value| (name.clone(), value))
    });
    for (name, value) in named.chain(extra) {
        let value = HeaderValue::from_str(value).map_err(|_| {
            format!("{name} holds characters that no header may; write it on one line, in ASCII")
        })?;
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| format!("{name} is no name of a header; rename it"))?;
        headers.append(name, value);
    }
    Ok(headers)
}

/// A key as part of a header's name: what may not stand there, and `%` itself, is percent-encoded (upstream:
/// `transport.headerKeyEscape`).
fn header_key(key: &str) -> String {
    let mut name = String::new();
    for byte in key.bytes() {
        match byte {
            b'!' | b'#' | b'$' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`'
            | b'|' | b'~' => name.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => name.push(char::from(byte)),
            _ => name.extend(format!("%{byte:02X}").chars()),
        }
    }
    name
}
