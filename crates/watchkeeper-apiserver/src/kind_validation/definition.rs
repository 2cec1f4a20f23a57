//! Definitions of custom resources
//! (`apiextensions-apiserver/pkg/apis/apiextensions/validation`).

mod conversion;
mod defaults;
mod inside;
mod keywords;
mod lists;
mod schema;
mod selectable;
mod subresources;

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::{Check, Place, names};
use crate::crd::approval::{self, State};
use crate::jsonpath::JsonPath;

pub(super) fn definition(check: &mut Check<'_>) {
    let spec = check.at("spec");
    // Neither of the parts of a name can change.
    if check.old.is_none() {
        name(check, &spec);
    }
    group(check, &spec.member("group"));
    check.one_of(&spec.member("scope"), &["Cluster", "Namespaced"]);
    let versions = spec.member("versions");
    let alike = SHARED.map(|name| is_shared(&versions.items(), name));
    self::versions(check, &versions, alike);
    kind_names(check, &spec.member("names"));
    shared(check, &versions.items(), alike);
    conversion::conversion(check);
    if check.old.is_some_and(crate::crd::definition::is_established) {
        check.immutable("spec.group");
        check.immutable("spec.scope");
        check.immutable("spec.names.kind");
        check.immutable("spec.names.plural");
    }
    conversion::stored_versions(check);
    approval(check, spec.member("group").text());
}

