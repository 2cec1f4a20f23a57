//! The volumes of a pod (`ValidateVolumes` and `validateVolumeSource` in `pkg/apis/core/validation`).

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;

use super::mounts::Volumes;
use super::{Check, Place, Whose};
use crate::kind_validation::{metadata, names, volumes};

pub(in crate::kind_validation) mod files;
pub(in crate::kind_validation) mod sources;

/// What volumes are made of, in the order in which upstream looks, each with what must be told of it.
const SOURCES: [(&str, &[&str]); 30] = [
    ("emptyDir", &[]),
    ("hostPath", &["path"]),
    ("gitRepo", &["repository"]),
    ("gcePersistentDisk", &["pdName"]),
    ("awsElasticBlockStore", &["volumeID"]),
    ("secret", &["secretName"]),
    ("nfs", &["server", "path"]),
    ("iscsi", &["targetPortal", "iqn"]),
    ("glusterfs", &["endpoints", "path"]),
    ("flocker", &[]),
    ("persistentVolumeClaim", &["claimName"]),
    ("rbd", &["monitors", "image"]),
    ("cinder", &["volumeID"]),
    ("cephfs", &["monitors"]),
    ("quobyte", &[]),
    ("downwardAPI", &[]),
    ("fc", &[]),
    ("flexVolume", &["driver"]),
    ("configMap", &["name"]),
    ("azureFile", &["secretName", "shareName"]),
    ("vsphereVolume", &["volumePath"]),
    ("photonPersistentDisk", &["pdID"]),
    ("portworxVolume", &["volumeID"]),
    ("azureDisk", &["diskName", "diskURI"]),
    ("storageos", &[]),
    ("projected", &[]),
    ("scaleIO", &["gateway", "system", "volumeName"]),
    ("csi", &[]),
    ("ephemeral", &["volumeClaimTemplate"]),
    ("image", &[]),
];

/// Of a pod with a longer name that is told, and not of each of its claims again.
const LONGEST: usize = 1024;

const HOST_PATH_TYPES: [&str; 8] = [
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
];

/// The names of the volumes of which nothing is wrong, and whether each is a claim. Those that a controller adds come before those of the template,
/// and in the place of those of the same name.
pub(super) fn check<'a>(
    check: &mut Check<'_>,
    place: &Place<'a>,
    whose: &Whose<'a>,
) -> Volumes<'a> {
    let mut seen = BTreeMap::new();
    let made = made(place);
    let claimed: BTreeSet<&str> = whose.claimed.iter().copied().collect();
    for (index, name) in claimed.iter().enumerate() {
        let path = watchkeeper_schema::error::item(&place.path, index);
        added(check, &path, name, &mut seen);
    }
    let own = place.items().into_iter().filter(|own| !claimed.contains(own.member("name").text()));
    for (index, volume) in own.enumerate() {
        let path = watchkeeper_schema::error::item(&place.path, claimed.len() + index);
        let volume = Place { path, ..volume };
        let told = check.errors.len();
        source(check, &volume, whose);
        let name = volume.member("name");
        check.name(&name, "", names::label);
        if seen.contains_key(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
        let claim = volume.member("persistentVolumeClaim");
        if check.errors.len() == told {
            seen.insert(name.text(), !claim.is_missing() || volume.has("ephemeral"));
        }
        let claim = claim.member("claimName");
        if !claim.is_missing() && is_made(claim.text(), &made, whose) {
            let detail = "must not reference a PVC that gets created for an ephemeral volume";
            check.push(FieldError::invalid(&*claim.path, claim.text(), detail));
        }
    }
    seen
}

/// The volumes whose claims are made for a pod.
fn made<'a>(place: &Place<'a>) -> BTreeSet<&'a str> {
    let volumes = place.items();
    let ephemeral = volumes.iter().filter(|volume| volume.has("ephemeral"));
    ephemeral.map(|volume| volume.member("name").text()).collect()
}

/// Whether a claim is called as one that is made for a pod and one of these volumes.
fn is_made(claim: &str, made: &BTreeSet<&str>, whose: &Whose<'_>) -> bool {
    let pod = whose.pod.filter(|pod| !pod.is_empty());
    let volume = pod.and_then(|pod| claim.strip_prefix(pod)?.strip_prefix('-'));
    volume.is_some_and(|volume| made.contains(volume))
}

