//! The programs of containers, asked by our client on a cluster in paused time, and the program itself.

mod program;

use containers::Toolbox;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use watchkeeper::client::{Api, ExecOptions};
use watchkeeper::prelude::*;
use watchkeeper::testing::TestCluster;

/// A pod that runs, on a cluster whose containers have programs.
async fn running(test: &TestCluster) -> Api<Pod> {
    Toolbox::default().answer_for(test.cluster().containers());
    let pods = test.client().api::<Pod>().namespace("default");
    let pod = object!(Pod {
        metadata: { name: "web", annotations: { "fake-kubelet/ends-after": "never" } },
        spec: { containers: [{ name: "main", image: "none" }, { name: "side", image: "none" }] },
    });
    pods.create(&pod, &Default::default()).await.expect("a pod");
    test.settled().await;
    pods
}

/// What a program prints, and the code that it ends with.
async fn ran(pods: &Api<Pod>, container: &str, command: &[&str], input: &[u8]) -> (Vec<u8>, i32) {
    let mut options = ExecOptions::new(command.iter().copied()).container(container);
    options.stdin = !input.is_empty();
    let attached = pods.exec("web", &options).await.expect("a program");
    if options.stdin {
        let mut into = attached.input();
        into.write(input).await.expect("it hears");
        into.close().await.expect("that is all");
    }
    let done = attached.finish(1 << 20).await.expect("an end");
    (done.stdout, done.exit.code)
}

fn printed(text: &str) -> (Vec<u8>, i32) {
    (text.as_bytes().to_vec(), 0)
}

#[watchkeeper::test]
async fn each_container_has_files_of_its_own(test: TestCluster) {
    let pods = running(&test).await;
    assert_eq!(ran(&pods, "main", &["mkdir", "/tmp/a"], b"").await, printed(""));
    assert_eq!(ran(&pods, "main", &["ls", "/tmp"], b"").await, printed("a\n"));
    assert_eq!(ran(&pods, "side", &["ls", "/tmp"], b"").await, printed(""));
    assert_eq!(ran(&pods, "side", &["cat", "/etc/hostname"], b"").await, printed("web\n"));
}

#[watchkeeper::test]
async fn what_is_packed_in_one_container_is_unpacked_in_another(test: TestCluster) {
    let pods = running(&test).await;
    let (packed, code) = ran(&pods, "main", &["tar", "cf", "-", "/etc"], b"").await;
    assert_eq!(code, 0);
    let unpack = ["tar", "-xmf", "-", "-C", "/tmp"];
    assert_eq!(ran(&pods, "side", &unpack, &packed).await, printed(""));
    assert_eq!(ran(&pods, "side", &["cat", "/tmp/etc/hostname"], b"").await, printed("web\n"));
}

#[watchkeeper::test]
async fn input_is_repeated_and_codes_are_told(test: TestCluster) {
    let pods = running(&test).await;
    assert_eq!(ran(&pods, "main", &["cat"], b"to and fro").await, printed("to and fro"));
    assert_eq!(ran(&pods, "main", &["ls", "/none"], b"").await, (Vec::new(), 2));
    let options = ExecOptions::new(["vi"]).container("main");
    let attached = pods.exec("web", &options).await.expect("a stream");
    let refused = attached.finish(1 << 20).await.expect_err("no such program").to_string();
    assert!(refused.contains(r#"exec: "vi": executable file not found in $PATH"#), "{refused}");
}

#[watchkeeper::test]
async fn files_go_with_the_run_of_their_container(test: TestCluster) {
    let pods = running(&test).await;
    assert_eq!(ran(&pods, "main", &["mkdir", "/tmp/a"], b"").await, printed(""));
    pods.delete("web", &Default::default()).await.expect("deleted");
    test.settled().await;
    let pods = running(&test).await;
    assert_eq!(ran(&pods, "main", &["ls", "/tmp"], b"").await, printed(""));
}

#[watchkeeper::test]
async fn each_pod_has_a_page_and_a_port_that_echoes(test: TestCluster) {
    let pods = running(&test).await;
    for (port, said, heard) in [
        (7, "to and fro", "to and fro"),
        (80, "GET /a/page HTTP/1.1\r\nhost: web\r\n\r\n", "/a/page of web\n"),
        (80, "POST / HTTP/1.1\r\n\r\n", "there is GET, and nothing else\n"),
        (80, "", "there is GET, and nothing else\n"),
    ] {
        let mut stream = pods.port_forward("web", port).await.expect("a connection");
        stream.write_all(said.as_bytes()).await.expect("it is heard");
        stream.shutdown().await.expect("that is all");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.ends_with(heard), "{answer}");
    }
}
