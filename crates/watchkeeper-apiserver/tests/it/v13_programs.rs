//! V13: programs in containers, and the ports of pods, over WebSockets without a socket.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::containers::{
    Doing, Exit, Forward, Kubelet, LogRequest, LogStream, PortStream, Run, Terminal,
};
use watchkeeper_apiserver::server::{Upgrade, Upgraded};

use crate::support::{Client, PODS, client};
use crate::v13_logs::started;

/// Runs `cat`, which fails at its end, `forever`, and nothing else; holds the mark for as long as something runs.
struct Shell(Arc<()>);

impl Kubelet for Shell {
    fn log(&self, _: &ApiServer, _: LogRequest) -> LogStream {
        Box::pin(stream::empty())
    }

    fn run(&self, asked: Run, mut terminal: Terminal) -> Doing<Exit> {
        let mark = self.0.clone();
        Box::pin(async move {
            let Run { container, command, streams } = asked;
            let command = command.map(|words| words.join(" "));
            let told = format!("{} {} {command:?}", container.name, container.id);
            terminal.print(told).await;
            let told = format!("{} {} {}", streams.stdin, streams.stdout, streams.stderr);
            terminal.print_error(told).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
            let exit = match command.as_deref() {
                Some("cat") => {
                    while let Some(text) = terminal.read().await {
                        terminal.print(text).await;
                    }
                    terminal.print(format!("{terminal:?}")).await;
                    Exit::Code(3)
                }
                Some("forever") => std::future::pending().await,
                Some(_) => Exit::Failed("no such program".to_owned()),
                None => Exit::Code(0),
            };
            drop(mark);
            exit
        })
    }

    /// Answers four bytes at most ports; the last one is closed.
    fn forward(&self, asked: Forward, mut stream: PortStream) -> Doing<Result<(), String>> {
        Box::pin(async move {
            if asked.port == u16::MAX {
                return Err(format!("{}/{} refuses", asked.namespace, asked.pod));
            }
            let mut asked = [0; 4];
            stream.read_exact(&mut asked).await.map_err(|error| error.to_string())?;
            asked.reverse();
            stream.write_all(&asked).await.map_err(|error| error.to_string())
        })
    }
}

/// What a client says that wants a WebSocket.
pub(crate) const ASKED: [(&str, &str); 5] = [
    ("connection", "Upgrade"),
    ("upgrade", "websocket"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ("sec-websocket-version", "13"),
    ("sec-websocket-protocol", "v5.channel.k8s.io, v4.channel.k8s.io"),
];

const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const BINDINGS: &str = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

pub(crate) type Socket = WebSocketStream<Upgraded>;

/// A pod with a container that runs, and what is held by what runs in it.
async fn world() -> (Client, Arc<()>) {
    let (client, mark) = (client(), Arc::new(()));
    client.server.set_kubelet(Shell(mark.clone()));
    started(&client).await;
    (client, mark)
}

/// Nothing of this takes time for real.
async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), work).await.expect("it goes on")
}

async fn upgraded(client: &Client, path: &str) -> Upgraded {
    let path = format!("{PODS}/web/{path}");
    let answer = client.open("GET", &path, &ASKED, String::new()).await.expect("an answer");
    assert_eq!(answer.status(), 101, "{path}");
    let upgrade = answer.extensions().get::<Upgrade>().expect("a WebSocket").clone();
    let upgraded = upgrade.take().expect("the stream");
    assert!(upgrade.take().is_none(), "only once");
    upgraded
}

pub(crate) async fn socket(client: &Client, path: &str) -> Socket {
    let upgraded = upgraded(client, path).await;
    WebSocketStream::from_raw_socket(upgraded, Role::Client, None).await
}

async fn send(socket: &mut Socket, stream: u8, text: &str) {
    let bytes = [&[stream][..], text.as_bytes()].concat();
    within(socket.send(Message::Binary(bytes.into()))).await.expect("it is taken");
}

