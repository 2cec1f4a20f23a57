//! `cargo run --release -p minimal` connects as kubectl does (`KUBECONFIG`, `~/.kube/config`, or
//! the pod's service account) and counts until it is told to stop.

use watchkeeper::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> watchkeeper::Result<()> {
    let client = watchkeeper::connect().await?.user_agent("minimal");
    let manager = Manager::new(&client);
    minimal::counter(&manager);
    manager.run(signals::shutdown()).await
}
