//! Tokens written back into the kubeconfig that they came from.

use std::io;
use std::path::Path;

use tokio::fs;
use tokio::io::AsyncWriteExt as _;

/// Replaces each old text by its new one, whole or not at all. Another program that writes the file at the
/// same time keeps us from it, as with client-go's lock file.
pub(super) async fn replace(path: &Path, changes: &[(String, String)]) -> io::Result<()> {
    let path = fs::canonicalize(path).await?;
    let beside = |ending: &str| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(ending);
        path.with_file_name(name)
    };
    let lock = beside(".lock");
    let _held = fs::OpenOptions::new().write(true).create_new(true).open(&lock).await?;
    let result = write(&path, &beside(".new"), changes).await;
    fs::remove_file(&lock).await?;
    result
}

async fn write(path: &Path, new: &Path, changes: &[(String, String)]) -> io::Result<()> {
    let old = fs::read_to_string(path).await?;
    let mut text = old.clone();
    let worth = changes.iter().filter(|(from, to)| !from.is_empty() && from != to && is_plain(to));
    for (from, to) in worth {
        text = text.replace(from, to);
    }
    if text == old {
        return Ok(());
    }
    let mode = fs::metadata(path).await?.permissions();
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(new).await?;
    file.write_all(text.as_bytes()).await?;
    file.sync_all().await?;
    drop(file);
    fs::set_permissions(new, mode).await?;
    fs::rename(new, path).await
}

/// Whether it means itself in YAML, quoted or not.
fn is_plain(token: &str) -> bool {
    token.starts_with(|first: char| first.is_ascii_alphanumeric())
        && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte))
}
