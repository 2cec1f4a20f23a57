//! What goes on for a while: watches, through kubectl and through its proxy.

use std::io::Write as _;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::{Kubectl, words};
use crate::{Outcome, process};

/// How long a line may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Lines that are read as they come, of a program or of an answer; dropping them ends where they come from.
struct Lines {
    source: Source,
    lines: Receiver<String>,
}

enum Source {
    Program(Child),
    Answer(TcpStream),
}

impl Lines {
    fn of(mut command: Command) -> Outcome<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", command.get_program().display()))?;
        let lines = process::lines(child.stdout.take().ok_or("no standard output")?);
        Ok(Self { source: Source::Program(child), lines })
    }

    /// The raw answer, with its head, to a GET over plain HTTP/1.1, as the oldest of clients would ask.
    fn answer(address: &str, path: &str) -> Outcome<Self> {
        let failed = |e: std::io::Error| format!("{address}: {e}");
        let mut stream = TcpStream::connect(address).map_err(failed)?;
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).map_err(failed)?;
        let lines = process::lines(stream.try_clone().map_err(failed)?);
        Ok(Self { source: Source::Answer(stream), lines })
    }

    /// The next line that has `text` in it, blanks folded.
    fn find(&self, text: &str) -> Outcome<String> {
        loop {
            let line = self
                .lines
                .recv_timeout(PATIENCE)
                .map_err(|_| format!("no line with {text:?} came"))?;
            if line.split_whitespace().collect::<Vec<_>>().join(" ").contains(text) {
                return Ok(line);
            }
        }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // Gone already is as good as ended.
        match &mut self.source {
            Source::Program(child) => {
                let _gone = child.kill();
                let _status = child.wait();
            }
            Source::Answer(stream) => {
                let _gone = stream.shutdown(std::net::Shutdown::Both);
            }
        }
    }
}

fn kubectl(kubectl: &Kubectl, line: &str) -> Command {
    let mut command = kubectl.command();
    command.args(words(line));
    command
}

/// `get -w` shows a change as it happens.
///
/// # Errors
/// When it does not.
pub(super) fn watch(cluster: &Kubectl) -> Outcome<usize> {
    let watch = Lines::of(kubectl(cluster, "get foos -w"))?;
    watch.find("NAME DEPLOYMENT REPLICAS AVAILABLE AGE")?;
    watch.find("example-foo example-foo 1 1")?;
    let patch = "patch foo example-foo --type=merge -p '{\"spec\":{\"replicas\":4}}'";
    process::output(&mut kubectl(cluster, patch))?;
    watch.find("example-foo example-foo 4 4")?;
    Ok(1)
}

/// Through `kubectl proxy`, a plain HTTP client lists and watches, in the new form and in the old one, chunked.
///
/// # Errors
/// When an answer is not what a watch sends.
pub(super) fn proxy(cluster: &Kubectl) -> Outcome<usize> {
    let proxy = Lines::of(kubectl(cluster, "proxy --port=0"))?;
    let line = proxy.find("Starting to serve on")?;
    let address = line.rsplit(' ').next().unwrap_or_default().to_owned();
    let base = "/apis/samplecontroller.k8s.io/v1alpha1";
    let listed = Lines::answer(&address, &format!("{base}/namespaces/default/foos"))?
        .find("\"kind\":\"FooList\"")?;
    if !listed.contains("example-foo") {
        return Err(format!("the list is not one: {listed}"));
    }
    let paths = [format!("{base}/namespaces/default/foos?watch=yes"), format!("{base}/watch/foos")];
    for path in &paths {
        let stream = Lines::answer(&address, path)?;
        stream.find("Transfer-Encoding: chunked")?;
        let line = stream.find("\"type\":\"ADDED\"")?;
        if !line.contains("example-foo") {
            return Err(format!("{path}: {line}"));
        }
        let note = "annotate foo example-foo --overwrite";
        process::output(kubectl(cluster, note).arg(format!("seen-by={}", path.len())))?;
        stream.find("\"type\":\"MODIFIED\"")?;
    }
    Ok(1 + paths.len())
}