fn name(check: &mut Check<'_>, spec: &Place<'_>) {
    let name = check.at("metadata.name");
    let plural = spec.member("names").member("plural");
    if name.text() != format!("{}.{}", plural.text(), spec.member("group").text()) {
        let detail = "must be spec.names.plural+\".\"+spec.group";
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
}

fn group(check: &mut Check<'_>, place: &Place<'_>) {
    let wrong = names::subdomain(place.text());
    if place.is_empty() {
        check.push(FieldError::required(&*place.path, ""));
    } else if !wrong.is_empty() {
        check.push(FieldError::invalid(&*place.path, place.text(), wrong.join(",")));
    } else if !place.text().contains('.') {
        let detail = "should be a domain with at least one dot";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}

fn versions(check: &mut Check<'_>, place: &Place<'_>, alike: [bool; 4]) {
    let all = place.items();
    for version in &all {
        let schema = version.member("schema").member("openAPIV3Schema");
        if schema.is_missing() {
            check.push(FieldError::required(&*schema.path, ""));
        }
    }
    let mut seen = BTreeSet::new();
    let mut unique = true;
    for version in &all {
        let name = version.member("name");
        let wrong = names::label_1035(name.text());
        if !wrong.is_empty() {
            check.push(FieldError::invalid(&*name.path, name.text(), wrong.join(",")));
        }
        unique &= seen.insert(name.text());
        parts(check, version, has_status(version), alike.map(|is_alike| !is_alike));
    }
    let mut say = |wrong: bool, detail: &str| {
        if wrong {
            let show = || inside::versions(&all, alike);
            inside::refuse(check, (&*place.path, place.value), show, detail);
        }
    };
    say(!unique, "must contain unique version names");
    let is_storage =
        |version: &&Place<'_>| version.member("storage").value == Some(&Value::Bool(true));
    let storage = all.iter().filter(is_storage).count();
    say(storage != 1, "must have exactly one version marked as storage version");
}

/// What versions may have alike.
const SHARED: [&str; 4] =
    ["schema", "subresources", "additionalPrinterColumns", "selectableFields"];

/// A part that all versions have alike is spoken of once, at the place where the first version of
/// the API kept it.
fn is_shared(versions: &[Place<'_>], name: &str) -> bool {
    let parts: Vec<Place<'_>> = versions.iter().map(|version| version.member(name)).collect();
    parts.first().is_some_and(|first| {
        !first.is_missing() && parts.iter().all(|part| part.value == first.value)
    })
}

/// The parts that all versions have alike. Their schema may have no more at its root than one beside a status if any
/// of them has one.
fn shared(check: &mut Check<'_>, versions: &[Place<'_>], alike: [bool; 4]) {
    let Some(first) = versions.first() else { return };
    let spec = Place { path: "spec".to_owned(), ..first.clone() };
    parts(check, &spec, versions.iter().any(has_status), alike);
}

fn has_status(version: &Place<'_>) -> bool {
    !version.member("subresources").member("status").is_missing()
}

/// The parts of a version that are wanted, of [`SHARED`].
fn parts(check: &mut Check<'_>, version: &Place<'_>, has_status: bool, wanted: [bool; 4]) {
    let [wants_schema, wants_subresources, wants_columns, wants_selectable] = wanted;
    if wants_schema {
        let mut schema = version.member("schema");
        if version.path == "spec" {
            "spec.validation".clone_into(&mut schema.path);
        }
        schema::schema(check, &schema.member("openAPIV3Schema"), has_status);
    }
    if wants_subresources {
        subresources::check(check, &version.member("subresources"));
    }
    if wants_columns {
        columns(check, &version.member("additionalPrinterColumns"));
    }
    if wants_selectable {
        let schema = version.member("schema").member("openAPIV3Schema");
        selectable::check(check, &version.member("selectableFields"), schema.value);
    }
}

fn columns(check: &mut Check<'_>, place: &Place<'_>) {
    for column in place.items() {
        let name = column.member("name");
        if name.is_empty() {
            check.push(FieldError::required(&*name.path, ""));
        }
        let types = ["boolean", "date", "integer", "number", "string"];
        let type_ = column.member("type");
        if type_.is_empty() {
            let detail = format!("must be one of {}", types.join(","));
            check.push(FieldError::required(&*type_.path, detail));
        } else if !types.contains(&type_.text()) {
            let detail = format!("must be one of {}", types.join(","));
            check.push(FieldError::invalid(&*type_.path, type_.text(), detail));
        }
        // It is told by the name that it has inside of upstream.
        let mut path = column.member("jsonPath");
        path.path = format!("{}.JSONPath", column.path);
        if path.is_empty() {
            check.push(FieldError::required(&*path.path, ""));
        } else if !path.text().starts_with('.') {
            let detail = "must be a simple json path starting with .";
            check.push(FieldError::invalid(&*path.path, path.text(), detail));
        } else if let Err(error) = JsonPath::parse(path.text()) {
            let detail = format!("is an invalid path: {error}");
            check.push(FieldError::invalid(&*path.path, path.text(), detail));
        }
    }
}

fn kind_names(check: &mut Check<'_>, place: &Place<'_>) {
    for name in ["plural", "singular", "kind", "listKind"] {
        let member = place.member(name);
        if member.is_empty() {
            check.push(FieldError::required(&*member.path, ""));
        }
    }
    names_of(check, place);
}

/// Names as far as there are any.
pub(super) fn names_of(check: &mut Check<'_>, place: &Place<'_>) {
    let mut say = |member: &Place<'_>, mixed: bool| {
        let text = if mixed { member.text().to_lowercase() } else { member.text().to_owned() };
        let wrong = names::label_1035(&text);
        if member.is_empty() || wrong.is_empty() {
            return;
        }
        let hint = "may have mixed case, but should otherwise match: ";
        let detail = format!("{}{}", if mixed { hint } else { "" }, wrong.join(","));
        check.push(FieldError::invalid(&*member.path, member.text(), detail));
    };
    say(&place.member("plural"), false);
    say(&place.member("singular"), false);
    say(&place.member("kind"), true);
    say(&place.member("listKind"), true);
    for list in ["shortNames", "categories"] {
        place.member(list).items().iter().for_each(|name| say(name, false));
    }
    let (kind, list) = (place.member("kind"), place.member("listKind"));
    if !kind.is_empty() && kind.text() == list.text() {
        let detail = "kind and listKind may not be the same";
        check.push(FieldError::invalid(&*list.path, list.text(), detail));
    }
}

/// Groups of the Kubernetes project are not for everybody.
fn approval(check: &mut Check<'_>, group: &str) {
    let text = approval::annotation(check.new);
    let unchanged = check.old.is_some_and(|old| approval::annotation(old) == text);
    if !approval::is_protected(group) || unchanged {
        return;
    }
    let place = format!("metadata.annotations[{}]", approval::ANNOTATION);
    match approval::state(text) {
        State::Missing(detail) => check.push(FieldError::required(place, detail)),
        State::Invalid(detail) => check.push(FieldError::invalid(place, text, detail)),
        State::Bypassed(_) | State::Approved(_) => {}
    }
}
