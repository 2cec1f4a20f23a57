//! What a copy is called: among the copies, in metrics, and for people.

use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Kind, Object};
use watchkeeper_client::Select;

use crate::informer_metrics::InformerName;

/// Tells selections apart, whatever order their labels are asked for in.
pub(super) fn name_of<K: Object>(select: &Select<K>) -> String {
    let namespace = select.in_namespace().unwrap_or_default();
    let (labels, fields) = (one_form(select.label_selector()), select.field_selector());
    let mut name = format!("{}|{namespace}|{labels}|{fields}", select.target());
    if select.target().kind.is_empty() {
        name = format!("{name}|{}", select.target().plural);
    }
    if let Some(shard) = select.in_shard() {
        name = format!("{name}|{shard}");
    }
    name
}

/// A label selector in the one form of all that mean the same; as it is, where only the server may read it.
fn one_form(labels: &str) -> String {
    labels.parse().map_or_else(|_| labels.to_owned(), |selector: Selector| selector.to_string())
}

/// What the series of a copy are called.
pub(super) fn series_of(name: &str, kind: &Kind) -> InformerName {
    InformerName {
        name: name.to_owned(),
        group: kind.group.to_string(),
        version: kind.version.to_string(),
        resource: kind.plural.to_string(),
    }
}

/// For people: `deployments.apps in shop, app=web`.
pub(crate) fn describe<K: Object>(select: &Select<K>, namespace: Option<&str>) -> String {
    let mut text = select.target().group_resource();
    if let Some(namespace) = namespace {
        text = format!("{text} in {namespace}");
    }
    for selector in [select.label_selector(), select.field_selector()] {
        if !selector.is_empty() {
            text = format!("{text}, {selector}");
        }
    }
    if let Some(shard) = select.in_shard() {
        text = format!("{text}, {shard}");
    }
    text
}
