//! What a caller may say about a request. Plain values with the server's defaults.

use std::fmt::Display;
use std::time::Duration;

use watchkeeper_api::meta::{self, v1::Preconditions};
use watchkeeper_api::{IStr, List, pb};

use crate::query::Query;

/// How `resource_version` of a list is meant (upstream: `ResourceVersionMatch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionMatch {
    /// At least as new.
    NotOlderThan,
    /// That very version.
    Exact,
}

impl VersionMatch {
    const fn as_str(self) -> &'static str {
        match self {
            Self::NotOlderThan => "NotOlderThan",
            Self::Exact => "Exact",
        }
    }
}

/// Which objects to list, and from when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// A label selector; empty selects all.
    pub labels: String,
    /// A field selector; empty selects all.
    pub fields: String,
    /// A shard selector (KEP-5866), as [`Shard`](crate::Shard) writes it; empty selects all. Servers that
    /// know nothing of shards ignore it.
    pub shard: String,
    /// Empty: the newest. `0`: any version, served from the server's cache. Else see `version_match`.
    pub resource_version: String,
    /// How `resource_version` is meant.
    pub version_match: Option<VersionMatch>,
    /// Objects a page at most; all in one when `None`.
    pub limit: Option<u32>,
    /// Where the last page ended ([`ListPage::continue_`](crate::ListPage::continue_)).
    pub continue_: String,
}

impl ListOptions {
    /// Selects by labels.
    #[must_use]
    pub fn labels(mut self, selector: impl Display) -> Self {
        self.labels = selector.to_string();
        self
    }

    /// Selects by fields.
    #[must_use]
    pub fn fields(mut self, selector: impl Display) -> Self {
        self.fields = selector.to_string();
        self
    }

    /// At most this many objects a page.
    #[must_use]
    pub const fn limit(mut self, objects: u32) -> Self {
        self.limit = Some(objects);
        self
    }

    /// Any version will do: the server answers from its cache.
    #[must_use]
    pub fn any_version(mut self) -> Self {
        self.resource_version = "0".to_owned();
        self
    }

    pub(crate) fn query(&self, query: &mut Query) {
        query.text("labelSelector", &self.labels);
        query.text("fieldSelector", &self.fields);
        query.text("shardSelector", &self.shard);
        query.text("resourceVersion", &self.resource_version);
        query.text("resourceVersionMatch", self.version_match.map_or("", VersionMatch::as_str));
        if let Some(limit) = self.limit {
            query.text("limit", &limit.to_string());
        }
        query.text("continue", &self.continue_);
    }
}

/// Which changes to watch, and from when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchOptions {
    /// A label selector; empty selects all.
    pub labels: String,
    /// A field selector; empty selects all.
    pub fields: String,
    /// A shard selector (KEP-5866), as [`Shard`](crate::Shard) writes it; empty selects all. Servers that
    /// know nothing of shards ignore it.
    pub shard: String,
    /// Changes after this version. Empty or `0`: the present state first.
    pub resource_version: String,
    /// Ask for bookmarks: versions without a change.
    pub bookmarks: bool,
    /// Stream the present state first and mark its end with a bookmark (upstream: WatchList, KEP-3157).
    pub send_initial_events: bool,
    /// The server ends the watch after so long. The client waits a little longer, then gives up on it.
    pub timeout: Duration,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            labels: String::new(),
            fields: String::new(),
            shard: String::new(),
            resource_version: String::new(),
            bookmarks: true,
            send_initial_events: false,
            timeout: Duration::from_secs(290),
        }
    }
}

impl WatchOptions {
    /// Changes after this version.
    #[must_use]
    pub fn since(resource_version: impl Into<String>) -> Self {
        Self { resource_version: resource_version.into(), ..Self::default() }
    }

    /// Selects by labels.
    #[must_use]
    pub fn labels(mut self, selector: impl Display) -> Self {
        self.labels = selector.to_string();
        self
    }

    /// Selects by fields.
    #[must_use]
    pub fn fields(mut self, selector: impl Display) -> Self {
        self.fields = selector.to_string();
        self
    }

