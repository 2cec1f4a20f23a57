//! `watchkeeper serve`, with a client that joins in as kubectl does.

use std::io::{BufRead as _, BufReader};
use std::process::Child;

use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Pod};
use watchkeeper_api::{Object as _, object};
use watchkeeper_client::{Client, ListOptions};
use watchkeeper_connect::{Config, Options};

use crate::*;

/// A program that serves; it is killed when a test fails.
struct Serving {
    child: Child,
    /// What it said of itself, and how to join in.
    told: [String; 2],
    kubeconfig: PathBuf,
}

impl Serving {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_watchkeeper"));
        command.arg("serve").args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let told = [(); 2].map(|()| lines.next().expect("a line").expect("text"));
        let words: Vec<&str> = told[1].split(' ').collect();
        assert_eq!((words[0], words[1], words[3]), ("kubectl", "--kubeconfig", "get"));
        let kubeconfig = PathBuf::from(words[2]);
        Self { child, told, kubeconfig }
    }

    fn client(&self) -> Client {
        let options = Options { path: Some(self.kubeconfig.clone()), ..Options::default() };
        let client = Config::from_kubeconfig(&options).expect("a kubeconfig").client();
        client.expect("a client")
    }

    /// Tells it to stop, and wants it to end well and take its kubeconfig along.
    fn stop(mut self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -s $0 $1", signal, &id]).status();
        assert!(sent.expect("a shell").success());
        assert!(self.child.wait().expect("an end").success());
        assert!(!self.kubeconfig.exists(), "the kubeconfig is gone");
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It has ended already unless a test fails.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}

#[tokio::test]
async fn a_deployment_becomes_ready_on_a_served_cluster() {
    let serving = Serving::start(&["--nodes", "2"]);
    let [told, _] = &serving.told;
    assert!(told.starts_with("Kubernetes 1.36 at http://127.0.0.1:"), "{told}");
    assert!(told.ends_with(", 2 nodes, until Ctrl-C"), "{told}");
    let client = serving.client();
    let web = object!(Deployment {
        metadata: { name: "web", namespace: "default" },
        spec: {
            replicas: 2,
            selector: { match_labels: { "app": "web" } },
            template: {
                metadata: { labels: { "app": "web" } },
                spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] },
            },
        },
    });
    let deployments = client.api_for(&web);
    deployments.create(&web, &Default::default()).await.expect("created");
    while deployments.get("web").await.expect("there").status.available_replicas != 2 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    serving.stop("INT");
}

#[tokio::test]
async fn a_cluster_without_actors_keeps_what_it_is_told() {
    let folder = folder("serve-alone");
    let kubeconfig = folder.join("kubeconfig");
    let path = kubeconfig.display().to_string();
    let arguments = ["--actors", "none", "--kubeconfig-out", &path];
    let serving = Serving::start(&arguments);
    assert_eq!(serving.kubeconfig, kubeconfig);
    let client = serving.client();
    let pod = object!(Pod {
        metadata: { name: "a", namespace: "default" },
        spec: { containers: [{ name: "a", image: "a" }] },
    });
    client.api_for(&pod).create(&pod, &Default::default()).await.expect("created");
    let kept = client.api_for(&pod).get("a").await.expect("there");
    assert_eq!((&*kept.spec.node_name, &*kept.status.phase), ("", "Pending"));
    let maps = client.api::<ConfigMap>().list_all(&ListOptions::default()).await.expect("a list");
    let names: Vec<&str> = maps.items.iter().map(|map| map.name()).collect();
    let own = "kube-apiserver-legacy-service-account-token-tracking";
    assert_eq!(names, [own], "nobody hands out certificates");

    // One that was killed leaves its kubeconfig, which the next one may replace.
    let mut killed = serving;
    killed.child.kill().expect("it is there");
    drop(killed);
    assert!(kubeconfig.exists());
    Serving::start(&arguments).stop("TERM");
}

