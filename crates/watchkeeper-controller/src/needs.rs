//! What a controller needs because of what it was built of.

use watchkeeper_api::core::v1::Event;
use watchkeeper_api::{Kind, Object};
use watchkeeper_cache::Source;
use watchkeeper_client::access::Need;
use watchkeeper_client::{Client, Verb};

/// To be told by a source.
pub(crate) fn of<K: Object>(source: &Source<K>, reason: &str) -> Vec<Need> {
    let (kind, watch) = (source.kind(), source.watch());
    let needs = Need::to_follow(kind, watch.in_namespace(), &said(reason, kind));
    needs.into_iter().map(|need| need.of(watch.named())).collect()
}

/// To record events about the objects of a source.
pub(crate) fn of_events<K: Object>(
    client: &Client,
    source: &Source<K>,
    controller: &str,
) -> Vec<Need> {
    let reason = format!("the controller {controller} records events");
    // Events about objects of the cluster live in a namespace of their own.
    let events = client.api::<Event>();
    let namespace = source.watch().in_namespace().or(events.in_namespace());
    let needs = Need::all(&Event::KIND, [Verb::Create, Verb::Patch], &reason);
    needs.into_iter().map(|need| need.within(namespace)).collect()
}

/// The reason with what it is about.
pub(crate) fn said(reason: &str, kind: &Kind) -> String {
    format!("{reason} {}", kind.group_resource())
}