/// What comes, each with the number of its stream, until the server says that it was all.
pub(crate) async fn told(socket: &mut Socket) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        match within(socket.next()).await.expect("no end yet").expect("a message") {
            Message::Binary(bytes) => {
                lines.push(format!("{} {}", bytes[0], String::from_utf8_lossy(&bytes[1..])));
            }
            Message::Close(frame) => {
                let code = frame.map(|frame| u16::from(frame.code));
                assert_eq!(code, Some(1000), "{lines:?}");
                return lines;
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The last line, which tells how a program ended.
fn status(lines: &mut Vec<String>) -> Value {
    let line = lines.pop().expect("a line");
    let text = line.strip_prefix("3 ").unwrap_or_else(|| panic!("{line}"));
    serde_json::from_str(text).expect("JSON")
}

fn internal(why: &str) -> Value {
    json!({
        "metadata": {}, "status": "Failure", "reason": "InternalError", "code": 500,
        "message": format!("Internal error occurred: {why}"),
        "details": {"causes": [{"message": why}]},
    })
}

#[tokio::test(start_paused = true)]
async fn v13_a_client_gets_the_streams_that_it_wants_and_how_the_program_ended() {
    let (client, _) = world().await;
    let success = || json!({"metadata": {}, "status": "Success"});
    let no_streams = internal(
        "unable to upgrade connection: you must specify at least 1 of stdin, stdout, stderr",
    );
    let attached = "1 main fake://1 None";
    for (path, lines, ended) in [
        (
            "exec?container=main&command=ls&command=-l&stdout=true",
            vec!["1 main fake://1 Some(\"ls -l\")"],
            internal("Internal error occurred: no such program"),
        ),
        ("attach?container=main&stdout=true", vec![attached], success()),
        ("attach?container=main&stdin=true", vec![], success()),
        ("attach?container=main&stderr=true", vec!["2 false false true"], success()),
        (
            "attach?container=main&stdin=true&stdout=true&stderr=true",
            vec![attached, "2 true true true"],
            success(),
        ),
        // A terminal has no standard error.
        ("attach?container=main&stdout=true&stderr=true&tty=true", vec![attached], success()),
        ("attach?container=main&stderr=true&tty=true", vec![], no_streams.clone()),
        ("attach?container=main", vec![], no_streams),
        (
            "attach?container=side&stdout=true",
            vec![],
            internal("unable to upgrade connection: container not found (\"side\")"),
        ),
    ] {
        let mut said = told(&mut socket(&client, path).await).await;
        assert_eq!(status(&mut said), ended, "{path}");
        assert_eq!(said, lines, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn v13_a_program_reads_until_its_input_ends_and_knows_the_size_of_the_terminal() {
    let (client, _) = world().await;
    let path = "exec?container=main&command=cat&stdin=true&stdout=true";
    let mut socket = socket(&client, path).await;
    let size = Message::text("\u{4}{\"Width\": 80, \"Height\": 24}");
    within(socket.send(size)).await.expect("it is taken");
    send(&mut socket, 0, "one").await;
    for (stream, text) in [(0, "two"), (4, "{\"Width\": 7}"), (9, "nothing"), (255, "\u{1}")] {
        send(&mut socket, stream, text).await;
    }
    send(&mut socket, 0, "three").await;
    send(&mut socket, 255, "\0").await;
    send(&mut socket, 0, "too late").await;
    let mut lines = told(&mut socket).await;
    let ended = json!({
        "metadata": {}, "status": "Failure", "reason": "NonZeroExitCode",
        "message": "command terminated with non-zero exit code: command terminated with exit code 3",
        "details": {"causes": [{"reason": "ExitCode", "message": "3"}]},
    });
    assert_eq!(status(&mut lines), ended);
    let size = "1 Terminal(Some(Size { width: 80, height: 24 }))";
    assert_eq!(lines, ["1 main fake://1 Some(\"cat\")", "1 one", "1 two", "1 three", size]);
}

#[tokio::test(start_paused = true)]
async fn v13_a_program_ends_when_its_client_leaves() {
    let (client, mark) = world().await;
    let path = "exec?container=main&command=forever&stdout=true";
    let begun = async || {
        let mut upgraded = upgraded(&client, path).await;
        let mut first = [0; 2];
        within(upgraded.read_exact(&mut first)).await.expect("what it prints");
        assert_eq!(Arc::strong_count(&mark), 3);
        upgraded
    };
    drop(begun().await);
    assert_eq!(Arc::strong_count(&mark), 2);
    let mut upgraded = begun().await;
    within(upgraded.shutdown()).await.expect("an end");
    assert_eq!(Arc::strong_count(&mark), 2);
    assert_eq!(format!("{upgraded:?}"), "Upgraded");
}

#[tokio::test(start_paused = true)]
async fn v13_each_port_has_a_stream_of_data_and_one_of_errors() {
    let (client, _) = world().await;
    let mut socket = socket(&client, "portforward?ports=80,321&ports=65535").await;
    for (stream, text) in [(1, "odd!"), (8, "none"), (2, "abcd"), (0, "wxyz")] {
        send(&mut socket, stream, text).await;
    }
    let mut lines = told(&mut socket).await;
    lines.sort();
    let all = [
        "0 P\0",
        "0 zyxw",
        "1 P\0",
        "2 A\u{1}",
        "2 dcba",
        "3 A\u{1}",
        "4 \u{fffd}\u{fffd}",
        "5 default/web refuses",
        "5 \u{fffd}\u{fffd}",
    ];
    assert_eq!(lines, all);
}

#[tokio::test(start_paused = true)]
async fn v13_what_makes_no_sense_of_ports_and_programs_is_refused() {
    let (client, _) = world().await;
    client.post(PODS, &crate::support::pod("waits")).await.expect(201);
    let unplaced = "400 BadRequest: pod waits does not have a host assigned";
    let many = format!("web/portforward?ports={}", ["80"; 101].join(","));
    for (path, want) in [
        ("waits/exec?command=ls&stdout=true", unplaced),
        ("waits/portforward?ports=80", unplaced),
        ("web/portforward", "400 BadRequest: query parameter \"port\" is required"),
        ("web/portforward?ports=80,0", "400 BadRequest: port \"0\" must be > 0"),
        (
            "web/portforward?ports=80,65536",
            "400 BadRequest: cannot convert to []int32: strconv.ParseUint: parsing \"65536\": value out of range",
        ),
        (
            "none/portforward?ports=+80",
            "400 BadRequest: cannot convert to []int32: strconv.ParseUint: parsing \" 80\": invalid syntax",
        ),
        ("none/portforward?ports=80&dryRun=All", "400 BadRequest: dryRun is not supported"),
        ("none/exec?command=ls&dryRun=", "400 BadRequest: dryRun is not supported"),
        (&*many, "400 BadRequest: 101 ports are more than 100"),
    ] {
        let path = format!("{PODS}/{path}");
        let answer = client.try_send("GET", &path, &ASKED, String::new()).await.expect("an answer");
        let line = answer.line();
        assert!(line.starts_with(want), "{path}: {line}");
    }
    let most = format!("portforward?ports={}", ["80"; 100].join(","));
    drop(upgraded(&client, &most).await);
    let status = json!({"status": {"containerStatuses": [{
        "name": "main", "state": {"waiting": {}}, "image": "", "imageID": "", "ready": false, "restartCount": 0,
    }]}});
    client.merge(&format!("{PODS}/web/status"), &status).await.expect(200);
    let path = format!("{PODS}/web/portforward?ports=80");
    let answer = client.try_send("GET", &path, &ASKED, String::new()).await.expect("an answer");
    assert_eq!(
        answer.line(),
        "500 InternalError: Internal error occurred: pod not found (\"web_default\")"
    );
}

#[tokio::test(start_paused = true)]
async fn v13_who_may_read_may_not_therefore_run_something() {
    let server = ApiServer::builder().rbac().token("root").build();
    let client = Client { server, agent: "tester" };
    let send = async |method: &str, path: &str, as_user: &[(&str, &str)], body: Value| {
        let root = [("authorization", "Bearer root"), ("content-type", "application/json")];
        let headers = [&root[..], as_user].concat();
        let text = if body.is_null() { String::new() } else { body.to_string() };
        client.try_send(method, path, &headers, text).await.expect("an answer").code
    };
    let rules = |verbs: Value| {
        let resources = json!(["pods/exec", "pods/portforward"]);
        json!({"metadata": {"name": "runs"}, "rules": [{"apiGroups": [""], "resources": resources, "verbs": verbs}]})
    };
    let binding = json!({
        "metadata": {"name": "runs"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "runs"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "alice"}],
    });
    assert_eq!(send("POST", ROLES, &[], rules(json!(["get"]))).await, 201);
    assert_eq!(send("POST", BINDINGS, &[], binding).await, 201);
    let alice = [("impersonate-user", "alice")];
    for (verbs, method, code) in [
        (json!(["get"]), "GET", 403),
        (json!(["get", "create"]), "GET", 404),
        (json!(["create"]), "POST", 404),
    ] {
        assert_eq!(send("PUT", &format!("{ROLES}/runs"), &[], rules(verbs.clone())).await, 200);
        for what in ["exec?command=ls&stdout=true", "portforward?ports=80"] {
            let path = format!("{PODS}/none/{what}");
            assert_eq!(
                send(method, &path, &alice, Value::Null).await,
                code,
                "{method} {verbs} {what}"
            );
        }
    }
}

/// On a socket, too, the connection is the WebSocket after the answer.
#[tokio::test]
async fn v13_a_connection_of_a_listener_becomes_the_stream() {
    let (client, _) = world().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut tasks = tokio::task::JoinSet::new();
    let served = watchkeeper_apiserver::serve(listener, client.server, std::future::pending());
    tasks.spawn(async move { drop(served.await) });
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("a connection");
    let mut asked = format!("GET {PODS}/web/attach?container=main HTTP/1.1\r\nhost: localhost\r\n");
    for (name, value) in ASKED {
        asked += &format!("{name}: {value}\r\n");
    }
    stream.write_all(format!("{asked}\r\n").as_bytes()).await.expect("it is taken");
    let mut told = Vec::new();
    let read = stream.read_to_end(&mut told);
    let ended = tokio::time::timeout(Duration::from_secs(10), read).await;
    let told = String::from_utf8_lossy(&told);
    assert!(told.starts_with("HTTP/1.1 101 Switching Protocols\r\n"), "{told}");
    let why = "you must specify at least 1 of stdin, stdout, stderr";
    assert!(told.contains(why) && ended.is_ok(), "{told}");
}