#[tokio::test]
async fn over_tls_the_kubeconfig_knows_the_authority() {
    let serving = Serving::start(&["--tls", "--actors", "service-account"]);
    let [told, _] = &serving.told;
    assert!(told.starts_with("Kubernetes 1.36 at https://127.0.0.1:"), "{told}");
    let client = serving.client();
    assert_eq!(client.api::<Namespace>().get("default").await.expect("there").name(), "default");
    let maps = client.api::<ConfigMap>().namespace("default");
    let published = loop {
        match maps.get("kube-root-ca.crt").await {
            Ok(map) => break map.data.get("ca.crt").expect("it").to_string(),
            Err(error) => assert!(error.is_not_found(), "{error}"),
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let authority = watchkeeper_api::ByteString::from(published.into_bytes()).to_base64();
    assert!(read(&serving.kubeconfig).contains(&authority), "pods know the server by it, too");
    serving.stop("INT");
}

#[tokio::test]
async fn who_asked_for_what_is_in_the_audit_log() {
    let file = folder("serve-audit").join("audit.log");
    std::fs::write(&file, "what was there\n").expect("a file");
    let path = file.display().to_string();
    let serving = Serving::start(&["--actors", "none", "--audit", &path]);
    let client = serving.client().user_agent("me");
    let missing = client.api::<ConfigMap>().namespace("default").get("a").await;
    assert!(missing.expect_err("it is not there").is_not_found());
    serving.stop("INT");
    let lines = read(&file);
    let mut lines = lines.lines();
    assert_eq!(lines.next(), Some("what was there"));
    let of_mine = lines.find(|line| line.contains(r#""userAgent":"me"#)).expect("a line");
    assert!(of_mine.starts_with(r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","#), "{of_mine}");
    assert!(of_mine.contains(r#""verb":"get""#) && of_mine.contains(r#""code":404"#), "{of_mine}");

    let told = refused(&folder("serve-no-audit"), &["serve", "--audit", "/"]);
    let why = "watchkeeper: the audit log / cannot be opened: Is a directory (os error 21)\n";
    assert_eq!(told, why);
}

#[test]
fn off_loopback_the_server_asks_who_it_is_and_speaks_tls() {
    let told = refused(&folder("serve-all"), &["serve", "--address", "0.0.0.0"]);
    assert_eq!(told, "watchkeeper: others can reach 0.0.0.0: it takes --tls as well\n");
    let serving = Serving::start(&["--address", "0.0.0.0", "--tls", "--actors", "none"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let client = serving.client();
        client.api::<Pod>().list_all(&ListOptions::default()).await.expect("the administrator's");
        let text = read(&serving.kubeconfig);
        let (before, rest) = text.split_once(" token: ").expect("a token");
        let (_, after) = rest.split_once(' ').expect("an end");
        let nobody = Config::from_kubeconfig_text(
            &format!("{before}{after}"),
            "the test",
            &Options::default(),
        );
        let nobody = nobody.expect("a kubeconfig").client().expect("a client");
        let refused = nobody.api::<Pod>().list_all(&ListOptions::default()).await;
        assert_eq!(refused.expect_err("nobody").status().map(|status| status.code), Some(401));
    });
    serving.stop("INT");
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_a_kill() {
    let folder = folder("serve-kept");
    let data = folder.join("data").display().to_string();
    let arguments = ["--actors", "none", "--data", &data];
    let serving = Serving::start(&arguments);
    let map = |name| object!(ConfigMap { metadata: { name: name, namespace: "default" } });
    let maps = serving.client().api::<ConfigMap>().namespace("default");
    maps.create(&map("gone"), &Default::default()).await.expect("created");
    let kept = maps.create(&map("kept"), &Default::default()).await.expect("created");
    maps.delete("gone", &Default::default()).await.expect("deleted");
    let told = refused(&folder, &["serve", "--data", &data]);
    assert!(told.starts_with(&format!("watchkeeper: {data} cannot keep a cluster: ")), "{told}");
    // Dropping it is a kill -9.
    drop(serving);

    let serving = Serving::start(&arguments);
    let maps = serving.client().api::<ConfigMap>().namespace("default");
    assert_eq!(maps.get("kept").await.expect("it is there"), kept);
    assert!(maps.get("gone").await.expect_err("it was deleted").is_not_found());
    let later = maps.create(&map("later"), &Default::default()).await.expect("created");
    let number =
        |map: &ConfigMap| -> u64 { map.metadata.resource_version.parse().expect("a number") };
    assert!(number(&later) > number(&kept) + 1, "the delete took one, too");
    serving.stop("TERM");
}

#[tokio::test]
async fn a_cluster_that_was_exported_is_served_again() {
    let folder = folder("serve-exported");
    let file = folder.join("cluster.yaml");
    let [path, data] = [&file, &folder.join("data")].map(|path| path.display().to_string());
    let serving = Serving::start(&["--actors", "none", "--export", &path]);
    let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
    let maps = serving.client().api_for(&map);
    let made = maps.create(&map, &Default::default()).await.expect("created");
    assert!(!file.exists(), "it is for the end");
    serving.stop("TERM");

    let exported = read(&file);
    let again = folder.join("again.yaml").display().to_string();
    let arguments = ["--actors", "none", "--import", &path, "--data", &data, "--export", &again];
    let serving = Serving::start(&arguments);
    let maps = serving.client().api_for(&map);
    assert_eq!(maps.get("a").await.expect("it is there"), made);
    let told = refused(&folder, &["serve", "--import", &path, "--export", "none/such"]);
    assert_eq!(told, "watchkeeper: none/such cannot be written: it needs a folder\n");
    serving.stop("TERM");
    assert_eq!(read(&folder.join("again.yaml")), exported);

    let told = refused(&folder, &["serve", "--import", &path, "--data", &data]);
    let why = "there is a cluster already, which the import would replace";
    assert_eq!(told, format!("watchkeeper: {data}: {why}\n"));
    write(&file, "kind: Pod\n");
    let told = refused(&folder, &["serve", "--import", &path]);
    assert_eq!(told, format!("watchkeeper: {path}: document 1, at line 1: it has no apiVersion\n"));
}

#[test]
fn what_cannot_be_had_is_one_sentence() {
    let folder = folder("serve-refused");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let told = refused(&folder, &["serve", "--port", &port]);
    assert!(told.contains(&port) && told.contains("--port, or none for a free one"), "{told}");
    let told = refused(&folder, &["serve", "--actors", "deployment,cloud"]);
    assert!(told.contains("there is no actor \"cloud\"; there are namespace, "), "{told}");
    write(&folder.join("mine"), "apiVersion: v1\nkind: Config\n");
    let told = refused(&folder, &["serve", "--kubeconfig-out", "mine"]);
    assert!(told.starts_with("watchkeeper: mine is not a kubeconfig of an embedded"), "{told}");
    assert_eq!(read(&folder.join("mine")), "apiVersion: v1\nkind: Config\n");
}
