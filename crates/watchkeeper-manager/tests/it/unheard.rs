//! A program whose logs nobody hears, and that is heard later: a process of its own, as who listens is the same for
//! all of a process.

use std::process::Command;
use std::time::Duration;

use tokio::time::sleep;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::prelude::*;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{CustomResource as _, object};
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_client::{Client, CreateOptions, DeleteOptions};
use watchkeeper_controller::{ControllerPhase, Failure};
use watchkeeper_derive::Object;
use watchkeeper_manager::{Logs, Manager};

/// Set for the process that plays the program.
const PLAYS: &str = "WATCHKEEPER_TEST_PLAYS_UNHEARD";
/// What the program says on standard error when it begins to listen.
const LISTENS: &str = "from here on somebody listens";

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1")]
#[object(crate = "watchkeeper_api")]
struct Bar {
    metadata: ObjectMeta,
}

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// The definition, and with it what a copy follows.
async fn goes_and_comes(client: &Client) {
    let definitions = client.api::<CustomResourceDefinition>();
    definitions.delete("bars.example.com", &DeleteOptions::default()).await.expect("it goes");
    sleep(secs(600)).await;
    definitions.create(&Bar::crd(), &CreateOptions::default()).await.expect("it comes");
    sleep(secs(600)).await;
}

/// The program: a manager whose copy meets all that is worth a line, and whose controller fails.
#[test]
fn program() {
    if std::env::var_os(PLAYS).is_none() {
        return;
    }
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let server = ApiServer::builder().seed(7).clock(Clock::default()).build();
        let client = Client::new(server.clone());
        let manager = Manager::new(&client);
        let bars = manager.watch::<Bar>();
        let controller = manager
            .controller("bars", &bars)
            .reconcile(async |_request, _ctx| Err(Failure::new("it does not work yet")));
        let script = async {
            sleep(secs(600)).await;
            // What was not told to anybody can still be asked for.
            let status = bars.status();
            assert!(!status.synced && status.refused, "{status}");
            let definitions = client.api::<CustomResourceDefinition>();
            definitions.create(&Bar::crd(), &CreateOptions::default()).await.unwrap();
            let bar = object!(Bar { metadata: { name: "b", namespace: "default" } });
            client.api_for(&bar).create(&bar, &CreateOptions::default()).await.unwrap();
            controller.working().await;
            assert_eq!(controller.status().phase, ControllerPhase::Working);
            goes_and_comes(&client).await;

            eprintln!("{LISTENS}");
            tracing_subscriber::registry()
                .with(Logs::logfmt().with_filter(LevelFilter::INFO))
                .init();
            // The same places in the program, which nobody wanted to hear of before, and the same copy.
            goes_and_comes(&client).await;
        };
        manager.run(script).await.unwrap();
    });
}

/// Upstream prints a stack trace when no logger is set, and what the cache logs vanishes, also later.
#[test]
fn without_who_listens_nothing_is_printed_and_who_listens_later_hears_of_the_copies() {
    let program = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "unheard::program", "--nocapture"])
        .env(PLAYS, "1")
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let out = String::from_utf8(program.stdout).unwrap();
    let err = String::from_utf8(program.stderr).unwrap();
    assert!(program.status.success(), "{out}\n{err}");
    let is_harness = |line: &&str| line.is_empty() || line.starts_with("running 1 test");
    let said: Vec<_> = out.lines().filter(|line| !is_harness(line)).collect();
    let [told, result] = said[..] else { panic!("{said:?}") };
    assert!(told.starts_with("test unheard::program ... "), "{told}");
    assert!(result.starts_with("test result: ok. 1 passed"), "{result}");

    let (before, after) = err.split_once(&format!("{LISTENS}\n")).expect("it listens");
    assert_eq!(before, "", "nobody listens yet");
    let mut of_the_copy: Vec<_> = after
        .lines()
        .filter(|line| line.contains(" logger=watchkeeper_cache"))
        .map(|line| {
            let (_, rest) = line.split_once(" msg=").expect("a message");
            rest.split_once(" copy=bars.example.com").expect("of the copy").0
        })
        .collect();
    of_the_copy.dedup();
    let expected =
        [r#""lost the watch; listing everything again""#, r#""follows the server again""#];
    assert_eq!(of_the_copy, expected, "{after}");
    assert!(after.contains("it does not work yet"), "the controller's: {after}");
}
