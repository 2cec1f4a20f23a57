//! What containers print, run and listen to, asked by our client.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object as _, ObjectKey};
use watchkeeper_client::{Api, DeleteOptions, ExecOptions, LogOptions};
use watchkeeper_cluster::containers::{Container, Exit};

use crate::world::{World, run};

async fn pod(world: &World, annotations: Value, names: &[&str]) -> ObjectKey {
    let container = |name: &&str| json!({"name": name, "image": "web:1"});
    let containers: Vec<Value> = names.iter().map(container).collect();
    let pod: Pod = world
        .make(json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "a", "namespace": "default", "annotations": annotations},
            "spec": {"containers": containers},
        }))
        .await;
    pod.key()
}

#[tokio::test(start_paused = true)]
async fn what_a_container_prints_is_its_log() {
    run(1, async |world| {
        let (containers, pods) =
            (world.cluster.containers(), world.client.api::<Pod>().namespace("default"));
        let key = pod(world, json!({}), &["web", "side"]).await;
        let early =
            containers.print(&key, "web", "too early\n").await.expect_err("it has not started");
        assert!(
            early.to_string().contains("container \"web\" in pod \"a\" is not available"),
            "{early}"
        );
        world.settled().await;
        containers.print(&key, "web", "one\ntwo").await.expect("printed");
        containers.print(&key, "side", "other\n").await.expect("printed");
        let log = async |options: LogOptions| pods.logs("a", &options).await;
        assert_eq!(log(LogOptions::default().container("web")).await.expect("a log"), "one\ntwo\n");
        assert_eq!(log(LogOptions::tail(1).container("web")).await.expect("a log"), "two\n");
        assert_eq!(log(LogOptions::default().container("side")).await.expect("a log"), "other\n");
        let which = log(LogOptions::default()).await.expect_err("one of two").to_string();
        assert!(
            which.contains(
                "a container name must be specified for pod a, choose one of: [web side]"
            ),
            "{which}"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn who_follows_gets_the_lines_as_they_come_until_the_pod_goes() {
    run(1, async |world| {
        let (containers, pods) =
            (world.cluster.containers(), world.client.api::<Pod>().namespace("default"));
        let key = pod(world, json!({}), &["web"]).await;
        world.settled().await;
        containers.print(&key, "web", "old\n").await.expect("printed");
        let mut lines = pods.log_stream("a", &LogOptions::tail(1).follow()).await.expect("a log");
        assert_eq!(lines.next_line().await.expect("a line").as_deref(), Some("old"));
        containers.print(&key, "web", "new\nnewer\n").await.expect("printed");
        assert_eq!(lines.next_line().await.expect("a line").as_deref(), Some("new"));
        assert_eq!(lines.next_line().await.expect("a line").as_deref(), Some("newer"));
        let waited = tokio::time::timeout(Duration::from_secs(100), lines.next_line()).await;
        assert!(waited.is_err(), "nothing is printed, and nothing has ended");
        pods.delete("a", &DeleteOptions::default()).await.expect("a deletion");
        assert_eq!(lines.next_line().await.expect("the end"), None);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_container_that_is_started_again_begins_a_new_log() {
    run(1, async |world| {
        let (containers, pods) =
            (world.cluster.containers(), world.client.api::<Pod>().namespace("default"));
        let key = pod(world, json!({"fake-kubelet/ends-after": "never"}), &["web"]).await;
        world.settled().await;
        containers.print(&key, "web", "first\n").await.expect("printed");
        let none = pods.logs("a", &LogOptions { previous: true, ..LogOptions::default() }).await;
        let none = none.expect_err("there was none before").to_string();
        assert!(
            none.contains("previous terminated container \"web\" in pod \"a\" not found"),
            "{none}"
        );
        let crash = json!({"metadata": {"annotations":
            {"fake-kubelet/ends-after": "5", "fake-kubelet/exit-code": "1"}}});
        world.patch::<Pod>("a", crash).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let previous = LogOptions { previous: true, ..LogOptions::default() };
        assert_eq!(pods.logs("a", &previous).await.expect("a log"), "first\n");
    })
    .await;
}

/// A pod with one container that runs, and the API of it.
async fn running(world: &World) -> Api<Pod> {
    pod(world, json!({}), &["web"]).await;
    world.settled().await;
    world.client.api::<Pod>().namespace("default")
}

#[tokio::test(start_paused = true)]
async fn programs_do_what_a_test_lets_them() {
    run(1, async |world| {
        let pods = running(world).await;
        world.cluster.containers().on_run(|run, mut terminal| async move {
            let Some(command) = run.command else {
                terminal.print("attached\n").await;
                return Exit::Code(0);
            };
            match &*command.join(" ") {
                "cat" => {
                    while let Some(piece) = terminal.read().await {
                        terminal.print(piece).await;
                    }
                    Exit::Code(0)
                }
                "where" => {
                    let Container { namespace, pod, name, .. } = run.container;
                    terminal.print(format!("{namespace}/{pod}/{name}\n")).await;
                    terminal.print_error("and so on\n").await;
                    Exit::Code(0)
                }
                "size" => {
                    while terminal.size().is_none() {
                        tokio::time::sleep(Duration::from_secs(1)).await;
                    }
                    terminal.print(format!("{:?}", terminal.size())).await;
                    Exit::Code(0)
                }
                _ => Exit::Code(127),
            }
        });
        let finished = async |options: ExecOptions| {
            let attached = pods.exec("a", &options).await.expect("a program");
            attached.finish(10_000).await.expect("its end")
        };
        let done = finished(ExecOptions::new(["where"])).await;
        assert_eq!((&*done.stdout, &*done.stderr), (&b"default/a/web\n"[..], &b"and so on\n"[..]));
        assert!(done.exit.success());
        assert_eq!(finished(ExecOptions::new(["nothing"])).await.exit.code, 127);

        let cat = pods.exec("a", &ExecOptions::new(["cat"]).stdin()).await.expect("a program");
        let mut input = cat.input();
        let long = vec![b'x'; 300_000];
        let (written, done) = tokio::join!(
            async {
                input.write(&long).await?;
                input.close().await
            },
            cat.finish(1 << 20)
        );
        written.expect("the input");
        assert_eq!(done.expect("its end").stdout.len(), long.len());

        let size =
            pods.exec("a", &ExecOptions::new(["size"]).stdin().tty()).await.expect("a program");
        size.input().resize(80, 24).await.expect("told");
        let done = size.finish(1000).await.expect("its end");
        assert_eq!(done.stdout, b"Some(Size { width: 80, height: 24 })");

        let attached = pods.attach("a", &ExecOptions::output()).await.expect("a program");
        assert_eq!(attached.finish(1000).await.expect("its end").stdout, b"attached\n");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_program_that_cannot_be_run_says_why() {
    run(1, async |world| {
        let pods = running(world).await;
        let why = async |options: &ExecOptions| match pods.exec("a", options).await {
            Ok(attached) => attached.finish(1000).await.expect_err("no end").to_string(),
            Err(error) => error.to_string(),
        };
        let ls = ExecOptions::new(["ls"]);
        let nobody = why(&ls).await;
        assert!(
            nobody.contains("error executing command in container: nothing answers"),
            "{nobody}"
        );
        let other = why(&ls.clone().container("other")).await;
        assert!(other.contains("container other is not valid for pod a"), "{other}");
        let silent = ExecOptions { stdout: false, stderr: false, ..ls.clone() };
        let silent = why(&silent).await;
        assert!(
            silent.contains("you must specify at least 1 of stdin, stdout, stderr"),
            "{silent}"
        );
        let ended = json!({"metadata": {"annotations": {"fake-kubelet/ends-after": "0"}}});
        world.patch::<Pod>("a", ended).await;
        world.patch_status("a", json!({"status": {"containerStatuses": []}})).await;
        let gone = why(&ls).await;
        assert!(
            gone.contains("unable to upgrade connection: container not found (\"web\")"),
            "{gone}"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_banner_is_the_first_line_of_a_log_and_what_programs_and_ports_say() {
    run(1, async |world| {
        let pods = running(world).await;
        world.cluster.containers().banner("Nothing runs here.");
        assert_eq!(
            pods.logs("a", &LogOptions::default()).await.expect("a log"),
            "Nothing runs here.\n"
        );
        let key = ObjectKey::new("default", "a");
        world.cluster.containers().print(&key, "web", "listening").await.expect("printed");
        let told = pods.logs("a", &LogOptions::default()).await.expect("a log");
        assert_eq!(told, "Nothing runs here.\nlistening\n");
        let ls = pods.exec("a", &ExecOptions::new(["ls"])).await.expect("a program");
        let done = ls.finish(1000).await.expect("its end");
        assert_eq!(done.stderr, b"Nothing runs here.\n");
        assert_eq!(done.exit.code, 126);
        let mut port = pods.port_forward("a", 80).await.expect("a connection");
        let why = port.read_to_string(&mut String::new()).await.expect_err("nobody listens");
        let told = "error forwarding port 80 to pod a: Nothing runs here.";
        assert!(why.to_string().contains(told), "{why}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn nodes_and_ports_are_asked_through_the_server() {
    run(1, async |world| {
        let pods = running(world).await;
        let node = pods.get("a").await.expect("a pod").spec.node_name.to_string();
        let told = async |path: &str| {
            let request = http::Request::get(path).body(Bytes::new()).expect("a request");
            let answer = world.cluster.server().answer(request).await.expect("an answer");
            let (code, body) = (answer.status().as_u16(), answer.into_body());
            let body = body.collect().await.expect("a body").to_bytes();
            (code, String::from_utf8_lossy(&body).into_owned())
        };
        let healthz = format!("/api/v1/nodes/{node}/proxy/healthz?verbose");
        let (code, refused) = told(&healthz).await;
        assert!(
            code == 503 && refused.contains(":10250: connect: connection refused"),
            "{refused}"
        );
        world.cluster.containers().on_node(|asked| async move {
            Ok(http::Response::new(format!("{:?} {}", asked.to, asked.target).into()))
        });
        assert_eq!(told(&healthz).await, (200, format!("Node({node:?}) /healthz?verbose")));
        world.cluster.containers().on_port(80, |_, mut stream| async move {
            let mut text = [0; 64];
            _ = stream.read(&mut text).await.map_err(|error| error.to_string())?;
            let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
            stream.write_all(answer.as_bytes()).await.map_err(|error| error.to_string())
        });
        let path = "/api/v1/namespaces/default/pods/a:80/proxy/";
        assert_eq!(told(path).await, (200, "hi".to_owned()));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn ports_are_listened_to_as_a_test_says() {
    run(1, async |world| {
        let pods = running(world).await;
        world.cluster.containers().on_port(80, |to, mut stream| async move {
            let mut text = [0; 4];
            stream.read_exact(&mut text).await.map_err(|error| error.to_string())?;
            let answer = format!("{} heard {}", to.pod, String::from_utf8_lossy(&text));
            stream.write_all(answer.as_bytes()).await.map_err(|error| error.to_string())
        });
        let mut stream = pods.port_forward("a", 80).await.expect("a connection");
        stream.write_all(b"ping").await.expect("written");
        stream.flush().await.expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("an answer");
        assert_eq!(text, "a heard ping");

        let mut closed = pods.port_forward("a", 81).await.expect("a connection");
        let refused =
            closed.read_to_string(&mut text).await.expect_err("nobody listens").to_string();
        assert!(
            refused.contains("error forwarding port 81 to pod a: connection refused"),
            "{refused}"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn many_connections_share_a_tunnel_and_end_each_direction_by_itself() {
    run(1, async |world| {
        let pods = running(world).await;
        world.cluster.containers().on_port(7, |_, stream| async move {
            let (mut from, mut to) = tokio::io::split(stream);
            let copied = tokio::io::copy(&mut from, &mut to).await;
            copied.map(drop).map_err(|error| error.to_string())
        });
        world.cluster.containers().on_port(9, |_, mut stream| async move {
            stream.write_all(b"a beginning").await.map_err(|error| error.to_string())?;
            Err("it breaks".to_owned())
        });
        let tunnel = pods.tunnel("a").await.expect("a tunnel");
        assert!(tunnel.is_shared());
        let echoed = async |text: String| {
            let mut stream = tunnel.connect(7).await.expect("a connection");
            stream.write_all(text.as_bytes()).await.expect("written");
            stream.shutdown().await.expect("all is said");
            let mut heard = String::new();
            stream.read_to_string(&mut heard).await.expect("an echo");
            assert_eq!(heard, text);
        };
        for text in ["one", "two", ""] {
            echoed(text.to_owned()).await;
        }
        let at_once = (0..50).map(|at| echoed(at.to_string().repeat(1000)));
        futures_util::future::join_all(at_once).await;

        let mut broken = tunnel.connect(9).await.expect("a connection");
        let mut heard = String::new();
        let why = broken.read_to_string(&mut heard).await.expect_err("it breaks");
        assert!(why.to_string().contains("it breaks"), "{why}");
        echoed("still there".to_owned()).await;
        assert!(!tunnel.is_closed());
    })
    .await;
}
