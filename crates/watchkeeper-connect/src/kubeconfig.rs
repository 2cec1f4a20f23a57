//! Kubeconfig files: read, merged, and one context chosen (upstream: `tools/clientcmd`).
//!
//! serde structs stay behind this module; what leaves it is plain values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use watchkeeper_api::Result;

use crate::Options;
use crate::say;

mod edit;
#[cfg(test)]
mod entries;
#[cfg(test)]
mod fuzzed;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use edit::with_provider_fields;

/// One file, or several merged.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Kubeconfig {
    #[serde(deserialize_with = "named")]
    pub(crate) clusters: Vec<NamedCluster>,
    #[serde(deserialize_with = "named")]
    pub(crate) users: Vec<NamedUser>,
    #[serde(deserialize_with = "named")]
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
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct Cluster {
    #[serde(deserialize_with = "or_default")]
    pub(crate) server: String,
    pub(crate) tls_server_name: Option<String>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) insecure_skip_tls_verify: bool,
    pub(crate) certificate_authority: Option<PathBuf>,
    pub(crate) certificate_authority_data: Option<String>,
    pub(crate) proxy_url: Option<String>,
    #[serde(deserialize_with = "or_default")]
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
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Extension {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) extension: serde_json::Value,
}

/// Who calls. Its debug output is in no error: it holds secrets.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
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
    #[serde(deserialize_with = "or_defaults")]
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
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct AuthProvider {
    #[serde(deserialize_with = "or_default")]
    pub(crate) name: String,
    #[serde(deserialize_with = "or_defaults")]
    pub(crate) config: BTreeMap<String, String>,
    #[serde(skip)]
    pub(crate) place: Option<ProviderPlace>,
}

/// Where an [`AuthProvider`] is written: the user of this name in this file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProviderPlace {
    pub(crate) file: PathBuf,
    pub(crate) user: String,
}

/// A program that prints credentials (upstream: `ExecConfig`).
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Exec {
    #[serde(deserialize_with = "or_default")]
    pub(crate) api_version: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) command: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) args: Vec<String>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) env: Vec<EnvVar>,
    pub(crate) install_hint: Option<String>,
    pub(crate) interactive_mode: Option<String>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) provide_cluster_info: bool,
}

#[derive(Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct EnvVar {
    pub(crate) name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) value: String,
}

/// Who calls which server.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Context {
    #[serde(deserialize_with = "or_default")]
    pub(crate) cluster: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) user: String,
    pub(crate) namespace: Option<String>,
}

/// An entry of a list that is looked up by name.
trait Named {
    fn name(&self) -> &str;
}

impl Named for NamedCluster {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for NamedUser {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for NamedContext {
    fn name(&self) -> &str {
        &self.name
    }
}

/// Adds the entries whose names are not there yet.
fn add<T: Named>(entries: &mut Vec<T>, later: Vec<T>) {
    let names: BTreeSet<String> = entries.iter().map(|entry| entry.name().to_owned()).collect();
    entries.extend(later.into_iter().filter(|entry| !names.contains(entry.name())));
}

/// A list in which no name stands twice: nobody can know which is meant (upstream:
/// `Convert_Slice_v1_NamedAuthInfo_To_Map_string_To_Pointer_api_AuthInfo`).
fn named<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Named + Deserialize<'de>,
{
    let entries: Vec<T> = or_default(deserializer)?;
    let mut names = BTreeSet::new();
    match entries.iter().map(T::name).find(|name| !names.insert(*name)) {
        None => Ok(entries),
        Some(twice) => {
            Err(D::Error::custom(format!("two entries are named {twice:?}; remove or rename one")))
        }
    }
}

/// As [`or_default`], and so are the values.
fn or_defaults<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    let all: BTreeMap<String, Option<T>> = or_default(deserializer)?;
    Ok(all.into_iter().map(|(key, value)| (key, value.unwrap_or_default())).collect())
}

/// What is `null` is not there, as Go has it, which writes empty lists so.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// What a context names, looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) context: String,
    pub(crate) cluster_name: String,
    pub(crate) user_name: String,
    pub(crate) cluster: Cluster,
    pub(crate) user: User,
    pub(crate) namespace: Option<String>,
}

