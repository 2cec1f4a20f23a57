//! From files to answers, against servers of our own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod built;
mod cancel;
#[path = "../../examples/clients/story.rs"]
mod clients;
mod config;
mod embedded;
mod forward;
mod header;
mod live;
#[path = "../../../watchkeeper-client/tests/it/log.rs"]
mod log;
mod mends;
mod oidc;
mod plugin;
mod proxy;
mod rotation;
mod runtimes;
mod server;
mod silence;
mod streams;
#[path = "../../examples/tour/story.rs"]
mod story;
mod unknown;

use std::path::{Path, PathBuf};

/// A folder of its own for a test, empty.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("connect").join(test);
    let _absent = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A kubeconfig with one context, `here`, for user `me`; `cluster` and `user` are YAML in braces.
pub(crate) fn kubeconfig(folder: &Path, cluster: &str, user: &str) -> PathBuf {
    let path = folder.join("config");
    let text = format!(
        "current-context: here\n\
         contexts: [{{name: here, context: {{cluster: there, user: me, namespace: shop}}}}]\n\
         clusters: [{{name: there, cluster: {{{cluster}}}}}]\n\
         users: [{{name: me, user: {{{user}}}}}]\n"
    );
    std::fs::write(&path, text).unwrap();
    path
}