    pub(crate) fn query(&self, query: &mut Query) {
        query.text("watch", "true");
        query.text("labelSelector", &self.labels);
        query.text("fieldSelector", &self.fields);
        query.text("shardSelector", &self.shard);
        query.text("resourceVersion", &self.resource_version);
        if self.send_initial_events {
            query.text("sendInitialEvents", "true");
            query.text("resourceVersionMatch", VersionMatch::NotOlderThan.as_str());
        }
        if self.bookmarks {
            query.text("allowWatchBookmarks", "true");
        }
        // Servers count in nanoseconds, as signed numbers of 64 bits.
        let seconds = self.timeout.as_secs().clamp(1, (i64::MAX / 1_000_000_000).unsigned_abs());
        query.text("timeoutSeconds", &seconds.to_string());
    }
}

/// What the server does with fields it does not know, or that come twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValidation {
    /// Drops them silently.
    Ignore,
    /// Drops them and sends a warning; the server's default.
    Warn,
    /// Refuses the request.
    Strict,
}

impl FieldValidation {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Ignore => "Ignore",
            Self::Warn => "Warn",
            Self::Strict => "Strict",
        }
    }
}

/// How to create, update or patch.
///
/// ```
/// # use watchkeeper_api::{Result, core::v1::ConfigMap};
/// # use watchkeeper_client::{Api, WriteOptions};
/// # async fn f(maps: Api<ConfigMap>, map: &ConfigMap) -> Result<()> {
/// // Would it be taken? Nothing is stored, and a misspelt field is refused.
/// maps.create(map, &WriteOptions::dry_run().strict()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Go through everything, store nothing.
    pub dry_run: bool,
    /// Who is recorded as the owner of the fields; the client's own when `None`.
    pub field_manager: Option<String>,
    /// What to do with unknown fields; the server's default when `None`.
    pub field_validation: Option<FieldValidation>,
}

/// How to create.
pub type CreateOptions = WriteOptions;
/// How to update.
pub type UpdateOptions = WriteOptions;
/// How to patch.
pub type PatchOptions = WriteOptions;

impl WriteOptions {
    /// Go through everything, store nothing.
    #[must_use]
    pub fn dry_run() -> Self {
        Self { dry_run: true, ..Self::default() }
    }

    /// Refuse unknown fields.
    #[must_use]
    pub const fn strict(mut self) -> Self {
        self.field_validation = Some(FieldValidation::Strict);
        self
    }

    /// Records `name` as the owner of the fields.
    #[must_use]
    pub fn field_manager(mut self, name: impl Into<String>) -> Self {
        self.field_manager = Some(name.into());
        self
    }

    pub(crate) fn query(&self, query: &mut Query, fallback_manager: Option<&str>) {
        if self.dry_run {
            query.text("dryRun", "All");
        }
        query
            .text("fieldManager", self.field_manager.as_deref().or(fallback_manager).unwrap_or(""));
        query.text("fieldValidation", self.field_validation.map_or("", FieldValidation::as_str));
    }
}

/// How to read one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GetOptions {
    /// Empty: the newest. `0`: any version, served from the server's cache. Else one no older than this.
    pub resource_version: String,
}

impl GetOptions {
    /// Any version, served from the server's cache.
    #[must_use]
    pub fn any_version() -> Self {
        Self::not_older_than("0")
    }

    /// A version no older than this one.
    #[must_use]
    pub fn not_older_than(resource_version: impl Into<String>) -> Self {
        Self { resource_version: resource_version.into() }
    }

    pub(crate) fn query(&self) -> Query {
        let mut query = Query::default();
        query.text("resourceVersion", &self.resource_version);
        query
    }
}

/// How to apply (server-side apply, KEP-555).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApplyOptions {
    /// Take fields that others own instead of answering with a conflict.
    pub force: bool,
    /// The object is a part, and somebody else applies the rest: say none of its members that are the
    /// default. Built-in kinds are always said so; of other types, members that are no options are said
    /// otherwise, as the server refuses objects without them.
    pub part: bool,
    /// The rest, as of every write.
    pub write: WriteOptions,
}

impl ApplyOptions {
    /// Take fields that others own. What a controller wants: it is the authority on what it applies.
    #[must_use]
    pub fn forced() -> Self {
        Self { force: true, ..Self::default() }
    }

