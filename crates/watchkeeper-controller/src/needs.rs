//! What a controller needs because of what it was built of.

use watchkeeper_api::core::v1::Event;
use watchkeeper_api::{Kind, Object};
use watchkeeper_cache::Source;
use watchkeeper_client::access::Need;
use watchkeeper_client::{Client, Verb};

/// To be told by a source.
pub(crate) fn of<K: Object>(source: &Source<K>, reason: &str) -> Vec<Need> {
    let kind = source.kind();
    let needs = Need::to_follow(kind, None, &said(reason, kind));
    let needs: Vec<_> = needs.into_iter().map(|need| need.of(source.named())).collect();
    within(&needs, source.namespaces().as_deref())
}

/// To record events about the objects of a controller, in the namespaces of these if they are of some.
pub(crate) fn of_events(
    client: &Client,
    namespaces: Option<&[String]>,
    controller: &str,
    kind: &Kind,
) -> Vec<Need> {
    // Events about objects of the cluster live in a namespace of their own.
    let events = client.api::<Event>();
    let own = events.in_namespace().map(|namespace| vec![namespace.to_owned()]);
    let needs = Need::all(kind, [Verb::Create, Verb::Patch], &for_events(controller));
    within(&needs, namespaces.or(own.as_deref()))
}

/// Why a controller needs to write events.
pub(crate) fn for_events(controller: &str) -> String {
    format!("the controller {controller} records events")
}

/// What is needed, in each of these namespaces, or in all where it is not some.
pub(crate) fn within(needs: &[Need], namespaces: Option<&[String]>) -> Vec<Need> {
    let Some(namespaces) = namespaces else { return needs.to_vec() };
    let all = namespaces
        .iter()
        .flat_map(|namespace| needs.iter().map(|need| need.clone().within(Some(namespace))));
    all.collect()
}

/// The reason with what it is about.
pub(crate) fn said(reason: &str, kind: &Kind) -> String {
    format!("{reason} {}", kind.group_resource())
}