impl Kubeconfig {
    /// Reads one file. Paths in it are relative to where it is, and become absolute: files are read again, when the
    /// program may be in another folder (upstream: `ResolveLocalPaths`).
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path)
            .map_err(|error| say!(
                "cannot read the kubeconfig {}: {error}; is the path right, and may this program read it?",
                path.display()
            ))?;
        let mut config = decoded(bytes)
            .and_then(|text| Self::parse(&text))
            .map_err(|what| say!("the kubeconfig {} is malformed: {what}", path.display()))?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        for NamedUser { name, user } in &mut config.users {
            if let Some(provider) = &mut user.auth_provider {
                let place = ProviderPlace { file: path.clone(), user: name.clone() };
                provider.place = Some(place);
            }
        }
        config.resolve_paths(path.parent().unwrap_or_else(|| Path::new("")));
        Ok(config)
    }

    /// Of YAML or JSON. Several documents are as several files. The error tells the line; never the text around it,
    /// which may be a secret.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut merged = Self::default();
        for document in documents(text)? {
            merged = merged.merge(document.read(text).map_err(|misfit| misfit.to_string())?);
        }
        Ok(merged)
    }

    /// Merges files: of each list entry and value, the first file that has it wins.
    pub(crate) fn merge(mut self, later: Self) -> Self {
        add(&mut self.clusters, later.clusters);
        add(&mut self.users, later.users);
        add(&mut self.contexts, later.contexts);
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
        let name = options.context.as_deref().unwrap_or(&self.current_context);
        let Context { cluster: cluster_name, user: user_name, namespace } =
            self.context(name, options, origin)?;
        let cluster_name = options.cluster.as_ref().unwrap_or(&cluster_name);
        let user_name = options.user.as_ref().unwrap_or(&user_name);
        let namespace = options.namespace.clone().or(namespace);
        let cluster = self.clusters.iter().find(|c| c.name == *cluster_name);
        let cluster = match cluster {
            Some(cluster) => cluster.cluster.clone(),
            // Its server is all that is said of it.
            None if cluster_name.is_empty() && options.master.is_some() => Cluster::default(),
            None => {
                let known = listing(self.clusters.iter().map(|c| c.name.as_str()));
                return Err(match name {
                    "" => say!(
                        "{origin} has no cluster {cluster_name:?} ({known}); choose one that is there"
                    ),
                    _ => say!(
                        "context {name:?} of {origin} names the cluster {cluster_name:?}, which is not there ({known}); \
                         add it, or name another"
                    ),
                });
            }
        };
        let user = match self.users.iter().find(|u| u.name == *user_name) {
            Some(user) => user.user.clone(),
            None if user_name.is_empty() => User::default(),
            None => {
                let known = listing(self.users.iter().map(|u| u.name.as_str()));
                return Err(match name {
                    "" => say!(
                        "{origin} has no user {user_name:?} ({known}); choose one that is there"
                    ),
                    _ => say!(
                        "context {name:?} of {origin} names the user {user_name:?}, which is not there ({known}); add \
                         it, or name another"
                    ),
                });
            }
        };
        Ok(Chosen {
            context: name.to_owned(),
            cluster_name: cluster_name.clone(),
            user_name: user_name.clone(),
            cluster,
            user,
            namespace: namespace.filter(|namespace| !namespace.is_empty()),
        })
    }

    /// The context of this name. Where the caller says which server, there need not be one (upstream:
    /// `DirectClientConfig.getContext`).
    fn context(&self, name: &str, options: &Options, origin: &str) -> Result<Context> {
        if name.is_empty() && (options.cluster.is_some() || options.master.is_some()) {
            return Ok(Context::default());
        }
        if self.contexts.is_empty() {
            return Err(say!("{origin} has no contexts; is it a kubeconfig?"));
        }
        let known = || listing(self.contexts.iter().map(|c| c.name.as_str()));
        if name.is_empty() {
            return Err(say!(
                "{origin} sets no current-context; choose one with --context ({})",
                known()
            ));
        }
        let named = self.contexts.iter().find(|c| c.name == name);
        let named = named.ok_or_else(|| {
            say!("{origin} has no context {name:?} ({}); choose one that is there", known())
        })?;
        Ok(named.context.clone())
    }
}

/// What the text of a file says of the `auth-provider` of this user. No error tells a value.
pub(crate) fn provider(text: &str, user: &str) -> Result<AuthProvider, String> {
    let config = Kubeconfig::parse(text).map_err(|_| "it is no kubeconfig any more".to_owned())?;
    let named = config.users.into_iter().find(|named| named.name == user);
    let named = named.ok_or_else(|| format!("the user {user:?} is not there any more"))?;
    let provider = named.user.auth_provider.filter(|provider| provider.name == "oidc");
    provider.ok_or_else(|| format!("the user {user:?} has no auth-provider \"oidc\" any more"))
}

/// What the text says in YAML, if that is of this type.
pub(crate) fn yaml<T: DeserializeOwned>(text: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(text).ok()?;
    documents(text).ok()?.first()?.read(text).ok()
}

/// The text of a file: UTF-8, or UTF-16 as PowerShell writes it, which says so with its first two bytes.
fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let (units, rest) = bytes[2..].as_chunks();
        let units: Vec<_> = units.iter().map(|bytes| unit(*bytes)).collect();
        rest.is_empty().then(|| String::from_utf16(&units).ok()).flatten()
    };
    let text = match &bytes[..] {
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        _ => String::from_utf8(bytes).ok(),
    };
    text.ok_or_else(|| "it is neither UTF-8 nor UTF-16; save it as UTF-8".to_owned())
}

/// The documents of the text, each as a tree. The error tells the line.
fn documents(text: &str) -> Result<Vec<tree::Node>, String> {
    serde_saphyr::from_multiple_with_options(text, limits(text)).map_err(|error| {
        match error.location() {
            Some(place) => {
                let place = format!("line {}, column {}", place.line(), place.column());
                let what = what(&error);
                let what = what.strip_suffix(&format!(" at {place}")).unwrap_or(&what);
                format!("{place}: {what}; correct it there")
            }
            None => format!("{}; correct it", what(&error)),
        }
    })
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
