//! Of the volumes of a pod: kinds on their way out, and files at one place.

use std::rc::Rc;

use serde_json::Value;
use watchkeeper_schema::error::{child, item};

use super::{amounts, items};
use crate::error::quoted;

/// Kinds of volumes that are gone or go, and what is said of them.
const DEPRECATED: [(&str, &str); 9] = [
    ("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
    ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
    ("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

/// A path and where it comes from, if from one of several sources.
type At = (String, Rc<str>);

/// So many pairs of files are looked at, and so many bytes told of them, which is more than any pod has that means
/// something, and more than anybody is told.
const PAIRS: usize = 1_000_000;
const BYTES: usize = 1_000_000;

/// What is said of the volumes of a pod.
pub(super) fn volumes(spec: &Value, path: &str, warnings: &mut Vec<String>) {
    let list = child(path, "volumes");
    for (index, volume) in items(&spec["volumes"]).iter().enumerate() {
        for (name, why) in DEPRECATED {
            if !volume[name].is_null() {
                // So upstream spells it here.
                let told = if name == "storageos" { "storageOS" } else { name };
                warnings.push(format!("{}: {why}", child(&item(&list, index), told)));
            }
        }
        let place = child(&item(&list, index), "ephemeral.volumeClaimTemplate.spec");
        let claim = &volume["ephemeral"]["volumeClaimTemplate"]["spec"];
        amounts::of_claim_spec(claim, &place, warnings);
    }
    let mut overlaps = Overlaps { pairs: 0, bytes: 0, warnings };
    for volume in items(&spec["volumes"]) {
        let name = quoted(volume["name"].as_str().unwrap_or_default());
        overlaps.of_volume(volume, &name);
    }
}

/// Files of one volume at one place.
struct Overlaps<'a> {
    pairs: usize,
    bytes: usize,
    warnings: &'a mut Vec<String>,
}

impl Overlaps<'_> {
    fn of_volume(&mut self, volume: &Value, name: &str) {
        for (kind, shown, called) in [
            ("configMap", "ConfigMap ", "name"),
            ("secret", "Secret ", "secretName"),
            ("downwardAPI", "DownwardAPI", ""),
        ] {
            let source = &volume[kind];
            if items(&source["items"]).is_empty() {
                continue;
            }
            let what = match called {
                "" => shown.to_owned(),
                called => format!("{shown}{}", quoted(source[called].as_str().unwrap_or_default())),
            };
            self.among(paths(source, ""), &mut Vec::new(), &format!("volume {name} ({what})"));
        }
        let mut known = Vec::new();
        let what = format!("volume {name} (Projected)");
        for source in items(&volume["projected"]["sources"]) {
            if source.as_object().is_some_and(serde_json::Map::is_empty) {
                self.warnings.push(format!("{what} has no sources provided"));
            }
            self.among(projected(source), &mut known, &what);
        }
    }

    /// Tells of the paths before each that are the same, or above it or below it.
    fn among(&mut self, paths: Vec<At>, known: &mut Vec<At>, what: &str) {
        for (path, from) in paths {
            let this = (path.trim_end_matches('/').to_owned(), from);
            self.pairs += known.len();
            if this.0.is_empty() || self.pairs > PAIRS {
                continue;
            }
            for other in known.iter() {
                if self.bytes < BYTES
                    && (is_below(&this.0, &other.0) || is_below(&other.0, &this.0))
                {
                    let both = format!("{} with {}", shown(&this), shown(other));
                    let warning = format!("{what}: overlapping paths: {both}");
                    self.bytes += warning.len();
                    self.warnings.push(warning);
                }
            }
            known.push(this);
        }
    }
}

fn shown((path, from): &At) -> String {
    match &**from {
        "" => quoted(path),
        from => format!("{} ({from})", quoted(path)),
    }
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn paths(source: &Value, from: &str) -> Vec<At> {
    let path = |file: &Value| file["path"].as_str().unwrap_or_default().to_owned();
    let from: Rc<str> = from.into();
    items(&source["items"]).iter().map(|file| (path(file), Rc::clone(&from))).collect()
}

/// The files of the first source that has some.
fn projected(source: &Value) -> Vec<At> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for (kind, shown) in [("configMap", "ConfigMap"), ("secret", "Secret")] {
        if source[kind]["items"].is_array() {
            let from = format!("{shown} {}", quoted(&text(&source[kind]["name"])));
            return paths(&source[kind], &from);
        }
    }
    if source["downwardAPI"]["items"].is_array() {
        return paths(&source["downwardAPI"], "DownwardAPI");
    }
    let token = &source["serviceAccountToken"];
    if token.is_object() {
        return vec![(text(&token["path"]), "ServiceAccountToken".into())];
    }
    let bundle = &source["clusterTrustBundle"];
    if bundle.is_object() {
        let name = if bundle["name"].is_null() { &bundle["signerName"] } else { &bundle["name"] };
        let from = format!("ClusterTrustBundle {}", quoted(&text(name)));
        return vec![(text(&bundle["path"]), from.into())];
    }
    let certificate = &source["podCertificate"];
    let files = [
        ("certificateChainPath", "PodCertificate chain"),
        ("keyPath", "PodCertificate key"),
        ("credentialBundlePath", "PodCertificate credential bundle"),
    ];
    let files = files.map(|(name, from)| (text(&certificate[name]), from.into()));
    files.into_iter().filter(|(path, _)| !path.is_empty()).collect()
}

#[cfg(test)]
mod tests;
