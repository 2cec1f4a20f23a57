//! What a module for another release asks for.

use super::ours;

#[test]
fn modules_of_kubernetes_are_those_of_its_release() {
    let theirs = "module k8s.io/kubernetes\n\ngo 1.24.0\n\ngodebug default=go1.24\n\nrequire (\n\tk8s.io/api v0.0.0\n)\n\n\
                  replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n\tx.test/y => x.test/z v1.0.0\n)\n";
    let wanted = "module watchkeeper.dev/real\ngo 1.24.0\ngodebug default=go1.24\n\
                  require k8s.io/kubernetes v1.34.4\nrequire k8s.io/component-base v0.34.4\n\
                  replace k8s.io/api => k8s.io/api v0.34.4\n";
    assert_eq!(ours(theirs, "v1.34.4"), wanted);
}
