//! Kubeconfig files: read, merged, and one context chosen (upstream: `tools/clientcmd`).
//!
//! serde structs stay behind this module; what leaves it is plain values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};
use watchkeeper_api::Result;

use crate::Options;
use crate::say;

#[cfg(test)]
mod entries;
#[cfg(test)]
mod fuzzed;
#[cfg(test)]
mod tests;

/// One file, or several merged.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Kubeconfig {
    #[serde(deserialize_with = "or_default")]
    pub(crate) clusters: Vec<NamedCluster>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) users: Vec<NamedUser>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) contexts: Vec<NamedContext>,
    #[serde(rename = "current-context", deserialize_with = "or_default")]
    pub(crate) current_context: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NamedCluster {
    pub(crate) name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) cluster: Cluster,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NamedUser {
    pub(crate) name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) user: User,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NamedContext {
    pub(crate) name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) context: Context,
}

/// Where a server is and how to know it. Its proxy may want a password.
#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct Cluster {
    pub(crate) server: String,
    pub(crate) tls_server_name: Option<String>,
    pub(crate) insecure_skip_tls_verify: bool,
    pub(crate) certificate_authority: Option<PathBuf>,
    pub(crate) certificate_authority_data: Option<String>,
    pub(crate) proxy_url: Option<String>,
    pub(crate) disable_compression: bool,
    #[serde(deserialize_with = "or_default")]
    pub(crate) extensions: Vec<Extension>,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cluster(…)")
    }
}

/// What others keep with a cluster.
#[derive(Clone, Deserialize)]
pub(crate) struct Extension {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) extension: serde_json::Value,
}

/// Who calls. Its debug output is in no error: it holds secrets.
#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct User {
    pub(crate) client_certificate: Option<PathBuf>,
    pub(crate) client_certificate_data: Option<String>,
    pub(crate) client_key: Option<PathBuf>,
    pub(crate) client_key_data: Option<String>,
    pub(crate) token: Option<String>,
    #[serde(rename = "tokenFile")]
    pub(crate) token_file: Option<PathBuf>,
    pub(crate) username: Option<String>,
    pub(crate) password: Option<String>,
    #[serde(rename = "as")]
    pub(crate) impersonate: Option<String>,
    pub(crate) as_uid: Option<String>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) as_groups: Vec<String>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) as_user_extra: BTreeMap<String, Vec<String>>,
    pub(crate) auth_provider: Option<AuthProvider>,
    pub(crate) exec: Option<Exec>,
}

impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("User(…)")
    }
}

/// The plugins of before: `oidc` is left, the others are known only to say what replaces them. Its debug output
/// is in no error: it holds secrets.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AuthProvider {
    pub(crate) name: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) config: BTreeMap<String, String>,
    /// Where this is written.
    #[serde(skip)]
    pub(crate) file: Option<PathBuf>,
}

/// A program that prints credentials (upstream: `ExecConfig`).
#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Exec {
    pub(crate) api_version: String,
    pub(crate) command: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) args: Vec<String>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) env: Vec<EnvVar>,
    pub(crate) install_hint: Option<String>,
    pub(crate) interactive_mode: Option<String>,
    pub(crate) provide_cluster_info: bool,
}

#[derive(Clone, Deserialize)]
pub(crate) struct EnvVar {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// Who calls which server.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Context {
    pub(crate) cluster: String,
    pub(crate) user: String,
    pub(crate) namespace: Option<String>,
}

/// Go writes empty lists as `null`.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// What a context names, looked up.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub(crate) context: String,
    pub(crate) user_name: String,
    pub(crate) cluster: Cluster,
    pub(crate) user: User,
    pub(crate) namespace: Option<String>,
}

