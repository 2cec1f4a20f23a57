//! The port answers, the kubeconfig names it, and both go with the endpoint.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Endpoint;
use crate::{Cluster, User};

#[tokio::test]
async fn the_server_answers_at_the_address_that_the_kubeconfig_names() {
    let cluster = Cluster::builder().seed(1).build();
    let mut endpoint = Endpoint::bind(0).await.expect("a port");
    let (address, path) = (endpoint.address(), endpoint.kubeconfig().expect("a kubeconfig"));
    let text = std::fs::read_to_string(&path).expect("a kubeconfig");
    assert!(text.contains(&format!("server: \"http://{address}\"")), "{text}");

    let ask = async {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let request = "GET /version HTTP/1.1\r\nhost: me\r\nconnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await.expect("asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("gitVersion"), "{answer}");
    };
    endpoint.serve(&cluster, ask).await.expect("an orderly end");
    assert!(!path.exists(), "the kubeconfig is gone");
    TcpStream::connect(address).await.expect_err("nobody listens any more");
}

#[tokio::test]
async fn two_of_one_process_have_a_kubeconfig_each() {
    let mut one = Endpoint::bind(0).await.expect("a port");
    let mut other = Endpoint::bind(0).await.expect("another");
    let paths = [&mut one, &mut other].map(|endpoint| endpoint.kubeconfig().expect("a kubeconfig"));
    assert_ne!(paths[0], paths[1]);
    assert_eq!(one.kubeconfig().expect("the same"), paths[0]);
    drop(one);
    assert!(!paths[0].exists() && paths[1].exists());
}

#[tokio::test]
async fn a_kubeconfig_is_not_taken_from_an_endpoint_that_is_there() {
    let (cluster, admin) = (Cluster::builder().build(), User::admin());
    let mut one = Endpoint::bind(0).await.expect("a port");
    let mut other = Endpoint::bind(0).await.expect("another");
    let name = format!("watchkeeper-test-{}-{}", std::process::id(), one.address().port());
    let path = std::env::temp_dir().join(name);
    one.kubeconfig_at(&path, &cluster, &admin).expect("written");
    let text = std::fs::read_to_string(&path).expect("a kubeconfig");
    let error = other.kubeconfig_at(&path, &cluster, &admin).expect_err("held").to_string();
    assert!(error.contains("still runs") && error.contains("name another file"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("still there"), text);
    one.kubeconfig_at(&path, &cluster, &admin).expect("its own");
    drop(one);
    assert!(!path.exists(), "it went with its endpoint");
    std::fs::write(&path, text).expect("one that was left");
    other.kubeconfig_at(&path, &cluster, &admin).expect("nobody holds it");
    drop(other);
    assert!(!path.exists());
}

#[tokio::test]
async fn a_port_that_is_taken_is_named() {
    let one = Endpoint::bind(0).await.expect("a port");
    let error = Endpoint::bind(one.address().port()).await.expect_err("taken");
    assert!(error.to_string().contains(&one.address().to_string()), "{error}");
}

#[tokio::test]
async fn users_have_kubeconfigs_and_tokens_of_their_own() {
    let cluster = Cluster::builder().seed(1).rbac().build();
    let mut endpoint = Endpoint::bind(0).await.expect("a port");
    let everybody = endpoint.kubeconfig().expect("a kubeconfig");
    let (alice, root) = (User::new("alice"), User::admin());
    let paths = [&alice, &root].map(|user| endpoint.kubeconfig_as(&cluster, user).expect("one"));
    assert!(paths[0] != paths[1] && !paths.contains(&everybody));
    let token = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a kubeconfig");
        let (_, rest) = text.split_once("token: ").expect("a token");
        rest.split(' ').next().expect("a token").to_owned()
    };
    let (alice, root) = (token(&paths[0]), token(&paths[1]));
    let address = endpoint.address();
    let ask = async |token: &str| {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let head = format!("authorization: Bearer {token}\r\nconnection: close\r\n\r\n");
        let request = format!("GET /api/v1/pods HTTP/1.1\r\nhost: me\r\n{head}");
        stream.write_all(request.as_bytes()).await.expect("asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        answer.split(' ').nth(1).expect("a code").to_owned()
    };
    let asked = async {
        assert_eq!(
            (&*ask(&alice).await, &*ask(&root).await, &*ask("no").await),
            ("403", "200", "401")
        );
    };
    endpoint.serve(&cluster, asked).await.expect("an orderly end");
    assert!(paths.iter().all(|path| !path.exists()), "the tokens are gone");
}
