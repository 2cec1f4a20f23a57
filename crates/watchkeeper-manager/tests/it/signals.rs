//! Real signals, sent to a process of its own.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use watchkeeper_manager::signals;

/// Set for the process that plays the program.
const PLAYS: &str = "WATCHKEEPER_TEST_PLAYS_PROGRAM";

/// The program: stops at the first signal, and then hangs.
#[test]
fn program() {
    if std::env::var_os(PLAYS).is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let shutdown = signals::shutdown();
        println!("\nready");
        shutdown.await;
        println!("stopping");
        std::future::pending::<()>().await;
    });
}

#[test]
fn the_first_signal_asks_to_stop_and_the_second_exits_with_one() {
    for (first, second) in [("INT", "INT"), ("TERM", "INT"), ("INT", "TERM")] {
        let mut program = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "signals::program", "--nocapture"])
            .env(PLAYS, "1")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
        let mut told = |what: &str| lines.any(|line| line.unwrap() == what);
        assert!(told("ready"));
        send(&program, first);
        assert!(told("stopping"));
        // What comes within a quarter of a second is the same stroke still.
        let ended = loop {
            send(&program, second);
            if let Some(ended) = program.try_wait().unwrap() {
                break ended;
            }
        };
        assert_eq!(ended.code(), Some(1));
    }
}

fn send(program: &Child, signal: &str) {
    let kill = Command::new("kill").args(["-s", signal, &program.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
}
