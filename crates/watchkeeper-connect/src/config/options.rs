//! What a caller may say about a kubeconfig.

use std::path::PathBuf;

/// Which kubeconfig, and what of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// This file, and no other. Else those of `KUBECONFIG`, else `~/.kube/config`.
    pub path: Option<PathBuf>,
    /// This context instead of the current one.
    pub context: Option<String>,
    /// This server instead of the context's; alone, a server without authentication.
    pub master: Option<String>,
    /// This cluster of the kubeconfig instead of the context's.
    pub cluster: Option<String>,
    /// This user of the kubeconfig instead of the context's.
    pub user: Option<String>,
    /// This namespace instead of the context's.
    pub namespace: Option<String>,
}
