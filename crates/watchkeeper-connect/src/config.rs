//! What it takes to connect, gathered.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use rustls_pki_types::ServerName;
use watchkeeper_api::Result;
use watchkeeper_client::Client;

use crate::auth::{Auth, TokenFile};
use crate::exec::Plugin;
use crate::files::{default_paths, in_cluster};
use crate::kubeconfig::{Chosen, Cluster, Kubeconfig, User};
use crate::say;
use crate::service::{Connection, Inner};
use crate::tls::{Identity, Trust, certificates};

/// Which kubeconfig, and what of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// This file, and no other. Else those of `KUBECONFIG`, else `~/.kube/config`.
    pub path: Option<PathBuf>,
    /// This context instead of the current one.
    pub context: Option<String>,
    /// This server instead of the context's; alone, a server without authentication.
    pub master: Option<String>,
}

/// A server and who calls it: read, checked, not yet connected.
pub struct Config {
    inner: Inner,
    user: String,
    namespace: Option<String>,
}

impl Config {
    /// From kubeconfig files (upstream: `clientcmd.BuildConfigFromFlags`).
    ///
    /// # Errors
    /// A file that cannot be read or is malformed, a context that is not there, credentials that are none.
    /// Each names the file, the context and the mend.
    pub fn from_kubeconfig(options: &Options) -> Result<Self> {
        let paths = match &options.path {
            Some(path) => vec![path.clone()],
            None => default_paths(),
        };
        let must_exist = options.path.is_some();
        Self::from_paths(&paths, must_exist, options)
    }

    /// From the service account of the pod that this runs in (upstream: `rest.InClusterConfig`).
    ///
    /// # Errors
    /// When it runs in none.
    pub fn in_cluster() -> Result<Self> {
        let pod = in_cluster()?;
        let mut config = Self::bare(&pod.server, "the pod's service account".to_owned())?;
        config.inner.trust = trust_file(&pod.ca)?;
        config.inner.auth = Auth::TokenFile(TokenFile::new(pod.token));
        config.namespace = pod.namespace;
        Ok(config)
    }

    /// From kubeconfig files if there are any, else from the pod that this runs in.
    ///
    /// # Errors
    /// As of both; with neither at hand, a sentence that says so.
    pub fn infer() -> Result<Self> {
        let paths = default_paths();
        if paths.iter().any(|path| path.exists()) {
            return Self::from_paths(&paths, false, &Options::default());
        }
        Self::in_cluster().map_err(|_| {
            say!(
                "there is no kubeconfig ({}) and this does not run in a pod; set KUBECONFIG to one",
                listed(&paths)
            )
        })
    }

    fn from_paths(paths: &[PathBuf], must_exist: bool, options: &Options) -> Result<Self> {
        let mut merged = Kubeconfig::default();
        let mut read = Vec::new();
        for path in paths.iter().filter(|path| must_exist || path.exists()) {
            merged = merged.merge(Kubeconfig::read(path)?);
            read.push(path.clone());
        }
        if let (true, Some(master)) = (read.is_empty(), &options.master) {
            return Self::bare(master, "--master".to_owned());
        }
        if read.is_empty() {
            return Err(say!("there is no kubeconfig ({}); pass --kubeconfig", listed(paths)));
        }
        Self::chosen(&merged, options, &listed(&read))
    }

    fn chosen(merged: &Kubeconfig, options: &Options, files: &str) -> Result<Self> {
        let mut chosen = merged.choose(options.context.as_deref(), files)?;
        if let Some(master) = &options.master {
            chosen.cluster.server.clone_from(master);
        }
        let Chosen { context, user_name, cluster, user, namespace } = chosen;
        let origin = format!("context {context:?} of {files}");
        if cluster.server.is_empty() {
            return Err(say!("the cluster of {origin} has no server"));
        }
        if let Some(proxy) = cluster.proxy_url.as_deref().filter(|proxy| !proxy.is_empty()) {
            return Err(say!(
                "{origin} goes through the proxy {}; proxies are not supported yet",
                without_password(proxy)
            ));
        }
        let mut config = Self::bare(&cluster.server, origin.clone())?;
        config.inner.trust = trust(&cluster).map_err(|what| say!("{origin}: {what}"))?;
        config.inner.server_name =
            server_name(&cluster).map_err(|what| say!("{origin}: {what}"))?;
        let who = |what: String| say!("user {user_name:?} in {origin}: {what}");
        config.inner.identity = identity(&user).map_err(who)?;
        config.inner.auth = auth(&user, &cluster).map_err(who)?;
        config.inner.headers = impersonation(&user).map_err(who)?;
        config.user = user_name;
        config.namespace = namespace;
        Ok(config)
    }

    /// A server and nothing else.
    fn bare(server: &str, origin: String) -> Result<Self> {
        let inner = Inner {
            server: address(server).map_err(|what| say!("{origin}: {what}"))?,
            trust: Trust::Machine,
            server_name: None,
            identity: None,
            auth: Auth::None,
            headers: HeaderMap::new(),
            origin,
            pools: Mutex::default(),
        };
        Ok(Self { inner, user: String::new(), namespace: None })
    }

    /// The server's address.
    #[must_use]
    pub const fn server(&self) -> &Uri {
        &self.inner.server
    }

    /// The namespace that the context, or the pod, is about.
    #[must_use]
    pub fn default_namespace(&self) -> &str {
        self.namespace.as_deref().unwrap_or("default")
    }

