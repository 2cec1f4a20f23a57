//! One client on several runtimes, of which one ends.

use tokio::runtime::Runtime;
use watchkeeper_connect::{Config, ExecPlugin, Interactive};

use crate::folder;
use crate::live::{open, secure};
use crate::server::Server;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Where servers live.
fn servers() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

#[test]
fn a_client_goes_on_where_the_runtime_of_its_connections_has_ended() {
    let servers = servers();
    let (server, folder, _) = servers.block_on(secure("runtimes"));
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&folder, &cluster, "token: t").retries(0);
    for _ in 0..2 {
        let runtime = runtime();
        for _ in 0..2 {
            runtime.block_on(client.server_version()).unwrap();
        }
    }
    let connections: Vec<_> = server.seen().iter().map(|seen| seen.connection).collect();
    assert_eq!(connections, [0, 0, 1, 1]);
}

#[test]
fn a_plugin_whose_runtime_ends_is_run_again_for_who_waits() {
    let servers = servers();
    let server = servers.block_on(Server::plain());
    let folder = folder("runtimes-exec");
    let script = r#"
        echo x >> runs
        until test -e answered; do sleep 0.02; done
        echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'"#;
    let plugin = ExecPlugin {
        args: vec!["-c".to_owned(), format!("cd '{}'{script}", folder.display())],
        interactive: Interactive::Never,
        ..ExecPlugin::new("/bin/sh")
    };
    let config = Config::builder(format!("http://{}", server.address)).exec(plugin);
    let client = config.build().unwrap().client().unwrap().retries(0);
    let (one, two) = (runtime(), runtime());
    let first = client.clone();
    let first = one.spawn(async move { first.server_version().await });
    one.block_on(async {
        // The shell makes the file before it writes its line.
        while !std::fs::read(folder.join("runs")).is_ok_and(|line| !line.is_empty()) {
            tokio::task::yield_now().await;
        }
    });
    let second = two.spawn(async move { client.server_version().await });
    two.block_on(tokio::task::yield_now());
    drop(one);
    std::fs::write(folder.join("answered"), "").unwrap();
    two.block_on(second).unwrap().unwrap();
    assert!(servers.block_on(first).unwrap_err().is_cancelled());
    let runs = std::fs::read_to_string(folder.join("runs")).unwrap();
    assert_eq!(runs.lines().count(), 2);
    assert_eq!(server.seen().len(), 1);
}
