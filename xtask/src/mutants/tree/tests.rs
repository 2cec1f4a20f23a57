use serde_json::json;

use super::*;

#[test]
fn a_file_is_written_only_when_it_changes_and_deleted_when_it_is_gone() {
    let root = std::env::temp_dir().join(format!("xtask-tree-{}", std::process::id()));
    let tree = Tree { root: root.clone() };
    let (kept, gone) = (Path::new("crates/q/src/kept.rs"), Path::new("crates/q/src/gone.rs"));
    tree.put(kept, b"one").unwrap();
    tree.put(gone, b"two").unwrap();
    let written = |file: &Path| fs::metadata(root.join(file)).unwrap().modified().unwrap();
    let first = written(kept);
    tree.put(kept, b"one").unwrap();
    assert_eq!(written(kept), first);
    tree.put(kept, b"three").unwrap();
    tree.clear(&root, &BTreeSet::from([kept.to_owned()])).unwrap();
    assert_eq!(read(&root.join(kept)), Ok(b"three".to_vec()));
    assert!(!root.join(gone).exists());
    assert_eq!(tree.folder("q"), root.join("crates/q"));
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn what_cargo_tells_is_a_program_or_errors() {
    let program = json!({ "reason": "compiler-artifact", "executable": "/target/q" });
    let other = json!({ "reason": "compiler-artifact", "executable": null });
    let warning = json!({ "message": { "level": "warning" } });
    let error = json!({ "message": { "level": "error", "spans": [] } });
    let built = of_messages(vec![other.clone(), warning, program.clone()]);
    assert!(matches!(built, Some(Built::Programs(paths)) if paths == [Path::new("/target/q")]));
    let built = of_messages(vec![error.clone(), program]);
    assert!(matches!(built, Some(Built::Failed(errors)) if errors == [error["message"].clone()]));
    assert!(of_messages(vec![other]).is_none());
}
