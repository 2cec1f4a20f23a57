//! `metadata`, of built-in and custom resources alike.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use watchkeeper_schema::error::quote;
use watchkeeper_schema::{FieldError, Reason};

use super::look::{Look, Part};
use super::names::{self, NameForm};
use super::{Check, Place, internal, managed_fields};

/// The most bytes that all annotations of an object may have together.
const MOST_ANNOTATION_BYTES: u64 = 256 * 1024;

/// Of how many controllers too many is told: each time all owners are shown.
const MOST_CONTROLLERS: usize = 16;

/// What no update changes.
const IMMUTABLE: [&str; 6] = [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
];

/// What is wrong with the metadata of a new object, or of an update of `old`, as far as nothing else of the object is
/// looked at before it.
///
/// Sources: `BeforeCreate` and `BeforeUpdate` (`apiserver/pkg/registry/rest`), which look at the metadata of all
/// objects, and the functions of the kinds, which look at it again and tell as often what is wrong.
#[must_use]
pub fn metadata(new: &Value, old: Option<&Value>, look: Look) -> Vec<FieldError> {
    let known = || if look.knows_finalizers { known_finalizers(new) } else { Vec::new() };
    let Some(old) = old else {
        return whole(new, look.form).into_iter().chain(known()).collect();
    };
    let (whole, update, known) = (whole(new, NameForm::PathSegment), update(new, old), known());
    let mut errors = [&whole[..], &update[..]].concat();
    for part in look.again.parts() {
        errors.extend_from_slice(match part {
            Part::Whole => &whole,
            Part::Update => &update,
        });
        errors.extend_from_slice(&known);
    }
    errors
}

/// The metadata of a new built-in object of which other things are looked at first.
pub(super) fn of_new(check: &mut Check<'_>, form: NameForm) {
    check.errors.extend(whole(check.new, form));
    check.errors.extend(known_finalizers(check.new));
}

/// The metadata of a built-in object once more, in between of what else is looked at: all of it, as of a new object.
pub(super) fn whole_again(check: &mut Check<'_>) {
    if check.old.is_some() {
        check.errors.extend(whole(check.new, NameForm::PathSegment));
        check.errors.extend(known_finalizers(check.new));
    }
}

/// The metadata of a built-in object once more, in between of what else is looked at: what must stay.
pub(super) fn update_again(check: &mut Check<'_>) {
    if let Some(old) = check.old {
        check.errors.extend(update(check.new, old));
        check.errors.extend(known_finalizers(check.new));
    }
}

/// What is wrong with the metadata of a whole object within a custom resource, which may do without a name. Places are
/// told by the way from that object (apiextensions, `pkg/apiserver/schema/objectmeta`).
#[must_use]
pub fn embedded_metadata(metadata: &Value) -> Vec<FieldError> {
    let mut object = json!({"metadata": metadata.as_object()});
    if crate::meta::name(&object).is_empty() {
        object["metadata"]["name"] = "fakename".into();
    }
    let mut check = Check::of(&object, None);
    name(&mut check, NameForm::PathSegment);
    let namespace = check.at("metadata.namespace");
    if !namespace.is_empty() {
        check.all(&namespace, namespace.text(), names::label(namespace.text()));
    }
    let generation = check.at("metadata.generation");
    check.not_negative(&generation);
    marks_and_owners(&mut check);
    finalizers(&mut check);
    managed_fields::check(&mut check);
    check.errors
}

fn whole(new: &Value, form: NameForm) -> Vec<FieldError> {
    let mut check = Check::of(new, None);
    name(&mut check, form);
    marks_and_owners(&mut check);
    finalizers(&mut check);
    check.errors
}

fn update(new: &Value, old: &Value) -> Vec<FieldError> {
    let mut check = Check::of(new, Some(old));
    new_finalizers(&mut check, old);
    for name in IMMUTABLE {
        check.immutable(&format!("metadata.{name}"));
    }
    marks_and_owners(&mut check);
    check.errors
}

fn marks_and_owners(check: &mut Check<'_>) {
    let place = check.at("metadata.labels");
    labels(check, &place);
    let place = check.at("metadata.annotations");
    annotations(check, place);
    owners(check);
}

fn name(check: &mut Check<'_>, form: NameForm) {
    let prefix = check.at("metadata.generateName");
    if !prefix.is_empty() {
        check.all(&prefix, prefix.text(), form.check_prefix(prefix.text()));
    }
    let name = check.at("metadata.name");
    if name.is_empty() {
        check.push(FieldError::required(name.path, "name or generateName is required"));
    } else {
        check.all(&name, name.text(), form.check(name.text()));
    }
}

/// Labels, wherever they are.
pub(super) fn labels(check: &mut Check<'_>, place: &Place<'_>) {
    for (key, value) in place.entries() {
        check.all(place, key, names::qualified(key));
        check.all(place, value, names::label_value(value));
    }
}

