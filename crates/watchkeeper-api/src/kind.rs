//! What a kind of object is called, and where it lives on the server.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

/// A kind of object: its group and version, its names, its scope.
///
/// ```
/// use watchkeeper_api::{Kind, Scope};
/// const DEPLOYMENT: Kind = Kind::new("apps", "v1", "Deployment", "deployments", Scope::Namespaced);
/// assert_eq!(DEPLOYMENT.api_version(), "apps/v1");
/// assert_eq!(
///     DEPLOYMENT.path(Some("shop"), Some("web")),
///     "/apis/apps/v1/namespaces/shop/deployments/web",
/// );
/// assert_eq!(DEPLOYMENT.path(None, None), "/apis/apps/v1/deployments");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// The API group; empty for the core group.
    pub group: Cow<'static, str>,
    /// The version within the group.
    pub version: Cow<'static, str>,
    /// The name of the kind: `Deployment`.
    pub kind: Cow<'static, str>,
    /// The resource in URLs: `deployments`.
    pub plural: Cow<'static, str>,
    /// Whether its objects live in namespaces.
    pub scope: Scope,
}

/// Whether the objects of a kind live in namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Each object belongs to a namespace.
    Namespaced,
    /// The objects belong to the cluster.
    Cluster,
}

impl Kind {
    /// A kind whose names are known when the program is written.
    #[must_use]
    pub const fn new(
        group: &'static str,
        version: &'static str,
        kind: &'static str,
        plural: &'static str,
        scope: Scope,
    ) -> Self {
        Self {
            group: Cow::Borrowed(group),
            version: Cow::Borrowed(version),
            kind: Cow::Borrowed(kind),
            plural: Cow::Borrowed(plural),
            scope,
        }
    }

    /// A kind whose names come from outside, as `api_version` they are written in objects.
    #[must_use]
    pub fn dynamic(api_version: &str, kind: &str, plural: &str, scope: Scope) -> Self {
        let (group, version) = split(api_version);
        Self {
            group: Cow::Owned(group.to_owned()),
            version: Cow::Owned(version.to_owned()),
            kind: Cow::Owned(kind.to_owned()),
            plural: Cow::Owned(plural.to_owned()),
            scope,
        }
    }

    /// Group and version as objects state them: `apps/v1`, or `v1` for the core group.
    #[must_use]
    pub fn api_version(&self) -> Cow<'static, str> {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            Cow::Owned(format!("{}/{}", self.group, self.version))
        }
    }

    /// Resource and group as rules and names of definitions state them: `deployments.apps`, or
    /// `pods` for the core group.
    #[must_use]
    pub fn group_resource(&self) -> String {
        if self.group.is_empty() {
            self.plural.to_string()
        } else {
            format!("{}.{}", self.plural, self.group)
        }
    }

    /// Whether it is another version of the same kind.
    #[must_use]
    pub const fn is_version_of(&self, other: &Self) -> bool {
        same(&self.group, &other.group)
            && same(&self.kind, &other.kind)
            && same(&self.plural, &other.plural)
            && !same(&self.version, &other.version)
            && self.scope as u8 == other.scope as u8
    }

    /// The kind of a list of such objects: `DeploymentList`.
    #[must_use]
    pub fn list_kind(&self) -> String {
        format!("{}List", self.kind)
    }

    /// Whether its objects live in namespaces.
    #[must_use]
    pub fn is_namespaced(&self) -> bool {
        self.scope == Scope::Namespaced
    }

    /// Whether `api_version` and `kind`, as an object states them, mean this kind.
    #[must_use]
    pub fn is(&self, api_version: &str, kind: &str) -> bool {
        let (group, version) = split(api_version);
        self.kind == kind && self.version == version && self.group == group
    }

    /// The path of a collection (without `name`) or of an object. A namespace is left out for
    /// kinds of the cluster. Namespace and name are percent-encoded where needed.
    #[must_use]
    pub fn path(&self, namespace: Option<&str>, name: Option<&str>) -> String {
        let mut path = if self.group.is_empty() {
            format!("/api/{}", self.version)
        } else {
            format!("/apis/{}/{}", self.group, self.version)
        };
        if let Some(namespace) =
            namespace.filter(|namespace| self.is_namespaced() && !namespace.is_empty())
        {
            path.push_str("/namespaces/");
            push_segment(&mut path, namespace);
        }
        path.push('/');
        path.push_str(&self.plural);
        if let Some(name) = name {
            path.push('/');
            push_segment(&mut path, name);
        }
        path
    }
}

/// What names no group before its slash is of the core group (upstream: `ParseGroupVersion`).
pub(crate) fn without_slash(api_version: &str) -> &str {
    api_version.strip_prefix('/').filter(|version| !version.contains('/')).unwrap_or(api_version)
}

/// Group and version that objects state. What begins with a slash and has another is no such pair (upstream:
/// `ParseGroupVersion`): it stays whole, so that an object says what it said.
fn split(api_version: &str) -> (&str, &str) {
    let is_pair = |(group, version): &(&str, &str)| !group.is_empty() || !version.contains('/');
    api_version.split_once('/').filter(is_pair).unwrap_or(("", api_version))
}

/// Names that come from outside must not reach into other parts of the path.
fn push_segment(path: &mut String, segment: &str) {
    let dots = matches!(segment, "." | "..");
    for byte in segment.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-_~:@!$&'()*+,;=".contains(&byte);
        if plain || (byte == b'.' && !dots) {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() {
            write!(f, "{}/{}", self.version, self.kind)
        } else {
            write!(f, "{}/{}/{}", self.group, self.version, self.kind)
        }
    }
}

/// Whether two names are the same, in constants, too.
#[expect(clippy::ptr_arg, reason = "a constant cannot look through a Cow otherwise")]
const fn same(one: &Cow<'static, str>, other: &Cow<'static, str>) -> bool {
    const fn text<'a>(name: &'a Cow<'static, str>) -> &'a str {
        match name {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => text.as_str(),
        }
    }
    crate::described::shape::same(text(one), text(other))
}