impl Kubeconfig {
    /// Reads one file. Paths in it become relative to where it is.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| say!("cannot read the kubeconfig {}: {error}", path.display()))?;
        let mut config = Self::parse(&text)
            .map_err(|what| say!("the kubeconfig {} is malformed: {what}", path.display()))?;
        for provider in
            config.users.iter_mut().filter_map(|named| named.user.auth_provider.as_mut())
        {
            provider.file = Some(path.to_owned());
        }
        config.resolve_paths(path.parent().unwrap_or_else(|| Path::new("")));
        Ok(config)
    }

    /// Of YAML or JSON. The error tells the line; never the text around it, which may be a secret.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        serde_saphyr::from_str_with_options(text, limits(text)).map_err(|error| {
            match error.location() {
                Some(place) => {
                    let place = format!("line {}, column {}", place.line(), place.column());
                    let what = what(&error);
                    let what = what.strip_suffix(&format!(" at {place}")).unwrap_or(&what);
                    format!("{place}: {what}")
                }
                None => what(&error),
            }
        })
    }

    /// Merges files: of each list entry and value, the first file that has it wins.
    pub(crate) fn merge(mut self, later: Self) -> Self {
        for cluster in later.clusters {
            if !self.clusters.iter().any(|known| known.name == cluster.name) {
                self.clusters.push(cluster);
            }
        }
        for user in later.users {
            if !self.users.iter().any(|known| known.name == user.name) {
                self.users.push(user);
            }
        }
        for context in later.contexts {
            if !self.contexts.iter().any(|known| known.name == context.name) {
                self.contexts.push(context);
            }
        }
        if self.current_context.is_empty() {
            self.current_context = later.current_context;
        }
        self
    }

    fn resolve_paths(&mut self, folder: &Path) {
        let clusters = self.clusters.iter_mut().map(|c| &mut c.cluster.certificate_authority);
        let users = self.users.iter_mut().flat_map(|named| {
            let user = &mut named.user;
            [&mut user.client_certificate, &mut user.client_key, &mut user.token_file]
        });
        for path in clusters.chain(users).flatten().filter(|path| !path.as_os_str().is_empty()) {
            *path = folder.join(&*path);
        }
        let plugins = self.users.iter_mut().filter_map(|named| named.user.exec.as_mut());
        for exec in plugins.filter(|exec| is_relative_path(&exec.command)) {
            exec.command = folder.join(&exec.command).to_string_lossy().into_owned();
        }
    }

    /// What the context of `options`, or the current one, names; what else they say wins.
    pub(crate) fn choose(&self, options: &Options, origin: &str) -> Result<Chosen> {
        if self.contexts.is_empty() {
            return Err(say!("{origin} has no contexts; is it a kubeconfig?"));
        }
        let name = options.context.as_deref().unwrap_or(&self.current_context);
        let known = || listing(self.contexts.iter().map(|c| c.name.as_str()));
        if name.is_empty() {
            return Err(say!(
                "{origin} sets no current-context; choose one with --context ({})",
                known()
            ));
        }
        let Some(named) = self.contexts.iter().find(|c| c.name == name) else {
            return Err(say!("{origin} has no context {name:?} ({})", known()));
        };
        let Context { cluster: cluster_name, user: user_name, namespace } = &named.context;
        let cluster_name = options.cluster.as_ref().unwrap_or(cluster_name);
        let user_name = options.user.as_ref().unwrap_or(user_name);
        let namespace = options.namespace.as_ref().or(namespace.as_ref());
        let cluster = self.clusters.iter().find(|c| c.name == *cluster_name).ok_or_else(|| {
            let known = listing(self.clusters.iter().map(|c| c.name.as_str()));
            say!("context {name:?} of {origin} names the cluster {cluster_name:?}, which is not there ({known})")
        })?;
        let user = match self.users.iter().find(|u| u.name == *user_name) {
            Some(user) => user.user.clone(),
            None if user_name.is_empty() => User::default(),
            None => {
                let known = listing(self.users.iter().map(|u| u.name.as_str()));
                return Err(say!(
                    "context {name:?} of {origin} names the user {user_name:?}, which is not there ({known})"
                ));
            }
        };
        Ok(Chosen {
            context: name.to_owned(),
            user_name: user_name.clone(),
            cluster: cluster.cluster.clone(),
            user,
            namespace: namespace.cloned().filter(|namespace| !namespace.is_empty()),
        })
    }
}

/// Aliases repeat what they name; with them a text may become eight times as long as it is.
fn limits(text: &str) -> serde_saphyr::Options {
    let most = text.len().saturating_mul(8).saturating_add(1_024);
    let budget = serde_saphyr::budget! {
        max_nodes: most.min(250_000),
        max_total_scalar_bytes: most,
        max_recorded_anchor_events: most,
        max_recorded_anchor_bytes: most,
    };
    let aliases = serde_saphyr::alias_limits! { max_total_replayed_events: most };
    serde_saphyr::options! { budget: budget, alias_limits: aliases }
}

/// The error without its snippet of the file.
fn what(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

/// A command with a slash is a path; without one it is searched for.
fn is_relative_path(command: &str) -> bool {
    command.contains(std::path::MAIN_SEPARATOR) && Path::new(command).is_relative()
}

fn listing<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        "it knows none".to_owned()
    } else {
        format!("it knows {}", names.join(", "))
    }
}
