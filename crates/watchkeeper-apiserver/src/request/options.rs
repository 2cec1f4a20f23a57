//! `ListOptions`, `DeleteOptions` and the parameters of writes, validated as upstream does.

use serde_json::{Value, json};
use watchkeeper_schema::error::show;

use super::query::Query;
use crate::error::{ApiError, Cause, Result};
use crate::go::parse_uint;
use crate::kind_validation::managed_fields::field_manager;
use crate::storage::selector::{Fields, Labels};
use crate::storage::token::Continue;

/// `resourceVersionMatch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The state at that revision.
    Exact,
    /// That state or a later one.
    NotOlderThan,
}

/// Which revision a read wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// The most recent.
    #[default]
    Latest,
    /// Any that is at hand.
    Any,
    /// A number.
    At(u64),
}

impl Version {
    /// Whether the state of that revision will do.
    pub(crate) fn takes(self, revision: u64) -> bool {
        match self {
            Self::Latest => false,
            Self::Any => true,
            Self::At(least) => least <= revision,
        }
    }
}

/// The options of a list or a watch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// The label selector.
    pub labels: Labels,
    /// The field selector.
    pub fields: Fields,
    /// The revision.
    pub version: Version,
    /// How the revision is meant.
    pub version_match: Option<Match>,
    /// The page size; 0 for all.
    pub limit: usize,
    /// Where to go on.
    pub continue_token: Option<Continue>,
    /// Whether to watch.
    pub watch: bool,
    /// Seconds after which a watch ends.
    pub timeout_seconds: Option<u64>,
    /// Whether bookmarks are welcome.
    pub bookmarks: bool,
    /// Whether a watch starts with the current state.
    pub send_initial_events: Option<bool>,
}

impl ListOptions {
    /// Reads and validates the query of a list or a watch.
    ///
    /// # Errors
    ///
    /// 400 for values that do not parse, 422 for combinations that are not allowed (V2.3, V3.2).
    pub fn parse(query: &Query) -> Result<Self> {
        let labels = Labels::parse(query.text("labelSelector")).map_err(ApiError::bad_request)?;
        let fields = Fields::parse(query.text("fieldSelector")).map_err(ApiError::bad_request)?;
        let watch = query.flag("watch").unwrap_or(false);
        validate(query, watch)?;
        let continue_token = continue_token(query)?;
        let positive = |number: Option<i64>| number.and_then(|n| u64::try_from(n).ok());
        Ok(Self {
            labels,
            fields,
            version: version(query.text("resourceVersion")).map_err(|error| {
                if watch {
                    return error;
                }
                ApiError::bad_request(format!("invalid resource version: {}", error.message))
            })?,
            version_match: version_match(query.text("resourceVersionMatch")),
            limit: positive(query.number("limit")?)
                .and_then(|limit| usize::try_from(limit).ok())
                .unwrap_or(0),
            continue_token,
            watch,
            timeout_seconds: positive(query.number("timeoutSeconds")?),
            bookmarks: query.flag("allowWatchBookmarks").unwrap_or(false),
            send_initial_events: query.flag("sendInitialEvents"),
        })
    }
}

fn continue_token(query: &Query) -> Result<Option<Continue>> {
    let token = query.text("continue");
    if token.is_empty() {
        return Ok(None);
    }
    let invalid = |why| ApiError::bad_request(format!("invalid continue token: {why}"));
    let token = Continue::decode(token).map_err(invalid)?;
    if !matches!(query.text("resourceVersion"), "" | "0") {
        let why = "specifying resource version is not allowed when using continue";
        return Err(ApiError::bad_request(why));
    }
    Ok(Some(token))
}

fn version_match(text: &str) -> Option<Match> {
    match text {
        "Exact" => Some(Match::Exact),
        "NotOlderThan" => Some(Match::NotOlderThan),
        _ => None,
    }
}

/// Reads a resource version.
///
/// # Errors
///
/// 500 for text that is no number, as upstream answers a get or a watch; a list answers 400.
pub fn version(text: &str) -> Result<Version> {
    match text {
        "" => Ok(Version::Latest),
        "0" => Ok(Version::Any),
        text => parse_uint(text, u64::MAX).map(Version::At).map_err(|why| {
            let quoted = crate::error::quoted(text);
            ApiError::new(500, "", format!("resourceVersion: Invalid value: {quoted}: {why}"))
        }),
    }
}

/// The table of apimachinery's `internalversion/validation`.
fn validate(query: &Query, watch: bool) -> Result<()> {
    let causes = if watch { watch_causes(query) } else { list_causes(query) };
    if causes.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid("meta.k8s.io", "ListOptions", "", causes))
}

const MATCH: &str = "resourceVersionMatch";

