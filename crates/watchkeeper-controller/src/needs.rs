//! What a controller needs because of what it was built of.

use watchkeeper_api::core::v1::Event;
use watchkeeper_api::{Kind, Object};
use watchkeeper_cache::Source;
use watchkeeper_client::Verb;
use watchkeeper_client::access::Need;

/// To be told by a source.
pub(crate) fn of<K: Object>(source: &Source<K>, reason: &str) -> Vec<Need> {
    let kind = source.kind();
    Need::to_follow(kind, source.watch().in_namespace(), &said(reason, kind))
}

/// To record events about the objects of a source.
pub(crate) fn of_events<K: Object>(source: &Source<K>, controller: &str) -> Vec<Need> {
    let reason = format!("the controller {controller} records events");
    // Events about objects of the cluster live in a namespace of their own.
    let namespace = source.watch().in_namespace();
    let needs = Need::all(&Event::KIND, [Verb::Create, Verb::Patch], &reason);
    needs.into_iter().map(|need| need.within(namespace)).collect()
}

/// The reason with what it is about.
pub(crate) fn said(reason: &str, kind: &Kind) -> String {
    format!("{reason} {}", kind.group_resource())
}
