//! `ServiceAccount`: who the containers of a pod are.
//!
//! Off unless asked for, as in envtest: it refuses pods until somebody has made the account.

use serde_json::{Value, json};

use super::{Asked, forbidden};
use crate::error::ApiError;
use crate::storage::key;
use crate::turn::Turn;

/// Where containers find the token.
const PLACE: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
/// How the volume is named that holds it.
const PREFIX: &str = "kube-api-access-";

/// Gives a new pod its account, the token of that, and the secrets by which its images are pulled.
///
/// # Errors
///
/// 403 while the account is not there.
pub(super) fn admit(
    turn: &mut Turn<'_>,
    asked: Asked<'_>,
    pod: &mut Value,
) -> Result<(), ApiError> {
    if !turn.core.config.service_accounts {
        return Ok(());
    }
    let namespace = &asked.call.namespace;
    if !pod["metadata"]["annotations"]["kubernetes.io/config.mirror"].is_null() {
        return mirror(asked, pod);
    }
    let name = pod["spec"]["serviceAccountName"].as_str().unwrap_or_default();
    let name = if name.is_empty() { "default" } else { name }.to_owned();
    let account = turn.core.store.get("serviceaccounts", &key(namespace, &name)).cloned();
    let Some(account) = account else {
        let quoted = crate::error::quoted(&name);
        let why = format!(
            "error looking up service account {namespace}/{name}: serviceaccount {quoted} not found"
        );
        return Err(forbidden(asked, pod, &why));
    };
    pod["spec"]["serviceAccountName"] = name.as_str().into();
    pod["spec"]["serviceAccount"] = name.into();
    let automount = |object: &Value| object["automountServiceAccountToken"].as_bool();
    let account = account.value();
    if automount(&pod["spec"]).or(automount(&account)).unwrap_or(true) {
        mount(turn, pod);
    }
    let secrets = pod["spec"]["imagePullSecrets"].as_array().is_some_and(|list| !list.is_empty());
    if !secrets && let Some(own) = account["imagePullSecrets"].as_array() {
        pod["spec"]["imagePullSecrets"] = own.clone().into();
    }
    Ok(())
}

/// What a kubelet shows of its own pods has no account.
fn mirror(asked: Asked<'_>, pod: &Value) -> Result<(), ApiError> {
    if pod["spec"]["serviceAccountName"].as_str().is_none_or(str::is_empty) {
        return Ok(());
    }
    Err(forbidden(asked, pod, "a mirror pod may not reference service accounts"))
}

fn mount(turn: &mut Turn<'_>, pod: &mut Value) {
    let volumes = pod["spec"]["volumes"].as_array().into_iter().flatten();
    let mut names = volumes.filter_map(|volume| volume["name"].as_str());
    // Containers that came later share the volume of the first ones.
    let known = names.find(|name| name.starts_with(PREFIX)).map(str::to_owned);
    let is_new = known.is_none();
    let name = known.unwrap_or_else(|| format!("{PREFIX}{}", turn.rng.suffix(5)));
    let mut needed = false;
    for list in ["initContainers", "containers"] {
        for container in pod["spec"][list].as_array_mut().into_iter().flatten() {
            if !container["volumeMounts"].is_array() {
                container["volumeMounts"] = json!([]);
            }
            let Some(mounts) = container["volumeMounts"].as_array_mut() else { continue };
            if mounts.iter().any(|mount| mount["mountPath"] == PLACE) {
                continue;
            }
            mounts.push(json!({"name": name, "readOnly": true, "mountPath": PLACE}));
            needed = true;
        }
    }
    if !needed || !is_new {
        return;
    }
    if !pod["spec"]["volumes"].is_array() {
        pod["spec"]["volumes"] = json!([]);
    }
    if let Some(volumes) = pod["spec"]["volumes"].as_array_mut() {
        volumes.push(volume(&name));
    }
}

fn volume(name: &str) -> Value {
    let reference = json!({"apiVersion": "v1", "fieldPath": "metadata.namespace"});
    json!({
        "name": name,
        "projected": {
            "defaultMode": 420,
            "sources": [
                {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
                {"configMap": {
                    "name": "kube-root-ca.crt",
                    "items": [{"key": "ca.crt", "path": "ca.crt"}],
                }},
                {"downwardAPI": {"items": [{"path": "namespace", "fieldRef": reference}]}},
            ],
        },
    })
}