    /// Where this comes from, for messages: `context "a" of /home/me/.kube/config`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.inner.origin
    }

    /// The name of the kubeconfig's user; empty where there is none.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Gets credentials, however long it takes: a plugin may ask a person. After this a client's calls find
    /// them at hand.
    pub(crate) async fn log_in(&self) -> Result<()> {
        let origin = &self.inner.origin;
        let got = self.inner.auth.credentials().await;
        got.map(|_| ()).map_err(|error| say!("{origin}: {error}"))
    }

    /// A client that connects when it is first used.
    ///
    /// # Errors
    /// When the certificates and keys do not fit together.
    pub fn client(self) -> Result<Client> {
        Ok(Client::new(Connection::open(self.inner)?))
    }
}

/// Tells the server and the origin, never the credentials.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Config({}, {})", self.inner.server, self.inner.origin)
    }
}

/// `host:port` means http, as with kubectl.
fn address(server: &str) -> Result<Uri, String> {
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
fn without_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (authority, _) = rest.split_once(['/', '?', '#']).unwrap_or((rest, ""));
    let Some(at) = authority.rfind('@') else { return url.to_owned() };
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    format!("{scheme}{}", &rest[at + 1..])
}

fn trust(cluster: &Cluster) -> Result<Trust, String> {
    if cluster.insecure_skip_tls_verify {
        return Ok(Trust::Anybody);
    }
    let data = cluster.certificate_authority_data.as_deref();
    match material("certificate-authority", data, cluster.certificate_authority.as_deref())? {
        None => Ok(Trust::Machine),
        Some(pem) => certificates(&pem)
            .map(Trust::Roots)
            .map_err(|what| format!("certificate-authority is no certificate: {what}")),
    }
}

fn trust_file(path: &Path) -> Result<Trust> {
    let pem = std::fs::read(path)
        .map_err(|error| say!("cannot read the pod's {}: {error}", path.display()))?;
    let roots = certificates(&pem);
    Ok(Trust::Roots(roots.map_err(|what| say!("the pod's {}: {what}", path.display()))?))
}

fn server_name(cluster: &Cluster) -> Result<Option<ServerName<'static>>, String> {
    let name = cluster.tls_server_name.as_deref().filter(|name| !name.is_empty());
    name.map(|name| {
        ServerName::try_from(name.to_owned())
            .map_err(|_| format!("tls-server-name {name:?} is no host"))
    })
    .transpose()
}

fn identity(user: &User) -> Result<Option<Identity>, String> {
    let (data, file) =
        (user.client_certificate_data.as_deref(), user.client_certificate.as_deref());
    let certificate = material("client-certificate", data, file)?;
    let (data, file) = (user.client_key_data.as_deref(), user.client_key.as_deref());
    let key = material("client-key", data, file)?;
    match (certificate, key) {
        (Some(certificate), Some(key)) => Identity::from_pem(&certificate, &key).map(Some),
        (None, None) => Ok(None),
        (Some(_), None) => Err("client-certificate without client-key".to_owned()),
        (None, Some(_)) => Err("client-key without client-certificate".to_owned()),
    }
}

/// Data in the file wins over a file it names, as upstream has it.
fn material(
    what: &str,
    data: Option<&str>,
    file: Option<&Path>,
) -> Result<Option<Vec<u8>>, String> {
    if let Some(data) = data.filter(|data| !data.is_empty()) {
        let compact: String = data.split_whitespace().collect();
        let decoded = BASE64.decode(compact);
        return decoded.map(Some).map_err(|_| format!("{what}-data is not base64"));
    }
    let Some(path) = file.filter(|path| !path.as_os_str().is_empty()) else { return Ok(None) };
    let read = std::fs::read(path);
    read.map(Some).map_err(|error| format!("cannot read {what} {}: {error}", path.display()))
}

/// The first of: token file, token, name and password, plugin (upstream: `getUserIdentificationPartialConfig`).
fn auth(user: &User, cluster: &Cluster) -> Result<Auth, String> {
    if let Some(path) = user.token_file.as_ref().filter(|path| !path.as_os_str().is_empty()) {
        return Ok(Auth::TokenFile(TokenFile::new(path.clone())));
    }
    if let Some(token) = user.token.as_deref().filter(|token| !token.is_empty()) {
        return Auth::bearer(token).map_err(|what| format!("its token is none: {what}"));
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
        Some(old) => Err(format!(
            "the auth-provider {:?} was removed from Kubernetes; use its exec plugin",
            old.name
        )),
    }
}

/// What a plugin may learn of the cluster.
fn told(cluster: &Cluster) -> Result<serde_json::Value, String> {
    let data = cluster.certificate_authority_data.as_deref();
    let ca = material("certificate-authority", data, cluster.certificate_authority.as_deref())?;
    Ok(serde_json::json!({
        "server": cluster.server,
        "tls-server-name": cluster.tls_server_name.as_deref().unwrap_or_default(),
        "insecure-skip-tls-verify": cluster.insecure_skip_tls_verify,
        "certificate-authority-data": ca.map(|ca| BASE64.encode(ca)).unwrap_or_default(),
    }))
}

fn impersonation(user: &User) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    let groups = user.as_groups.iter().map(|group| ("impersonate-group", group));
    let single = [("impersonate-user", &user.impersonate), ("impersonate-uid", &user.as_uid)];
    let single = single.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    let named = single.chain(groups).map(|(name, value)| (name.to_owned(), value));
    let extra = user.as_user_extra.iter().flat_map(|(key, values)| {
        let name = format!("impersonate-extra-{}", header_key(key));
        values.iter().map(move |value| (name.clone(), value))
    });
    for (name, value) in named.chain(extra) {
        let value = HeaderValue::from_str(value)
            .map_err(|_| format!("{name} {value:?} holds characters that no header may"))?;
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| format!("{name} is no name of a header"))?;
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

fn listed(paths: &[PathBuf]) -> String {
    let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests;