fn list_causes(query: &Query) -> Vec<Cause> {
    let mut causes = Vec::new();
    let version = query.text("resourceVersion");
    let wanted = query.text(MATCH);
    if !wanted.is_empty() {
        if version.is_empty() {
            let why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
            causes.push(Cause::forbidden(MATCH, why));
        }
        if !query.text("continue").is_empty() {
            let why = "resourceVersionMatch is forbidden when continue is provided";
            causes.push(Cause::forbidden(MATCH, why));
        }
        if version_match(wanted).is_none() {
            causes.push(unsupported(MATCH, wanted, &["Exact", "NotOlderThan", ""]));
        }
        if wanted == "Exact" && version == "0" {
            let why = r#"resourceVersionMatch "exact" is forbidden for resourceVersion "0""#;
            causes.push(Cause::forbidden(MATCH, why));
        }
    }
    if query.get("sendInitialEvents").is_some() {
        causes
            .push(Cause::forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    causes
}

fn watch_causes(query: &Query) -> Vec<Cause> {
    let mut causes = Vec::new();
    let wanted = query.text(MATCH);
    let initial = query.get("sendInitialEvents").is_some();
    if initial && wanted != "NotOlderThan" {
        let why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
        causes.push(Cause::forbidden(MATCH, why));
    }
    if !wanted.is_empty() {
        if !initial {
            let why =
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
            causes.push(Cause::forbidden(MATCH, why));
        }
        if wanted != "NotOlderThan" {
            causes.push(unsupported(MATCH, wanted, &["NotOlderThan"]));
        }
        if !query.text("continue").is_empty() {
            let why = "resourceVersionMatch is forbidden when continue is provided";
            causes.push(Cause::forbidden(MATCH, why));
        }
    }
    causes
}

/// A value outside a closed set.
pub(crate) fn unsupported(field: &str, value: &str, supported: &[&str]) -> Cause {
    let names: Vec<String> = supported.iter().map(|name| crate::error::quoted(name)).collect();
    Cause {
        reason: "FieldValueNotSupported".to_owned(),
        message: format!(
            "Unsupported value: {}: supported values: {}",
            crate::error::quoted(value),
            names.join(", ")
        ),
        field: field.to_owned(),
    }
}

/// What is wrong with the name of a field manager.
pub(crate) fn manager(manager: &str) -> Vec<Cause> {
    field_manager(manager, "fieldManager").into_iter().map(Cause::from).collect()
}

/// Refuses parameters of a write that make no sense; `kind` is the kind of the options.
///
/// # Errors
///
/// 422 with every wrong parameter.
pub fn check_write(query: &Query, kind: &str) -> Result<()> {
    let mut causes = manager(query.text("fieldManager"));
    let dry: Vec<&str> = query.all("dryRun").filter(|value| !value.is_empty()).collect();
    if dry.iter().any(|value| *value != "All") {
        causes.push(Cause {
            reason: "FieldValueNotSupported".to_owned(),
            message: format!(
                "Unsupported value: {}: supported values: \"All\"",
                show(&Value::from(dry.clone()))
            ),
            field: "dryRun".to_owned(),
        });
    }
    let validation = query.text("fieldValidation");
    if !matches!(validation, "" | "Ignore" | "Strict" | "Warn") {
        let known = ["", "Ignore", "Strict", "Warn"];
        causes.push(unsupported("fieldValidation", validation, &known));
    }
    if causes.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid("meta.k8s.io", kind, "", causes))
}

/// Reads `dryRun`.
///
/// # Errors
///
/// 422 for a value other than `All`.
pub fn dry_run(query: &Query) -> Result<bool> {
    let mut dry = false;
    for value in query.all("dryRun").filter(|value| !value.is_empty()) {
        if value != "All" {
            let mut cause = unsupported("dryRun", value, &["All"]);
            let quoted = crate::error::quoted(value);
            cause.message = cause.message.replacen(&quoted, &format!("[{quoted}]"), 1);
            return Err(ApiError::invalid("meta.k8s.io", "CreateOptions", "", vec![cause]));
        }
        dry = true;
    }
    Ok(dry)
}

/// `fieldValidation`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldValidation {
    /// Unknown and duplicate fields are dropped silently.
    Ignore,
    /// They are dropped and told in Warning headers.
    #[default]
    Warn,
    /// They are refused.
    Strict,
}

impl FieldValidation {
    /// Reads the parameter.
    ///
    /// # Errors
    ///
    /// 422 for an unknown value.
    pub fn parse(query: &Query) -> Result<Self> {
        match query.text("fieldValidation") {
            "" | "Warn" => Ok(Self::Warn),
            "Ignore" => Ok(Self::Ignore),
            "Strict" => Ok(Self::Strict),
            other => {
                let cause =
                    unsupported("fieldValidation", other, &["", "Ignore", "Strict", "Warn"]);
                Err(ApiError::invalid("meta.k8s.io", "CreateOptions", "", vec![cause]))
            }
        }
    }
}

