use super::{Files, Problem, whole};

#[test]
fn paths_never_lead_above_the_root() {
    for (path, expected) in [
        ("", "/"),
        ("/", "/"),
        ("a", "/a"),
        ("./a//b/", "/a/b"),
        ("/a/../../b", "/b"),
        ("../../etc", "/etc"),
    ] {
        assert_eq!(whole(path), expected, "{path}");
    }
}

#[test]
fn a_file_is_in_folders() {
    let mut files = Files::default();
    files.write("/a/b/c", "text").expect("written");
    assert_eq!(files.read("/a/b/c"), Ok(&b"text"[..]));
    assert_eq!(files.read("/a/b"), Err(Problem::Folder));
    assert_eq!(files.read("/a/x"), Err(Problem::Missing));
    assert!(files.is_folder("/a/b/") && !files.is_folder("/a/b/c"));
    assert_eq!(files.list("/"), Ok(vec!["a".to_owned()]));
    assert_eq!(files.list("/a/b/c"), Ok(vec!["/a/b/c".to_owned()]));
    assert_eq!(files.write("/a/b/c/d", ""), Err(Problem::File));
    assert_eq!(files.write("/a/b", ""), Err(Problem::Folder));
    assert_eq!(files.make_folder("/a/b/c"), Err(Problem::File));
}

#[test]
fn what_is_removed_goes_with_all_that_is_in_it() {
    let mut files = Files::default();
    for path in ["/a/b", "/a/c/d", "/ab"] {
        files.write(path, "").expect("written");
    }
    assert_eq!(
        files.all_below("/a"),
        Ok(["/a", "/a/b", "/a/c", "/a/c/d"].map(String::from).into())
    );
    files.remove("/a").expect("removed");
    assert_eq!(files.list("/"), Ok(vec!["ab".to_owned()]));
    assert_eq!(files.remove("/a"), Err(Problem::Missing));
}