    /// The object is a part, and somebody else applies the rest: see [`part`](Self#structfield.part).
    #[must_use]
    pub fn part(mut self) -> Self {
        self.part = true;
        self
    }

    /// Records `name` as the owner of the fields.
    #[must_use]
    pub fn field_manager(mut self, name: impl Into<String>) -> Self {
        self.write.field_manager = Some(name.into());
        self
    }
}

/// What becomes of the objects that the deleted one owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Propagation {
    /// They are deleted after it.
    Background,
    /// They are deleted before it.
    Foreground,
    /// They stay, and lose their owner reference.
    Orphan,
}

impl Propagation {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Background => "Background",
            Self::Foreground => "Foreground",
            Self::Orphan => "Orphan",
        }
    }
}

/// How to delete.
///
/// ```
/// # use watchkeeper_api::{Object, Result, core::v1::Pod};
/// # use watchkeeper_client::{Api, DeleteOptions, Propagation};
/// # async fn f(pods: Api<Pod>, pod: &Pod) -> Result<()> {
/// // This one and not another of its name, and what it owns before it.
/// let only = DeleteOptions::only(pod.uid()).propagation(Propagation::Foreground);
/// pods.delete(pod.name(), &only).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    /// Go through everything, delete nothing.
    pub dry_run: bool,
    /// What becomes of owned objects; the kind's default when `None`.
    pub propagation: Option<Propagation>,
    /// Seconds to end gracefully; the kind's default when `None`.
    pub grace_period_seconds: Option<i64>,
    /// Delete only the object of this uid.
    pub uid: Option<String>,
    /// Delete only if still at this version.
    pub resource_version: Option<String>,
}

impl DeleteOptions {
    /// Delete only the object of this uid, not a namesake made since.
    #[must_use]
    pub fn only(uid: impl Into<String>) -> Self {
        Self { uid: Some(uid.into()), ..Self::default() }
    }

    /// Says what becomes of owned objects.
    #[must_use]
    pub const fn propagation(mut self, propagation: Propagation) -> Self {
        self.propagation = Some(propagation);
        self
    }

    /// Seconds to end gracefully; 0 means at once.
    #[must_use]
    pub const fn grace_period(mut self, seconds: i64) -> Self {
        self.grace_period_seconds = Some(seconds);
        self
    }

    /// As the `DeleteOptions` of `meta/v1`, in protobuf; `None` when nothing is said.
    pub(crate) fn message(&self) -> Option<Vec<u8>> {
        let said = *self != Self::default();
        let preconditions = Preconditions {
            uid: self.uid.as_deref().map(IStr::from),
            resource_version: self.resource_version.as_deref().map(IStr::from),
        };
        let options = meta::v1::DeleteOptions {
            dry_run: if self.dry_run { ["All".into()].into() } else { List::default() },
            propagation_policy: self.propagation.map(|propagation| propagation.as_str().into()),
            grace_period_seconds: self.grace_period_seconds,
            preconditions: (preconditions != Preconditions::default())
                .then(|| Box::new(preconditions)),
            ..meta::v1::DeleteOptions::default()
        };
        said.then(|| pb::to_body(&options))
    }

    /// As the `DeleteOptions` of `meta/v1`, in JSON; `None` when nothing is said.
    pub(crate) fn body(&self) -> Option<Vec<u8>> {
        if *self == Self::default() {
            return None;
        }
        let mut body = serde_json::json!({ "apiVersion": "v1", "kind": "DeleteOptions" });
        if self.dry_run {
            body["dryRun"] = serde_json::json!(["All"]);
        }
        if let Some(propagation) = self.propagation {
            body["propagationPolicy"] = propagation.as_str().into();
        }
        if let Some(seconds) = self.grace_period_seconds {
            body["gracePeriodSeconds"] = seconds.into();
        }
        if let Some(uid) = &self.uid {
            body["preconditions"]["uid"] = uid.as_str().into();
        }
        if let Some(version) = &self.resource_version {
            body["preconditions"]["resourceVersion"] = version.as_str().into();
        }
        Some(body.to_string().into_bytes())
    }
}