/// What happens to dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Propagation {
    /// The garbage collector removes them later.
    Background,
    /// They go first.
    Foreground,
    /// They stay.
    Orphan,
}

/// The options of a delete, from the body or the query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    /// Seconds the object may take to go.
    pub grace_period_seconds: Option<i64>,
    /// The uid it must have.
    pub uid: Option<String>,
    /// The version it must have.
    pub resource_version: Option<String>,
    /// What happens to dependents.
    pub propagation: Option<Propagation>,
    /// The older way to say it, which changes the code of the answer.
    pub orphan_dependents: Option<bool>,
    /// Whether nothing may be stored.
    pub dry_run: bool,
}

impl DeleteOptions {
    /// Reads the options. Beside a body nothing in the query is an option, also no `dryRun`, as upstream has it.
    ///
    /// # Errors
    ///
    /// 400 for what does not parse, 422 for what contradicts.
    pub fn parse(query: &Query, body: Option<&Value>) -> Result<Self> {
        match body {
            Some(body) => Self::from_body(body),
            None => Self::from_query(query),
        }
    }

    /// The options as admission sees them.
    #[must_use]
    pub(crate) fn to_json(&self) -> Value {
        let mut options = json!({"kind": "DeleteOptions", "apiVersion": "meta.k8s.io/v1"});
        if let Some(seconds) = self.grace_period_seconds {
            options["gracePeriodSeconds"] = seconds.into();
        }
        let tests = [("uid", &self.uid), ("resourceVersion", &self.resource_version)];
        for (name, wanted) in tests {
            if let Some(wanted) = wanted {
                options["preconditions"][name] = wanted.as_str().into();
            }
        }
        match (self.orphan_dependents, self.propagation) {
            (Some(orphan), _) => options["orphanDependents"] = orphan.into(),
            (None, Some(policy)) => {
                options["propagationPolicy"] = format!("{policy:?}").into();
            }
            (None, None) => {}
        }
        if self.dry_run {
            options["dryRun"] = json!(["All"]);
        }
        options
    }

    fn from_body(body: &Value) -> Result<Self> {
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str);
        let dry = body["dryRun"].as_array().map(Vec::as_slice).unwrap_or_default();
        if dry.iter().any(|value| value != "All") {
            let list = Value::from(dry.to_vec());
            let message = format!("Unsupported value: {list}: supported values: \"All\"");
            let reason = "FieldValueNotSupported".to_owned();
            let cause = Cause { reason, message, field: "dryRun".to_owned() };
            return Err(ApiError::invalid("meta.k8s.io", "DeleteOptions", "", vec![cause]));
        }
        Ok(Self {
            grace_period_seconds: body["gracePeriodSeconds"].as_i64(),
            uid: text("/preconditions/uid").map(str::to_owned),
            resource_version: text("/preconditions/resourceVersion").map(str::to_owned),
            propagation: propagation(
                text("/propagationPolicy"),
                body["orphanDependents"].as_bool(),
            )?,
            orphan_dependents: body["orphanDependents"].as_bool(),
            dry_run: !dry.is_empty(),
        })
    }

    fn from_query(query: &Query) -> Result<Self> {
        Ok(Self {
            grace_period_seconds: query.number("gracePeriodSeconds")?,
            uid: None,
            resource_version: None,
            propagation: propagation(
                query.get("propagationPolicy"),
                query.flag("orphanDependents"),
            )?,
            orphan_dependents: query.flag("orphanDependents"),
            dry_run: dry_run(query)?,
        })
    }
}

fn propagation(policy: Option<&str>, orphan: Option<bool>) -> Result<Option<Propagation>> {
    let refuse =
        |cause: Cause| Err(ApiError::invalid("meta.k8s.io", "DeleteOptions", "", vec![cause]));
    let policy = policy.filter(|policy| !policy.is_empty());
    match (policy, orphan) {
        (Some(policy), Some(_)) => refuse(Cause::invalid(
            "propagationPolicy",
            &policy.into(),
            "orphanDependents and deletionPropagation cannot be both set",
        )),
        (Some("Background"), None) => Ok(Some(Propagation::Background)),
        (Some("Foreground"), None) => Ok(Some(Propagation::Foreground)),
        (Some("Orphan"), None) => Ok(Some(Propagation::Orphan)),
        (Some(other), None) => refuse(unsupported(
            "propagationPolicy",
            other,
            &["Foreground", "Background", "Orphan", "nil"],
        )),
        (None, Some(true)) => Ok(Some(Propagation::Orphan)),
        (None, Some(false)) => Ok(Some(Propagation::Background)),
        (None, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests;
