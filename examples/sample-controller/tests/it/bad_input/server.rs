//! What is wrong with the server's address, or with what is there.

use watchkeeper::api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper::apiserver::error::ApiError;
use watchkeeper::apiserver::hooks::{Hook, Read, Verdict};
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;

use sample_controller::foo::Foo;

use crate::program::{Served, refused};

#[test]
fn an_address_that_is_none() {
    for (master, words) in [
        ("http://127.0.0.1:99999", "\"99999\" is not from 1 to 65535"),
        ("127.0.0.1:0", "\"0\" is not from 1 to 65535"),
        ("ftp://127.0.0.1", "is no http or https URL"),
        ("http://", "is no URL"),
    ] {
        let text = refused(&["--master", master]);
        assert!(text.contains("--master") && text.contains(words), "{master:?}: {text}");
    }
}

/// As with client-go, an empty flag is one that was not given.
#[test]
fn an_empty_address() {
    let text = refused(&["--master", ""]);
    assert!(text.contains("there is no kubeconfig"), "{text}");
}

#[test]
fn an_address_where_nothing_listens() {
    let text = refused(&["--master", "http://127.0.0.1:1"]);
    assert!(
        text.contains("http://127.0.0.1:1") && text.contains("nothing listens there"),
        "{text}"
    );
}

#[test]
fn a_server_of_something_else() {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _request = stream.read(&mut [0; 4096]);
            let answer =
                "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnone";
            let _sent = stream.write_all(answer.as_bytes());
        }
    });
    let text = refused(&["--master", &url]);
    assert!(text.contains(&url) && text.contains("is it a Kubernetes API server?"), "{text}");
}

/// Runs on this cluster, as a real one, and returns the sentence.
async fn refused_by(cluster: Cluster) -> String {
    let served = Served::at(0, cluster).await;
    refused(&["--master", &served.url()])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_the_crd() {
    let text = refused_by(Cluster::builder().build()).await;
    assert!(text.contains("install the CRD with --install-crd"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_another_version_of_the_crd() {
    let cluster = Cluster::builder().build();
    let mut crd = Foo::crd();
    let mut versions = crd.spec.versions.to_vec();
    versions[0].name = "v1beta1".into();
    crd.spec.versions = versions.into();
    let crds = cluster.client("script").api::<CustomResourceDefinition>();
    crds.create(&crd, &Default::default()).await.expect("the CRD");
    let text = refused_by(cluster).await;
    assert!(text.contains("serves v1beta1, not v1alpha1"), "{text}");
    assert!(text.contains("--install-crd"), "{text}");
}

/// Lets nobody list.
struct Closed;

impl Hook for Closed {
    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        let forbidden = || ApiError::new(403, "Forbidden", format!("{} is forbidden", read.table));
        if read.verb == "list" { Verdict::Refuse(forbidden().into()) } else { Verdict::Proceed }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_without_the_rights() {
    let cluster = Cluster::builder().build();
    sample_controller::setup::install_crd(&cluster.client("script")).await.expect("the CRD");
    cluster.server().add_hook(Closed);
    let text = refused_by(cluster).await;
    assert!(text.contains("may not list foos.samplecontroller.k8s.io"), "{text}");
    assert!(
        text.contains("role.yaml is a ClusterRole that grants what the controller needs"),
        "{text}"
    );
}
