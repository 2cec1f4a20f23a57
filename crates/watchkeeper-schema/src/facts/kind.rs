//! `kinds.facts`: kinds and their subresources.

use super::parse::{FactsError, Line, comma_list, lines};

/// A kind of the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindFacts {
    /// The API group; empty for core.
    pub group: String,
    /// The version, e.g. `v1`.
    pub version: String,
    /// The kind, e.g. `Deployment`.
    pub kind: String,
    /// The plural name in paths; empty for a kind that is no resource.
    pub plural: String,
    /// The singular name; empty for a kind that is no resource.
    pub singular: String,
    /// The scope, for a resource.
    pub scope: Option<Scope>,
    /// The model name of its struct.
    pub model: String,
    /// The kind of its lists.
    pub list_kind: Option<String>,
    /// The verbs that discovery shows.
    pub verbs: Vec<String>,
    /// Short names, e.g. `deploy`.
    pub short_names: Vec<String>,
    /// Categories, e.g. `all`.
    pub categories: Vec<String>,
    /// A server has the resource only when told to: its version is alpha or beta.
    pub off: bool,
    /// Subresources in the order of their names.
    pub subresources: Vec<Subresource>,
}

impl KindFacts {
    /// `v1` or `apps/v1`.
    #[must_use]
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// Whether the kind has a path of its own on a server with its default settings.
    #[must_use]
    pub fn is_resource(&self) -> bool {
        !self.plural.is_empty() && !self.off
    }
}

/// Whether objects of a kind live in a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In a namespace.
    Namespaced,
    /// In the cluster.
    Cluster,
}

/// A path below an object, e.g. `scale`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subresource {
    /// The last segment of the path.
    pub name: String,
    /// What it takes and gives.
    pub kind: VersionedKind,
    /// The verbs that discovery shows.
    pub verbs: Vec<String>,
}

/// A kind with its group and version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VersionedKind {
    /// The API group; empty for core.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
}

/// Reads the whole file.
pub(super) fn parse(text: &str) -> Result<Vec<KindFacts>, FactsError> {
    let mut kinds: Vec<KindFacts> = Vec::new();
    for mut line in lines("kinds.facts", text) {
        match (line.indented, line.expect("`kind` or ` sub`")?) {
            (false, "facts") => {}
            (false, "kind") => kinds.push(kind(&mut line)?),
            (true, "sub") => {
                let subresource = subresource(&mut line)?;
                let Some(of) = kinds.last_mut() else {
                    return Err(line.error("a subresource before the first kind"));
                };
                of.subresources.push(subresource);
            }
            _ => return Err(line.error("expected `kind` or ` sub`")),
        }
    }
    Ok(kinds)
}

/// `kind <group|core> <version> <Kind> <plural> <singular> <scope|-> <model> [attr…]`
fn kind(line: &mut Line<'_>) -> Result<KindFacts, FactsError> {
    let mut kind = KindFacts {
        group: group(line.expect("a group")?),
        version: line.expect("a version")?.to_owned(),
        kind: line.expect("a kind")?.to_owned(),
        plural: dash(line.expect("a plural or `-`")?),
        singular: dash(line.expect("a singular or `-`")?),
        ..KindFacts::default()
    };
    let token = line.expect("a scope or `-`")?;
    kind.scope = match token {
        "Namespaced" => Some(Scope::Namespaced),
        "Cluster" => Some(Scope::Cluster),
        "-" => None,
        _ => return Err(line.error(format_args!("unknown scope `{token}`"))),
    };
    kind.model = line.expect("a model name")?.to_owned();
    while let Some(attribute) = line.next() {
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        match name {
            "list" => kind.list_kind = Some(value.to_owned()).filter(|list| list != "-"),
            "verbs" => kind.verbs = comma_list(value),
            "short" => kind.short_names = comma_list(value),
            "categories" => kind.categories = comma_list(value),
            "off" => kind.off = true,
            _ => return Err(line.error(format_args!("unknown attribute `{attribute}`"))),
        }
    }
    Ok(kind)
}

/// ` sub <name> <group/version/Kind> verbs=…`
fn subresource(line: &mut Line<'_>) -> Result<Subresource, FactsError> {
    let name = line.expect("a subresource name")?.to_owned();
    let token = line.expect("group/version/Kind")?;
    let parts: Vec<&str> = token.split('/').collect();
    let kind = match parts[..] {
        [group_name, version, kind] => VersionedKind {
            group: group(group_name),
            version: version.to_owned(),
            kind: kind.to_owned(),
        },
        _ => return Err(line.error(format_args!("`{token}` is not group/version/Kind"))),
    };
    let mut verbs = Vec::new();
    while let Some(attribute) = line.next() {
        match attribute.split_once('=') {
            Some(("verbs", list)) => verbs = comma_list(list),
            _ => return Err(line.error(format_args!("unknown attribute `{attribute}`"))),
        }
    }
    Ok(Subresource { name, kind, verbs })
}

/// The core group has no name.
fn group(token: &str) -> String {
    if token == "core" { String::new() } else { token.to_owned() }
}

fn dash(token: &str) -> String {
    if token == "-" { String::new() } else { token.to_owned() }
}
