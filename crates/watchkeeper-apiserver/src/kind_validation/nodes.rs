//! Nodes (`ValidateNode` and `ValidateNodeUpdate` in `pkg/apis/core/validation`).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use watchkeeper_schema::error::{child, quote};
use watchkeeper_schema::{FieldError, Reason};

use super::addresses::{self, Range};
use super::{Check, Place, internal, metadata, names, resources};

/// What the name of a feature may have of bytes.
const LONGEST_FEATURE: usize = 253;
const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

pub(super) fn node(check: &mut Check<'_>) {
    taints(check);
    amounts(check);
    swap(check);
    features(check);
    ranges(check);
    if check.old.is_some() {
        metadata::update_again(check);
        update(check);
    }
}

/// A node keeps its ranges of addresses and what the cloud calls it, once it has them. Its status is judged alike.
pub(super) fn update(check: &mut Check<'_>) {
    amounts(check);
    features(check);
    different_addresses(check);
    ranges_stay(check);
    let provider = check.at("spec.providerID");
    let was = check.before().map(|before| before.at("spec.providerID").text().to_owned());
    if was.is_some_and(|was| !was.is_empty() && was != provider.text()) {
        let detail = "node updates may not change providerID except from \"\" to valid";
        check.push(FieldError::forbidden(&*provider.path, detail));
    }
    taints(check);
    let external = check.at("spec.externalID");
    if check.before().is_some_and(|before| before.at("spec.externalID").text() != external.text()) {
        check.push(FieldError::forbidden(&*external.path, "may not be updated"));
    }
}

fn amounts(check: &mut Check<'_>) {
    for list in ["status.capacity", "status.allocatable"].map(|list| check.at(list)) {
        for (name, text) in list.entries() {
            resources::amount(check, &child(&list.path, name), name, text);
        }
    }
}

/// Upstream looks for it in the metadata.
fn swap(check: &mut Check<'_>) {
    let capacity = check.at("status.nodeInfo.swap.capacity");
    if let Some(number) = capacity.number().filter(|number| *number <= 0) {
        let path = "metadata.nodeSwapStatus.capacity";
        check.push(FieldError::invalid(path, number, "must be greater than zero"));
    }
}

/// Features in the order of their names, each once.
fn features(check: &mut Check<'_>) {
    let items = check.at("status.declaredFeatures").items();
    for (index, feature) in items.iter().enumerate() {
        if let Some(why) = wrong_feature(feature.text()) {
            let detail = format!("invalid feature name {}: {why}", quote(feature.text()));
            check.push(FieldError::invalid(&*feature.path, feature.text(), detail));
        }
        let Some(next) = items.get(index + 1) else { continue };
        match feature.text().cmp(next.text()) {
            Ordering::Less => {}
            Ordering::Equal => check.push(FieldError::duplicate(&*next.path, next.text())),
            Ordering::Greater => {
                let detail = "list must be sorted alphabetically";
                check.push(FieldError::invalid(&*next.path, next.text(), detail));
            }
        }
    }
}

fn wrong_feature(name: &str) -> Option<String> {
    if name.len() > LONGEST_FEATURE {
        return Some(format!("must be no more than {LONGEST_FEATURE} characters"));
    }
    let is_word = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let is_name =
        name.starts_with(|first: char| first.is_ascii_uppercase()) && name.split('/').all(is_word);
    let why = "must start with an UpperCamelCase segment, with subsequent segments separated by \
               '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric \
               characters and slashes";
    (!is_name).then(|| why.to_owned())
}

fn different_addresses(check: &mut Check<'_>) {
    let mut seen = BTreeSet::new();
    for address in check.at("status.addresses").items() {
        let of = ["type", "address"].map(|name| address.member(name).text());
        if !seen.insert(of) {
            let shown = internal::shown("io.k8s.api.core.v1.NodeAddress", address.value);
            check.push(FieldError::new(Reason::Duplicate, &*address.path, None, shown));
        }
    }
}

/// Upstream looks for the taints in the metadata.
fn taints(check: &mut Check<'_>) {
    let mut seen = BTreeSet::new();
    let all = Place { path: "metadata.taints".to_owned(), ..check.at("spec.taints") };
    for taint in all.items() {
        let [key, value, effect] = ["key", "value", "effect"].map(|name| taint.member(name));
        check.all(&key, key.text(), names::qualified(key.text()));
        let wrong = names::label_value(value.text());
        if !wrong.is_empty() {
            check.push(FieldError::invalid(&*value.path, value.text(), wrong.join(";")));
        }
        check.one_of(&effect, &EFFECTS);
        if !seen.insert((effect.text(), key.text())) {
            let value = taint.value.cloned().unwrap_or_default();
            let mut error = FieldError::duplicate(&*taint.path, value);
            error.detail = "taints must be unique by key and effect pair".to_owned();
            check.push(error);
        }
    }
}

/// One range, or one of each family.
fn ranges(check: &mut Check<'_>) {
    let place = check.at("spec.podCIDRs");
    let all = place.items();
    for range in &all {
        let _ = addresses::range(check, &range.path, range.text());
    }
    if all.len() < 2 {
        return;
    }
    let families: Vec<Option<bool>> =
        all.iter().map(|range| Range::read(range.text()).map(Range::is_v6)).collect();
    if let Some(index) = families.iter().position(Option::is_none) {
        let text = all.get(index).map(Place::text).unwrap_or_default();
        let detail = format!(
            "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[{index}]: \
             <nil> (invalid CIDR address: {text})"
        );
        check.push(FieldError::new(Reason::Internal, &*place.path, None, detail));
    }
    let is_pair = matches!(families[..], [Some(one), Some(other)] if one != other);
    if !is_pair {
        let value = place.value.cloned().unwrap_or_default();
        let detail = "may specify no more than one CIDR for each IP family";
        check.push(FieldError::invalid(&*place.path, value, detail));
    }
}

fn ranges_stay(check: &mut Check<'_>) {
    let now = check.at("spec.podCIDRs");
    let Some(before) = check.before() else { return };
    let (was, items) = (before.at("spec.podCIDRs").items(), now.items());
    let changed = match was.len() == items.len() {
        true => was.iter().zip(&items).filter(|(was, now)| was.text() != now.text()).count(),
        false => usize::from(!was.is_empty()),
    };
    for _ in 0..changed {
        let detail = "node updates may not change podCIDR except from \"\" to valid";
        check.push(FieldError::forbidden(&*now.path, detail));
    }
}
