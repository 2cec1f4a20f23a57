//! Clusters of kubeconfigs, through sockets.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use watchkeeper_apiserver::{ApiServer, serve};
use watchkeeper_client::Client;
use watchkeeper_manager::clusters::{ClusterPhase, Clusters, Kubeconfigs};

use super::{create, greeter, greeting, phases, run};

/// A server with a token of its own, and its address.
async fn listening(tasks: &mut JoinSet<std::io::Result<()>>, token: &str) -> (Client, String) {
    let server = ApiServer::builder().seed(7).token(token).build();
    let direct = Client::new(server.clone());
    let direct = authorized(direct, token);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tasks.spawn(serve(listener, server, std::future::pending()));
    (direct, address)
}

fn authorized(client: Client, token: &str) -> Client {
    let bearer = http::HeaderValue::from_str(&format!("Bearer {token}")).expect("a header");
    client.intercept(move |mut request, next| {
        request.headers_mut().insert(http::header::AUTHORIZATION, bearer.clone());
        next.send(request)
    })
}

/// Contexts of this file: name, address and token.
fn kubeconfig(contexts: &[(&str, &str, &str)]) -> String {
    let mut text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: {}\n",
        contexts.first().map_or("", |(name, ..)| name)
    );
    for (list, entry) in [
        ("clusters", "cluster: {server: 'ADDRESS'}"),
        ("users", "user: {token: TOKEN}"),
        ("contexts", "context: {cluster: NAME, user: NAME}"),
    ] {
        text += &format!("{list}:\n");
        for (name, address, token) in contexts {
            let entry = entry.replace("ADDRESS", address).replace("TOKEN", token);
            text += &format!("- name: {name}\n  {}\n", entry.replace("NAME", name));
        }
    }
    text
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// As Kubernetes replaces files: whole.
fn write(path: &Path, text: &str) {
    let new = path.with_file_name(".new");
    fs::write(&new, text).expect("written");
    fs::rename(new, path).expect("in place");
}

/// In time of the machine: there are sockets.
async fn working(clusters: &Clusters, name: &str) {
    timeout(Duration::from_secs(30), clusters.working(name)).await.expect("it works in time");
}

async fn greeted(client: &Client, name: &str) -> String {
    for _ in 0..300 {
        match greeting(client, name).await {
            said if said.is_empty() => sleep(Duration::from_millis(50)).await,
            said => return said,
        }
    }
    String::new()
}

#[tokio::test]
async fn contexts_come_and_go_and_change_their_credentials() {
    let mut tasks = JoinSet::new();
    let (north, at_north) = listening(&mut tasks, "n0rth").await;
    let (south, at_south) = listening(&mut tasks, "s0uth").await;
    for (client, name) in [(&north, "a"), (&south, "b")] {
        create(client, name).await;
    }
    let path = folder("clusters-file").join("kubeconfig");
    write(&path, &kubeconfig(&[("north", &at_north, "n0rth"), ("south", &at_south, "wrong")]));
    let fleet = Kubeconfigs::file(&path).every(Duration::from_secs(1));
    run(fleet, greeter, async |clusters| {
        working(&clusters, "north").await;
        assert_eq!(greeted(&north, "a").await, "hello from north");
        // It is not let in.
        assert_eq!(phases(&clusters)[1], ("south".to_owned(), ClusterPhase::Starting));
        // What is being written changes nothing.
        write(&path, "contexts: [");
        sleep(Duration::from_millis(1_500)).await;
        assert_eq!(phases(&clusters)[0], ("north".to_owned(), ClusterPhase::Working));
        write(&path, &kubeconfig(&[("south", &at_south, "s0uth")]));
        working(&clusters, "south").await;
        assert_eq!(greeted(&south, "b").await, "hello from south");
        timeout(Duration::from_secs(30), clusters.gone("north")).await.expect("it has left");
        assert_eq!(phases(&clusters), [("south".to_owned(), ClusterPhase::Working)]);
    })
    .await;
}

#[tokio::test]
async fn each_file_of_a_folder_is_a_cluster() {
    let mut tasks = JoinSet::new();
    let (north, at_north) = listening(&mut tasks, "n0rth").await;
    create(&north, "a").await;
    let folder = folder("clusters-folder");
    let text = kubeconfig(&[("admin", &at_north, "n0rth")]);
    write(&folder.join("north.yaml"), &text);
    write(&folder.join("ours.yaml"), &text);
    write(&folder.join("broken.yaml"), "contexts: [");
    write(&folder.join(".hidden"), &text);
    let fleet = Kubeconfigs::folder(&folder).only(|name| name != "ours");
    run(fleet.every(Duration::from_secs(1)), greeter, async |clusters| {
        working(&clusters, "north").await;
        assert_eq!(greeted(&north, "a").await, "hello from north");
        assert_eq!(phases(&clusters).len(), 1);
        fs::remove_file(folder.join("north.yaml")).expect("removed");
        write(&folder.join("south"), &text);
        timeout(Duration::from_secs(30), clusters.gone("north")).await.expect("it has left");
        working(&clusters, "south").await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_kubeconfig_that_is_not_there_at_the_start_fails_the_run() {
    let missing = folder("clusters-missing").join("kubeconfig");
    let manager = watchkeeper_manager::Manager::new(&crate::nowhere());
    manager.clusters("fleet", Kubeconfigs::file(missing), |cluster| greeter(cluster));
    let error = manager.run(std::future::pending()).await.unwrap_err().to_string();
    assert!(error.starts_with("the clusters of fleet: cannot read the kubeconfig "), "{error}");
}
