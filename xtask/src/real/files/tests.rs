//! Folders and files around the servers.

use super::{RUN, fresh, kubeconfig, sweep, tokens};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A left-over folder in the temporary directory is no failure.
        let _removed = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn only_a_folder_of_ours_is_emptied() {
    let folder = Folder::new("fresh");
    let ours = folder.0.join("ours");
    fresh(&ours).unwrap();
    fs::write(ours.join("old"), "").unwrap();
    fresh(&ours).unwrap();
    assert!(!ours.join("old").exists());

    let theirs = folder.0.join("theirs");
    fs::create_dir(&theirs).unwrap();
    fs::write(theirs.join("precious"), "").unwrap();
    assert!(fresh(&theirs).unwrap_err().ends_with("is not empty: name another folder"));
    assert!(theirs.join("precious").exists());
}

#[test]
fn the_folders_of_dead_runs_are_swept() {
    let folder = Folder::new("sweep");
    let living = folder.0.join(format!("{RUN}{}", std::process::id()));
    let dead = folder.0.join(format!("{RUN}{}", u32::MAX));
    let other = folder.0.join("bin");
    for dir in [&living, &dead, &other] {
        fs::create_dir(dir).unwrap();
    }
    sweep(&folder.0).unwrap();
    assert!(living.exists() && other.exists() && !dead.exists());
}

#[test]
fn every_user_has_a_token_and_a_context() {
    let folder = Folder::new("users");
    let found = tokens(&folder.0.join("tokens.csv")).unwrap();
    assert_eq!(found.0.len(), 32);
    assert_ne!(found.0, found.1);
    let file = folder.0.join("kubeconfig");
    kubeconfig(&file, "https://127.0.0.1:1", Path::new("ca.crt"), &found).unwrap();
    let text = fs::read_to_string(file).unwrap();
    for line in ["current-context: admin", "- name: nobody", "    certificate-authority: ca.crt"] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    assert!(text.contains(&format!("    token: {}\n", found.1)));
}