/// What is wrong with labels or annotations that somebody else than a client sets.
pub(crate) fn marks(name: &str, path: &str, entries: &Value) -> Vec<FieldError> {
    let mut check = Check::of(entries, None);
    let place = Place { value: Some(entries), path: path.to_owned() };
    match name {
        "labels" => labels(&mut check, &place),
        _ => annotations(&mut check, place),
    }
    check.errors
}

/// Annotations, wherever they are.
pub(super) fn annotations(check: &mut Check<'_>, place: Place<'_>) {
    let entries = place.entries();
    for (key, _) in &entries {
        check.all(&place, key, names::qualified(&key.to_lowercase()));
    }
    let size: u64 = entries.iter().map(|(key, value)| (key.len() + value.len()) as u64).sum();
    if size > MOST_ANNOTATION_BYTES {
        check.push(FieldError::too_long(place.path, MOST_ANNOTATION_BYTES));
    }
}

fn owners(check: &mut Check<'_>) {
    let place = check.at("metadata.ownerReferences");
    let (mut controller, mut told): (Option<String>, usize) = (None, 0);
    for owner in place.items() {
        let text = |name: &str| owner.member(name).text();
        let api_version = text("apiVersion");
        // What is no version at all has none.
        let version = match api_version.split_once('/') {
            None => api_version,
            Some((_, version)) if version.contains('/') => "",
            Some((_, version)) => version,
        };
        let say = |check: &mut Check<'_>, name: &str, value: &str, detail: &str| {
            let path = format!("{}.{name}", place.path);
            check.push(FieldError::invalid(path, value, detail));
        };
        if version.is_empty() {
            say(check, "apiVersion", api_version, "version must not be empty");
        }
        for name in ["kind", "name", "uid"].into_iter().filter(|name| text(name).is_empty()) {
            say(check, name, "", "must not be empty");
        }
        if (api_version, text("kind")) == ("v1", "Event") {
            let detail = "/v1, Kind=Event is disallowed from being an owner";
            let value = owner.value.cloned().unwrap_or_default();
            check.push(FieldError::invalid(&*place.path, value, detail));
        }
        if owner.member("controller").value == Some(&Value::Bool(true)) {
            let this = format!("{}/{}", text("kind"), text("name"));
            match &controller {
                None => controller = Some(this),
                Some(_) if told == MOST_CONTROLLERS || check.is_full() => {}
                Some(first) => {
                    told += 1;
                    let detail = format!(
                        "Only one reference can have Controller set to true. Found \"true\" in \
                         references for {first} and {this}"
                    );
                    let detail = format!("{}: {detail}", shown(&place));
                    check.push(FieldError::new(Reason::Invalid, &*place.path, None, detail));
                }
            }
        }
    }
}

/// Owners with their members in the order that upstream has them in.
fn shown(place: &Place<'_>) -> String {
    let model = "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference";
    let owners = place.items();
    let owners: Vec<String> =
        owners.iter().map(|owner| internal::shown(model, owner.value)).collect();
    format!("[{}]", owners.join(","))
}

fn finalizers(check: &mut Check<'_>) {
    let place = check.at("metadata.finalizers");
    let all: Vec<&str> = place.items().iter().map(Place::text).collect();
    for finalizer in &all {
        check.all(&place, finalizer, names::qualified(finalizer));
    }
    if all.contains(&"orphan") && all.contains(&"foregroundDeletion") {
        let detail = "finalizer orphan and foregroundDeletion cannot be both set";
        check.push(FieldError::invalid(&*place.path, all, detail));
    }
}

/// Finalizers without a domain are those of Kubernetes itself.
fn known_finalizers(new: &Value) -> Vec<FieldError> {
    let mut check = Check::of(new, None);
    for finalizer in check.at("metadata.finalizers").items() {
        known_finalizer(&mut check, &finalizer);
    }
    check.errors
}

pub(super) fn known_finalizer(check: &mut Check<'_>, finalizer: &Place<'_>) {
    let standard = ["kubernetes", "orphan", "foregroundDeletion"];
    if !finalizer.text().contains('/') && !standard.contains(&finalizer.text()) {
        let detail = "name is neither a standard finalizer name nor is it fully qualified";
        check.push(FieldError::invalid(&*finalizer.path, finalizer.text(), detail));
    }
}

/// Nothing may delay a deletion that has begun.
fn new_finalizers(check: &mut Check<'_>, old: &Value) {
    if old.pointer("/metadata/deletionTimestamp").is_none_or(Value::is_null) {
        return;
    }
    let place = check.at("metadata.finalizers");
    let before = old.pointer("/metadata/finalizers").and_then(Value::as_array);
    let before: BTreeSet<&str> = before.into_iter().flatten().filter_map(Value::as_str).collect();
    let items = place.items();
    let added: BTreeSet<&str> =
        items.iter().map(Place::text).filter(|f| !before.contains(f)).collect();
    if !added.is_empty() {
        let added: Vec<String> = added.into_iter().map(quote).collect();
        check.push(FieldError::forbidden(
            place.path,
            format!(
                "no new finalizers can be added if the object is being deleted, found new \
                 finalizers []string{{{}}}",
                added.join(", ")
            ),
        ));
    }
}
