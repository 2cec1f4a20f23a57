//! What a caller may say about a kubeconfig.

use std::path::PathBuf;

/// Which kubeconfig, and what of it. What is empty says nothing, as flags do that nobody gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// This file, and no other. Else those of `KUBECONFIG`, else `~/.kube/config`.
    pub path: Option<PathBuf>,
    /// This context instead of the current one.
    pub context: Option<String>,
    /// This server instead of the context's, whose `tls-server-name` goes with it; alone, a server without
    /// authentication.
    pub master: Option<String>,
    /// This cluster of the kubeconfig instead of the context's.
    pub cluster: Option<String>,
    /// This user of the kubeconfig instead of the context's.
    pub user: Option<String>,
    /// This namespace instead of the context's.
    pub namespace: Option<String>,
}

impl Options {
    /// The same without what is empty.
    pub(super) fn said(&self) -> Self {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Self {
            path: self.path.clone().filter(|path| !path.as_os_str().is_empty()),
            context: said(&self.context),
            master: said(&self.master),
            cluster: said(&self.cluster),
            user: said(&self.user),
            namespace: said(&self.namespace),
        }
    }
}