/// A volume that is a claim of this name.
fn added<'a>(check: &mut Check<'_>, path: &str, name: &'a str, seen: &mut Volumes<'a>) {
    if name.is_empty() {
        check.push(FieldError::required(format!("{path}.persistentVolumeClaim.claimName"), ""));
        return check.push(FieldError::required(format!("{path}.name"), ""));
    }
    let wrong = names::label(name);
    if wrong.is_empty() {
        seen.insert(name, true);
    }
    let place = Place { value: None, path: format!("{path}.name") };
    check.all(&place, name, wrong);
}

/// What must be told of a source.
pub(in crate::kind_validation) fn required(name: &str) -> &'static [&'static str] {
    SOURCES.iter().find(|(source, _)| *source == name).map_or(&[], |(_, required)| required)
}

/// The first source counts, and there is no other.
fn source(check: &mut Check<'_>, volume: &Place<'_>, whose: &Whose<'_>) {
    let mut given = SOURCES.iter().filter(|(name, _)| volume.has(name));
    let Some((name, required)) = given.next() else {
        return check.push(FieldError::required(&*volume.path, "must specify a volume type"));
    };
    let mut source = volume.member(name);
    if *name == "gcePersistentDisk" {
        // So upstream calls it here.
        source.path = volume.member("persistentDisk").path;
    }
    let source = &source;
    let required = required.iter().map(|name| source.member(name));
    for place in required.filter(Place::is_empty) {
        check.push(FieldError::required(&*place.path, ""));
    }
    inside(check, name, source, (volume, whose));
    for (other, _) in given {
        // So upstream spells these two here.
        let path = volume
            .member(other)
            .path
            .replace("downwardAPI", "downwarAPI")
            .replace("cephfs", "cephFS");
        check.push(FieldError::forbidden(path, "may not specify more than 1 volume type"));
    }
}

fn inside(
    check: &mut Check<'_>,
    name: &str,
    source: &Place<'_>,
    (volume, whose): (&Place<'_>, &Whose<'_>),
) {
    match name {
        "emptyDir" => {
            let limit = source.member("sizeLimit");
            if !limit.is_missing() && Quantity::from(limit.text()) < Quantity::from("0") {
                let detail = "SizeLimit field must be a valid resource quantity";
                check.push(FieldError::forbidden(&*limit.path, detail));
            }
        }
        "hostPath" => host_path(check, source),
        "nfs" => {
            let path = source.member("path");
            if !path.text().starts_with('/') {
                let detail = "must be an absolute path";
                check.push(FieldError::invalid(&*path.path, path.text(), detail));
            }
        }
        "secret" | "configMap" => {
            files::mode(check, &source.member("defaultMode"));
            files::keys(check, &source.member("items"));
        }
        "downwardAPI" => {
            files::mode(check, &source.member("defaultMode"));
            files::fields(check, &source.member("items"), &source.path);
        }
        "projected" => {
            files::mode(check, &source.member("defaultMode"));
            files::projected(check, source);
        }
        "ephemeral" => ephemeral(check, source, volume, whose),
        "image" => {
            let (reference, policy) = (source.member("reference"), source.member("pullPolicy"));
            if whose.pod.is_some() && reference.is_empty() {
                check.push(FieldError::required(reference.path, ""));
            }
            check.one_of(&policy, &["Always", "IfNotPresent", "Never"]);
        }
        "iscsi" => sources::iscsi(check, source, volume),
        _ => sources::of_storage(check, name, source),
    }
}

/// A path of a node, and what is there (`validateHostPathVolumeSource`).
pub(in crate::kind_validation) fn host_path(check: &mut Check<'_>, source: &Place<'_>) {
    let (path, of) = (source.member("path"), source.member("type"));
    if path.is_empty() {
        return;
    }
    files::no_steps_back(check, &path);
    check.optional(&of, &HOST_PATH_TYPES);
}

/// A claim that is made for the pod, and is called by the pod and the volume.
fn ephemeral(check: &mut Check<'_>, source: &Place<'_>, volume: &Place<'_>, whose: &Whose<'_>) {
    let template = source.member("volumeClaimTemplate");
    if !template.is_missing() {
        let marks = template.member("metadata");
        metadata::annotations(check, marks.member("annotations"));
        metadata::labels(check, &marks.member("labels"));
        volumes::claim_spec(check, &template.member("spec"));
    }
    let name = volume.member("name");
    let is_named = |pod: &&str| (1..LONGEST).contains(&pod.len()) && !name.is_empty();
    if let Some(pod) = whose.pod.filter(is_named) {
        let claim = format!("{pod}-{}", name.text());
        for wrong in names::subdomain(&claim) {
            let detail = format!("PVC name {}: {wrong}", watchkeeper_schema::error::quote(&claim));
            check.push(FieldError::invalid(&*name.path, name.text(), detail));
        }
    }
}
