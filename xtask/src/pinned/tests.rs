//! What the two kinds of files say.

use super::{of, version};

#[test]
fn a_module_pins_its_modules() {
    let text =
        "module a\n\ngo 1.26.0\n\nrequire (\n\tb.io/c/v3 v3.21.4 // indirect\n\tb.io/c v0.1.0\n)\n";
    assert_eq!(version(text, "b.io/c/v3"), Some("3.21.4"));
    assert_eq!(version(text, "b.io/c"), Some("0.1.0"));
    assert_eq!(version(text, "b.io"), None);
    assert_eq!(version("module a\n\nrequire b v1.0.0\n", "b"), Some("1.0.0"));
}

#[test]
fn a_lock_file_pins_its_packages() {
    let text = "version = 4\n\n[[package]]\nname = \"kube-core\"\nversion = \"5.1.0\"\n\n\
                [[package]]\nname = \"kube\"\nversion = \"5.0.0\"\ndependencies = []\n";
    assert_eq!(version(text, "kube"), Some("5.0.0"));
    assert_eq!(version(text, "kube-core"), Some("5.1.0"));
    assert_eq!(version(text, "tower"), None);
}

#[test]
fn what_chores_tell_is_pinned() {
    for (folder, client) in [
        ("", "watchkeeper-client"),
        ("interop", "kube"),
        ("conformance/envtest", "sigs.k8s.io/controller-runtime"),
        ("conformance/helm", "helm.sh/helm/v3"),
        ("conformance/kube-rs", "kube"),
        ("conformance/real", "k8s.io/kubectl"),
    ] {
        let version = of(folder, client).expect("a version");
        assert!(version.split('.').count() == 3, "{client} {version}");
    }
    assert!(of("interop", "nothing").is_err() && of("docs", "kube").is_err());
}
