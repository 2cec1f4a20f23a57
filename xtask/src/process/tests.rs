//! Starting, recognising and stopping programs.

use super::{Lifetime, Server, answers, children_cpu, cpu_ticks, exists, output, runs, succeed};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::step::until;

#[test]
fn a_failure_names_the_program_and_how_it_ended() {
    let problem = succeed(Command::new("sh").args(["-c", "exit 3"])).unwrap_err();
    assert_eq!(problem, "sh ended with exit status: 3");
    assert_eq!(output(Command::new("echo").arg("a")), Ok(b"a\n".to_vec()));
    assert_eq!(answers(&mut Command::new("false")), Ok(false));
}

#[test]
fn a_missing_program_is_one_sentence() {
    let problem = succeed(&mut Command::new("/nowhere/etcd")).unwrap_err();
    assert_eq!(problem, "cannot run etcd: No such file or directory (os error 2)");
}

#[test]
fn a_server_is_known_by_id_and_program_until_it_is_stopped() {
    let log = std::env::temp_dir().join(format!("xtask-{}.log", std::process::id()));
    let mut command = Command::new("sleep");
    command.arg("60");
    let mut server = Server::start(command, &log, Lifetime::Ours).unwrap();
    let id = server.id();
    assert_eq!(server.name(), "sleep");
    assert_eq!(server.check(), Ok(()));
    // A program that was started this very moment has no arguments yet.
    until(Duration::from_secs(10), || Ok(runs(id, Path::new("sleep")))).unwrap();
    assert!(!runs(id, Path::new("etcd")));
    server.stop();
    assert!(server.check().is_err());
    assert!(!exists(id));
    std::fs::remove_file(log).unwrap();
}

#[test]
fn the_kernel_counts_processor_time() {
    assert!(cpu_ticks(std::process::id()).is_some());
    assert_eq!(cpu_ticks(u32::MAX), None);
    assert!(children_cpu().is_ok_and(|seconds| seconds >= 0.0));
}
