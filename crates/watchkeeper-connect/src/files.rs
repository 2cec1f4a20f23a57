//! What the machine tells: environment, home, the files of a pod.

use std::path::PathBuf;

use watchkeeper_api::Result;

use crate::say;

/// Where Kubernetes puts a pod's credentials.
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The files of `KUBECONFIG`, else `~/.kube/config`.
pub(crate) fn default_paths() -> Vec<PathBuf> {
    if let Some(list) = std::env::var_os("KUBECONFIG").filter(|list| !list.is_empty()) {
        return std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect();
    }
    std::env::home_dir().map(|home| home.join(".kube").join("config")).into_iter().collect()
}

/// What a pod knows of its cluster.
pub(crate) struct Pod {
    pub(crate) server: String,
    pub(crate) ca: PathBuf,
    pub(crate) token: PathBuf,
    pub(crate) namespace: Option<String>,
}

pub(crate) fn in_cluster() -> Result<Pod> {
    let (host, port) = (variable("KUBERNETES_SERVICE_HOST"), variable("KUBERNETES_SERVICE_PORT"));
    let (Some(host), Some(port)) = (host, port) else {
        return Err(say!(
            "this does not run in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set"
        ));
    };
    let folder = PathBuf::from(SERVICE_ACCOUNT);
    let token = folder.join("token");
    if !token.exists() {
        return Err(say!(
            "the pod has no {}; does it set automountServiceAccountToken to false?",
            token.display()
        ));
    }
    let namespace = std::fs::read_to_string(folder.join("namespace")).ok();
    let host = if host.contains(':') { format!("[{host}]") } else { host };
    Ok(Pod {
        server: format!("https://{host}:{port}"),
        ca: folder.join("ca.crt"),
        token,
        namespace: namespace.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()),
    })
}

#[expect(clippy::disallowed_methods, reason = "this crate is the edge that reads the environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
