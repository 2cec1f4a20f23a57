//! The port answers, the kubeconfig names it, and both go with the endpoint.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Endpoint;
use crate::Cluster;

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
async fn a_port_that_is_taken_is_named() {
    let one = Endpoint::bind(0).await.expect("a port");
    let error = Endpoint::bind(one.address().port()).await.expect_err("taken");
    assert!(error.to_string().contains(&one.address().to_string()), "{error}");
}
