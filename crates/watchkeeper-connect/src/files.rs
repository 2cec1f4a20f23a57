//! What the machine tells: environment, home, the files of a pod.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use watchkeeper_api::Result;

use crate::say;

#[cfg(test)]
mod tests;

/// Where Kubernetes puts a pod's credentials.
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The files of `KUBECONFIG`, else `~/.kube/config`.
pub(crate) fn default_paths() -> Vec<PathBuf> {
    paths(std::env::var_os("KUBECONFIG"), std::env::home_dir())
}

fn paths(list: Option<OsString>, home: Option<PathBuf>) -> Vec<PathBuf> {
    match list.filter(|list| !list.is_empty()) {
        Some(list) => {
            std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect()
        }
        None => home.map(|home| home.join(".kube").join("config")).into_iter().collect(),
    }
}

/// What a pod knows of its cluster.
pub(crate) struct Pod {
    pub(crate) server: String,
    pub(crate) ca: PathBuf,
    pub(crate) token: PathBuf,
    pub(crate) namespace: Option<String>,
}

/// The pod that this runs in.
pub(crate) fn in_cluster() -> Result<Pod> {
    let (host, port) = (variable("KUBERNETES_SERVICE_HOST"), variable("KUBERNETES_SERVICE_PORT"));
    let (Some(host), Some(port)) = (host, port) else {
        return Err(say!(
            "this does not run in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; outside of \
             one, use a kubeconfig"
        ));
    };
    Pod::read(&host, &port, Path::new(SERVICE_ACCOUNT))
}

impl Pod {
    pub(crate) fn read(host: &str, port: &str, folder: &Path) -> Result<Self> {
        let token = folder.join("token");
        if !token.exists() {
            return Err(say!(
                "the pod has no {}; does it set automountServiceAccountToken to false?",
                token.display()
            ));
        }
        let namespace = std::fs::read_to_string(folder.join("namespace")).ok();
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        Ok(Self {
            server: format!("https://{host}:{port}"),
            ca: folder.join("ca.crt"),
            token,
            namespace: namespace.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()),
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "this crate is the edge that reads the environment")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
