//! Disks and shares that a pod names itself.

use watchkeeper_schema::FieldError;

use crate::kind_validation::storage::driver_name;
use crate::kind_validation::{Check, Place, names};

/// The longest name of a volume with its portal that an initiator can be told.
const LONGEST_PORTAL: usize = 64;
const LONGEST_TENANT: usize = 64;
const UNIT: &str = "must be between 0 and 255, inclusive";

/// What a source has beside the parts that must be there.
pub(in crate::kind_validation) fn of_storage(
    check: &mut Check<'_>,
    name: &str,
    source: &Place<'_>,
) {
    match name {
        "gitRepo" => super::files::descending(check, &source.member("directory")),
        // Upstream takes none for 0, and tells of it so.
        "gcePersistentDisk" | "awsElasticBlockStore" => {
            byte(check, &source.member("partition"), "must be between 1 and 255, inclusive");
        }
        "flocker" => flocker(check, source),
        "cinder" => secret(check, source),
        "quobyte" => quobyte(check, source),
        "fc" => fibre_channel(check, source),
        "flexVolume" => flexible(check, source),
        "azureDisk" => azure_disk(check, source),
        "storageos" => storage_os(check, source),
        "csi" => csi(check, source),
        _ => {}
    }
}

fn say(check: &mut Check<'_>, place: &Place<'_>, detail: &str) {
    check.push(FieldError::invalid(&*place.path, place.text(), detail));
}

/// A number of eight bits.
fn byte(check: &mut Check<'_>, place: &Place<'_>, detail: &str) {
    if let Some(number) = place.number().filter(|number| !(0..=255).contains(number)) {
        check.push(FieldError::invalid(&*place.path, number, detail));
    }
}

/// A secret that is named has a name.
fn secret(check: &mut Check<'_>, source: &Place<'_>) {
    let secret = source.member("secretRef");
    if !secret.is_missing() && secret.member("name").is_empty() {
        check.push(FieldError::required(secret.member("name").path, ""));
    }
}

/// `validateISCSIVolumeSource`
pub(super) fn iscsi(check: &mut Check<'_>, source: &Place<'_>, volume: &Place<'_>) {
    let (target, initiator) = (source.member("iqn"), source.member("initiatorName"));
    if !target.is_empty() {
        qualified(check, &target, target.text());
    }
    byte(check, &source.member("lun"), UNIT);
    let asks = |name: &str| source.member(name).value == Some(&true.into());
    let secret = source.member("secretRef");
    if (asks("chapAuthDiscovery") || asks("chapAuthSession")) && secret.is_missing() {
        check.push(FieldError::required(secret.path, ""));
    }
    if initiator.is_missing() {
        return;
    }
    let told = Place { path: source.member("initiatorname").path, ..initiator };
    qualified(check, &told, told.text());
    let (name, portal) = (volume.member("name"), source.member("targetPortal"));
    if name.text().len() + 1 + portal.text().len() > LONGEST_PORTAL {
        let detail = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if \
                      iscsi.initiatorName is specified.";
        say(check, &name, detail);
    }
}

