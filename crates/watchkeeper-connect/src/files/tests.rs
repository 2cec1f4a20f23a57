//! Lists of files, and what a pod holds.

use super::*;

#[test]
fn the_list_wins_over_home() {
    let home = Some(PathBuf::from("/home/me"));
    let told = |list: Option<&str>| paths(list.map(Into::into), home.clone());
    assert_eq!(told(None), [PathBuf::from("/home/me/.kube/config")]);
    assert_eq!(told(Some("")), [PathBuf::from("/home/me/.kube/config")]);
    assert_eq!(told(Some("/a::/b")), [PathBuf::from("/a"), PathBuf::from("/b")]);
    assert!(paths(None, None).is_empty());
}

#[test]
fn a_pod_holds_a_token_and_perhaps_a_namespace() {
    let folder = crate::tests::folder("pod");
    let error = Pod::read("10.0.0.1", "443", &folder).err().unwrap().to_string();
    assert!(error.ends_with("does it set automountServiceAccountToken to false?"), "{error}");
    std::fs::write(folder.join("token"), "t").unwrap();
    let pod = Pod::read("fd00::1", "443", &folder).unwrap();
    assert_eq!((pod.server.as_str(), pod.namespace), ("https://[fd00::1]:443", None));
    std::fs::write(folder.join("namespace"), "shop\n").unwrap();
    let pod = Pod::read("10.0.0.1", "443", &folder).unwrap();
    assert_eq!(
        (pod.server.as_str(), pod.namespace.as_deref()),
        ("https://10.0.0.1:443", Some("shop"))
    );
}
