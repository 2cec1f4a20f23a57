//! What is printed for somebody who looks for a mistake says what it is, and no secret.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use watchkeeper_apiserver::admission::OutgoingCall;
use watchkeeper_apiserver::journal::{Batch, Journal, Saved};
use watchkeeper_apiserver::{ApiServer, Clock, Identity, Now};

use crate::support::*;

#[test]
fn a_call_is_printed_without_its_body() {
    let call = OutgoingCall {
        id: 3,
        url: "https://a.b.svc:443/x".to_owned(),
        timeout: Duration::from_secs(1),
        service: None,
        ca_bundle: Vec::new(),
        body: "hidden".into(),
    };
    assert_eq!(format!("{call:?}"), "OutgoingCall(3, https://a.b.svc:443/x, 6 bytes)");
}

#[test]
fn an_identity_is_printed_without_its_key() {
    let identity = Identity { certificates: vec![vec![1], vec![2]], key: vec![104, 105] };
    assert_eq!(format!("{identity:?}"), "Identity(2 certificates)");
}

/// What it was to keep, as it is printed.
#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Vec<String>>>);

impl Journal for Printed {
    fn read(&mut self) -> io::Result<Option<Saved>> {
        Ok(None)
    }

    fn write(&mut self, batch: &Batch) -> io::Result<()> {
        let mut lines = self.0.lock().expect("no panic");
        lines.push(format!("{:?}", batch.signing_key));
        lines.extend(batch.records.iter().map(|record| format!("{record:?}")));
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_is_printed_without_its_object() {
    let printed = Printed::default();
    let start = Now(Duration::from_secs(1_800_000_000));
    let builder = ApiServer::builder().clock(Clock::Virtual(start));
    let (server, keeper) = builder.build_on(printed.clone()).expect("a server");
    let client = Client { server, agent: "tester" };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let secrets = "/api/v1/namespaces/default/secrets";
    let script = async {
        let secret = json!({"metadata": {"name": "a"}, "stringData": {"b": "hidden"}});
        client.post(secrets, &secret).await.expect(201);
        client.delete(&format!("{secrets}/a")).await.expect(200);
        drop(stop);
    };
    let ((), kept) = tokio::join!(script, keeper.run(async { drop(stopped.await) }));
    kept.expect("a journal that works");
    let lines = printed.0.lock().expect("no panic").clone();
    let of_secrets: Vec<String> = lines
        .iter()
        .filter(|line| line.contains("secrets default/a"))
        .map(|line| line.replace(|c: char| c.is_ascii_digit(), ""))
        .collect();
    assert_eq!(of_secrets, ["Record( put secrets default/a)", "Record( remove secrets default/a)"]);
    assert!(lines.contains(&"Some(SigningKey(…))".to_owned()), "{lines:?}");
}

#[test]
fn a_server_is_printed_without_its_tokens() {
    let of = || ApiServer::builder().token("hidden").seed(0);
    let (kept, keeper) = of().build_on(Printed::default()).expect("a server");
    let plain = of().build();
    for (printed, begins) in [
        (format!("{plain:?}"), "ApiServer { core: Core { revision: "),
        (format!("{kept:?}"), "ApiServer { core: Core { revision: "),
        (format!("{keeper:?}"), "Keeper { server: ApiServer { core: Core { revision: "),
    ] {
        assert!(printed.starts_with(begins), "{printed}");
        assert!(!printed.contains("hidden"), "{printed}");
    }
}
