//! What goes on for a while: watches, through kubectl and through its proxy.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::{Kubectl, words};
use crate::Outcome;

/// How long a line may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program whose lines are read as they come; killed when dropped.
struct Lines {
    child: Child,
    lines: Receiver<String>,
}

impl Lines {
    fn of(mut command: Command) -> Outcome<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", command.get_program().display()))?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, lines })
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
        // Gone already is as good as killed.
        let _gone = self.child.kill();
        let _status = self.child.wait();
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
    crate::process::output(&mut kubectl(cluster, patch))?;
    watch.find("example-foo example-foo 4 4")?;
    Ok(1)
}

/// Through `kubectl proxy`, curl lists and watches, in the new form and in the old one, chunked.
///
/// # Errors
/// When an answer is not what a watch sends.
pub(super) fn proxy(cluster: &Kubectl) -> Outcome<usize> {
    let proxy = Lines::of(kubectl(cluster, "proxy --port=0"))?;
    let line = proxy.find("Starting to serve on")?;
    let address = line.rsplit(' ').next().unwrap_or_default().to_owned();
    let base = format!("http://{address}/apis/samplecontroller.k8s.io/v1alpha1");
    let listed =
        crate::process::output(curl(&format!("{base}/namespaces/default/foos")).arg("-i"))?;
    let listed = String::from_utf8_lossy(&listed);
    if !listed.contains("\"kind\":\"FooList\"") || !listed.contains("example-foo") {
        return Err(format!("the list is not one: {listed}"));
    }
    let paths = [format!("{base}/namespaces/default/foos?watch=yes"), format!("{base}/watch/foos")];
    for path in &paths {
        let mut command = curl(path);
        command.args(["-N", "-i"]);
        let stream = Lines::of(command)?;
        stream.find("Transfer-Encoding: chunked")?;
        let line = stream.find("\"type\":\"ADDED\"")?;
        if !line.contains("example-foo") {
            return Err(format!("{path}: {line}"));
        }
        let note = "annotate foo example-foo --overwrite";
        crate::process::output(kubectl(cluster, note).arg(format!("seen-by={}", path.len())))?;
        stream.find("\"type\":\"MODIFIED\"")?;
    }
    Ok(1 + paths.len())
}

fn curl(url: &str) -> Command {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--noproxy", "*", url]);
    command
}
