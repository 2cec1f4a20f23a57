//! The tour on the embedded server: through a socket, and without one.

use expect_test::{expect, expect_file};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use watchkeeper_apiserver::{ApiServer, serve};
use watchkeeper_client::{Client, Codec};
use watchkeeper_connect::{Config, Options, verified};

use crate::clients::clients;
use crate::story::tour;
use crate::{folder, kubeconfig};

#[tokio::test]
async fn the_tour_is_the_same_through_a_socket_and_without_one() {
    let direct = tour(&Client::new(ApiServer::new())).await.unwrap();

    let server = ApiServer::builder().token("t0ken").build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let cluster = format!("server: 'http://{}'", listener.local_addr().unwrap());
    let mut tasks = JoinSet::new();
    tasks.spawn(serve(listener, server, std::future::pending()));
    let path = Some(kubeconfig(&folder("embedded"), &cluster, "token: t0ken"));
    let config = Config::from_kubeconfig(&Options { path, ..Options::default() }).unwrap();
    let client = verified(config).await.unwrap();
    let served = tour(&client).await.unwrap();
    assert_eq!(direct.lines(), served.lines());
    expect![[r#"
        created a with 1
        created again: already exists
        a name that is none: invalid
        read of what is not there: not found
        after a dry run it is absent
        updated to 2, another version: true
        updated to the same, the same version: true
        updated from an old version: conflict
        applied: 1 x web=nginx
        merged: 2 x web=nginx
        applied by another: conflict
        forced: 3 x web=nginx
        strategic: 3 x sidecar=envoy web=nginx
        operated: 0 x sidecar=envoy web=nginx
        operated again: invalid
        patched at an old version: conflict
        status: 7 of 0 x sidecar=envoy web=nginx
        status: 0 of 0 x sidecar=envoy web=nginx
        listed: a b c d e, malformed: 0
        a page: a b, more: true
        page by page: a b c d e
        by field: c
        a token that is none: bad request
        metadata only: 5 of 5 labelled
        added f 1
        modified f 2
        deleted f 2
        added f 2
        deleted f 2
        from the start: added a 2
        from the start: added b 1
        from the start: added c 1
        from the start: added d 1
        from the start: added e 1
        from the start: bookmark, all told: true
        deploy is apps/v1/Deployment
        deployments.apps is apps/v1/Deployment
        ConfigMap is v1/ConfigMap
        ns is v1/Namespace
        a kind that is none: not found
        v1/ConfigMap watchkeeper-tour/a holds "2"
        the last of the list is a ConfigMap
        now it holds "3"
        deleted as another: conflict
        deleted, and its uid told: true
        deleted again: not found
        left of the collection: 0
        deleting: true
        read after its last finalizer: not found"#]]
    .assert_eq(&served.lines().join("\n"));
}

/// The committed story is compared with that of a real server by `cargo xtask conformance clients`.
#[tokio::test]
async fn the_clients_tell_the_same_story_on_every_server() {
    for codec in [Codec::Json, Codec::Protobuf] {
        let client = Client::new(ApiServer::new()).codec(codec);
        let told = clients(&client).await.unwrap();
        expect_file!["../../examples/clients/expected.txt"].assert_eq(&told);
    }
}
