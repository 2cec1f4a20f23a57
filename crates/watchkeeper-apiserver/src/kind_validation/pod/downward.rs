//! Fields of a pod, and resources of its containers, as variables and files.

use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;

use super::{Check, Place, names};

/// What a variable may be.
pub(super) const OF_VARIABLES: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
/// What a file may be.
pub(super) const OF_FILES: [&str; 5] = [
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
];

/// Fields that a pod has by name; of two of them there is a part in brackets as well.
const KNOWN: [&str; 14] = [
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.serviceAccountName",
    "spec.schedulerName",
    "status.phase",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];

const RESOURCES: [&str; 6] = [
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];
const BYTES: [&str; 13] =
    ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/// One of these fields, or an entry of the labels or annotations (`validateObjectFieldSelector`).
pub(super) fn field(check: &mut Check<'_>, place: &Place<'_>, allowed: &[&str]) {
    let (version, path) = (place.member("apiVersion"), place.member("fieldPath"));
    for needed in [&version, &path] {
        if needed.is_empty() {
            return check.push(FieldError::required(&*needed.path, ""));
        }
    }
    let (whole, entry) = (path.text(), entry(path.text()));
    let wrong = match entry {
        _ if version.text() != "v1" => format!("unsupported pod version: {}", version.text()),
        Some(("metadata.annotations", name)) => {
            return check.all(place, name, names::qualified(&name.to_lowercase()));
        }
        Some(("metadata.labels", name)) => {
            return check.all(place, name, names::qualified(name));
        }
        Some(_) => format!("field label does not support subscript: {whole}"),
        // So old clients call it.
        None if KNOWN.contains(&whole) || whole == "spec.host" => {
            let told = if whole == "spec.host" { "spec.nodeName" } else { whole };
            if !allowed.contains(&told) {
                check.push(FieldError::not_supported(&*path.path, told, allowed));
            }
            return;
        }
        None => format!("field label not supported: {whole}"),
    };
    let detail = format!("error converting fieldPath: {wrong}");
    check.push(FieldError::invalid(&*path.path, whole, detail));
}

/// `metadata.labels['name']` in its two parts.
fn entry(path: &str) -> Option<(&str, &str)> {
    let (of, name) = path.strip_suffix("']")?.split_once("['")?;
    (!of.is_empty()).then_some((of, name))
}

/// What a container asks for or may take, in some unit (`validateContainerResourceFieldSelector`). A file tells of which
/// container.
pub(super) fn resource(check: &mut Check<'_>, place: &Place<'_>, is_file: bool) {
    let (container, resource) = (place.member("containerName"), place.member("resource"));
    let is_of_pages = ["limits.hugepages-", "requests.hugepages-"]
        .iter()
        .any(|pages| resource.text().starts_with(pages));
    if is_file && container.is_empty() {
        check.push(FieldError::required(&*container.path, ""));
    } else if resource.is_empty() {
        check.push(FieldError::required(&*resource.path, ""));
    } else if !RESOURCES.contains(&resource.text()) && !is_of_pages {
        check.push(FieldError::not_supported(&*resource.path, resource.text(), RESOURCES));
    }
    divisor(check, place, resource.text(), is_of_pages);
}

/// Of a divisor that does not fit the resource is told, not the divisor.
fn divisor(check: &mut Check<'_>, place: &Place<'_>, resource: &str, is_of_pages: bool) {
    let divisor = place.member("divisor");
    let amount = Quantity::from(divisor.text());
    if divisor.is_empty() || amount == Quantity::from("0") {
        return;
    }
    let of = resource.split_once('.').map_or("", |(_, of)| of);
    let (units, allowed, what): (&[&str], _, _) = match of {
        _ if is_of_pages => (&BYTES, BYTES.join(", "), "hugepages"),
        _ if !RESOURCES.contains(&resource) => return,
        "cpu" => (&["1m", "1"], "1m and 1".to_owned(), "cpu"),
        "memory" => (&BYTES, BYTES.join(", "), "memory"),
        _ => (&BYTES, BYTES.join(", "), "local ephemeral storage"),
    };
    let text = amount.canonical().unwrap_or(amount);
    if !units.contains(&text.as_str()) {
        let detail =
            format!("only divisor's values {allowed} are supported with the {what} resource");
        check.push(FieldError::invalid(&*divisor.path, resource, detail));
    }
}