/// A name in one of three forms.
fn qualified(check: &mut Check<'_>, place: &Place<'_>, name: &str) {
    let numbered = |rest: &str, digits: usize| {
        // Any sign may stand between.
        let mut signs = rest.chars();
        let has_sign = signs.next().is_some();
        let digits_there = signs.as_str();
        has_sign
            && digits_there.len() == digits
            && digits_there.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let is_valid = match name.get(..3) {
        Some("iqn") => is_named(name),
        Some("eui") => numbered(&name[3..], 16),
        Some("naa") => numbered(&name[3..], 32),
        _ => return say(check, place, "must be valid format starting with iqn, eui, or naa"),
    };
    if !is_valid {
        say(check, place, "must be valid format");
    }
}

/// `iqn.2026-11.com.example:disk`; as upstream does not look at how it begins, it may stand anywhere at the end.
fn is_named(name: &str) -> bool {
    let is_date = |text: &str| {
        let bytes = text.as_bytes();
        let fits = |(at, byte): (usize, &u8)| match at {
            4 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        bytes.len() == 7 && bytes.iter().enumerate().all(fits)
    };
    const REFUSED: [char; 11] = [',', ';', '*', '&', '$', '|', ' ', '\t', '\n', '\r', '\u{c}'];
    let begin = name.rfind(REFUSED).map_or(0, |at| at + 1);
    // No sign of a host is a colon, so each colon has at most one host before it.
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let colons = name.match_indices(':').map(|(at, _)| at);
    colons.filter(|at| (begin..name.len() - 1).contains(at)).any(|at| {
        let before = &name[..at];
        let run = &before[before.trim_end_matches(is_sign).len()..];
        run.match_indices("iqn.").any(|(at, begin)| {
            let rest = &run[at + begin.len()..];
            let host = rest.get(7..).and_then(|rest| rest.strip_prefix('.'));
            rest.get(..7).is_some_and(is_date) && host.is_some_and(|host| !host.is_empty())
        })
    })
}

fn flocker(check: &mut Check<'_>, source: &Place<'_>) {
    let (name, id) = (source.member("datasetName"), source.member("datasetUUID"));
    match (name.is_empty(), id.is_empty()) {
        (true, true) => {
            let detail = "one of datasetName and datasetUUID is required";
            check.push(FieldError::required(&*source.path, detail));
        }
        (false, false) => {
            let detail = "datasetName and datasetUUID can not be specified simultaneously";
            check.push(FieldError::invalid(&*source.path, "resource", detail));
        }
        _ => {}
    }
    if name.text().contains('/') {
        say(check, &name, "must not contain '/'");
    }
}

/// Hosts with ports, with commas between.
fn quobyte(check: &mut Check<'_>, source: &Place<'_>) {
    const DETAIL: &str = "must be a host:port pair or multiple pairs separated by commas";
    let [registry, tenant, volume] =
        ["registry", "tenant", "volume"].map(|name| source.member(name));
    if registry.is_empty() {
        check.push(FieldError::required(&*registry.path, DETAIL));
    } else if tenant.text().len() > LONGEST_TENANT {
        let detail = "must be a UUID and may not exceed a length of 64 characters";
        check.push(FieldError::required(&*tenant.path, detail));
    } else {
        for _ in registry.text().split(',').filter(|pair| !is_host_and_port(pair)) {
            if check.is_full() {
                break;
            }
            say(check, &registry, DETAIL);
        }
    }
    if volume.is_empty() {
        check.push(FieldError::required(&*volume.path, ""));
    }
}

/// As Go's `net.SplitHostPort` takes them: an address of version 6 is in brackets.
fn is_host_and_port(pair: &str) -> bool {
    let Some((host, port)) = pair.rsplit_once(':') else { return false };
    let is_plain = |text: &str| !text.contains(['[', ']']);
    match host.strip_prefix('[') {
        Some(inner) => inner.strip_suffix(']').is_some_and(is_plain) && is_plain(port),
        None => !host.contains(':') && is_plain(host) && is_plain(port),
    }
}

fn fibre_channel(check: &mut Check<'_>, source: &Place<'_>) {
    let [ports, ids, number] = ["targetWWNs", "wwids", "lun"].map(|name| source.member(name));
    match (ports.is_empty(), ids.is_empty()) {
        (true, true) => {
            let detail = "must specify either targetWWNs or wwids, but not both";
            check.push(FieldError::required(&*ports.path, detail));
        }
        (false, false) => {
            let value = ports.value.cloned().unwrap_or_default();
            let detail = "targetWWNs and wwids can not be specified simultaneously";
            check.push(FieldError::invalid(&*ports.path, value, detail));
        }
        _ => {}
    }
    if ports.is_empty() {
        return;
    }
    if number.is_missing() {
        let detail = "lun is required if targetWWNs is specified";
        check.push(FieldError::required(&*number.path, detail));
    }
    byte(check, &number, UNIT);
}

/// Options are the driver's own.
fn flexible(check: &mut Check<'_>, source: &Place<'_>) {
    let options = source.member("options");
    for (name, _) in options.entries() {
        let domain = name.split_once('/').map_or(name, |(domain, _)| domain);
        let domain = format!(".{}", domain.to_lowercase());
        if domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io") {
            let path = watchkeeper_schema::error::key(&options.path, name);
            let detail = "kubernetes.io and k8s.io namespaces are reserved";
            check.push(FieldError::invalid(path, name, detail));
        }
    }
}

fn azure_disk(check: &mut Check<'_>, source: &Place<'_>) {
    const MANAGED: &str = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
    const BLOB: &str =
        "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
    check.optional(&source.member("cachingMode"), &["None", "ReadOnly", "ReadWrite"]);
    let (kind, uri) = (source.member("kind"), source.member("diskURI"));
    check.optional(&kind, &["Dedicated", "Managed", "Shared"]);
    let (begin, form) = match kind.text() {
        _ if kind.is_missing() => return,
        "Managed" => ("/subscriptions/", MANAGED),
        _ => ("https://", BLOB),
    };
    if !uri.text().starts_with(begin) {
        check.push(FieldError::not_supported(&*uri.path, uri.text(), [form]));
    }
}

fn storage_os(check: &mut Check<'_>, source: &Place<'_>) {
    let (name, namespace) = (source.member("volumeName"), source.member("volumeNamespace"));
    check.name(&name, "", names::label);
    if !namespace.is_empty() {
        check.all(&namespace, namespace.text(), names::label(namespace.text()));
    }
    secret(check, source);
}

/// A driver by its name, and a secret at a path that leads nowhere.
fn csi(check: &mut Check<'_>, source: &Place<'_>) {
    driver_name(check, &source.member("driver"));
    let secret = source.member("nodePublishSecretRef");
    if secret.is_missing() {
        return;
    }
    let name = secret.member("name");
    if name.is_empty() {
        return check.push(FieldError::required(name.path, ""));
    }
    let told = Place { path: source.member("name").path, ..name };
    check.all(&told, told.text(), names::subdomain(told.text()));
}
