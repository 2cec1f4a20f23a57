//! The config maps in `kube-system` that a kube-apiserver makes for itself
//! (`kubernetes/pkg/controlplane/controller/clusterauthenticationtrust` and `legacytokentracking`).

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::clock::Now;
use crate::registry::Registry;
use crate::storage::{Stored, TableName};

/// Since when it is noted that tokens of Secrets are used.
const TRACKING: &str = "kube-apiserver-legacy-service-account-token-tracking";
/// Who vouches for clients: servers behind this one may ask.
const AUTHENTICATION: &str = "extension-apiserver-authentication";
/// How long the lines of a certificate are.
const LINE: usize = 64;

/// The maps of a server that knows clients by these authorities, each in DER. Without any there is no map about them, as
/// upstream makes none that would be empty; nobody asks through a front proxy here.
pub(crate) fn control_plane_maps(
    registry: &Registry,
    authorities: &[Vec<u8>],
    revision: u64,
    now: Now,
) -> Vec<(TableName, Arc<Stored>)> {
    let moment = now.rfc3339();
    let day = moment.split_once('T').map_or(&*moment, |(day, _)| day);
    let mut maps = vec![(TRACKING, json!({"since": day}))];
    if !authorities.is_empty() {
        maps.push((AUTHENTICATION, json!({"client-ca-file": pem(authorities)})));
    }
    let made = maps.into_iter().filter_map(|(name, data)| {
        // Who deleted one before a restart finds another, not that one again.
        let uid = super::uid(&format!("configmaps/kube-system/{name}@{revision}"));
        let metadata = json!({"name": name, "namespace": "kube-system", "uid": uid});
        let map = json!({"kind": "ConfigMap", "metadata": metadata, "data": data});
        super::made(registry, "", &map, revision, now)
    });
    made.collect()
}

/// Certificates as text, each of them once.
fn pem(certificates: &[Vec<u8>]) -> String {
    let mut text = String::new();
    for certificate in certificates {
        let encoded = STANDARD.encode(certificate);
        let mut block = "-----BEGIN CERTIFICATE-----\n".to_owned();
        for line in encoded.as_bytes().chunks(LINE) {
            block.extend(line.iter().map(|byte| char::from(*byte)));
            block.push('\n');
        }
        block.push_str("-----END CERTIFICATE-----\n");
        if !text.contains(&block) {
            text.push_str(&block);
        }
    }
    text
}

#[cfg(test)]
mod tests;
