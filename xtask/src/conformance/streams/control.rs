//! The same from the same peer by kubectl.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::{Outcome, process, real};

/// What is typed after `kubectl`, what is said to it, what it says, and its exit code.
const CHECKS: [(&[&str], &str, &str, i32); 5] = [
    (&["logs", "streams", "-c", "main", "--tail=2"], "", "line 999\nline 1000\n", 0),
    (&["exec", "streams", "-c", "main", "--", "both"], "", "to standard output\n", 0),
    (&["exec", "streams", "-c", "main", "--", "exit", "3"], "", "", 3),
    (&["exec", "-i", "streams", "-c", "main", "--", "cat"], "hello\n", "hello\n", 0),
    (&["attach", "-i", "streams", "-c", "main"], "hello\n", "heard hello\n", 0),
];

/// Asks.
///
/// # Errors
/// The first answer that is not as it should be.
pub(super) fn run() -> Outcome<()> {
    for (words, input, output, code) in CHECKS {
        let what = words.join(" ");
        let mut child = start(words)?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes()).map_err(|e| format!("{what}: {e}"))?;
        }
        let done = child.wait_with_output().map_err(|e| format!("{what}: {e}"))?;
        let (said, status) = (String::from_utf8_lossy(&done.stdout), done.status.code());
        if said != output || status != Some(code) {
            let beside = String::from_utf8_lossy(&done.stderr);
            return Err(format!("kubectl {what}: {status:?}, {said:?}, {beside}"));
        }
        eprintln!("ok  kubectl {what}");
    }
    port_forward()?;
    eprintln!("ok  kubectl port-forward");
    Ok(())
}

fn start(words: &[&str]) -> Outcome<Child> {
    let mut command = real::program("kubectl")?;
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|e| format!("cannot start kubectl: {e}"))
}

/// What is said to the port that echoes comes back.
fn port_forward() -> Outcome<()> {
    let mut child = start(&["port-forward", "streams", ":7"])?;
    let outcome =
        child.stdout.take().ok_or_else(|| "no standard output".to_owned()).and_then(|out| {
            let first = process::lines(out).recv_timeout(Duration::from_secs(30));
            let line = first.map_err(|_| "kubectl port-forward says nothing".to_owned())?;
            let address = line.split_whitespace().nth(2).unwrap_or_default();
            let echoed = echo(address).map_err(|e| format!("{line}: {e}"))?;
            if echoed == "hello" { Ok(()) } else { Err(format!("port-forward: {echoed:?}")) }
        });
    // Gone already is as good as ended.
    let _gone = child.kill();
    let _status = child.wait();
    outcome
}

fn echo(address: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    stream.write_all(b"hello")?;
    stream.shutdown(Shutdown::Write)?;
    let mut echoed = String::new();
    stream.read_to_string(&mut echoed)?;
    Ok(echoed)
}
