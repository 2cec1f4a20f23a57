//! `kubectl port-forward`, on the cluster of the example `containers`: port 7 of its pods repeats what it hears, port 80
//! is a page, and nobody listens to port 9.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::checks::{check, gone};
use super::{Check, Kubectl, words};
use crate::{Outcome, process, step};

/// How long a line or an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What there is to forward to beside the pod that is there.
const MADE: &[Check] = &[
    check("create deployment pages --image none", &["deployment.apps/pages created"]),
    check("expose deployment pages --port 8080 --target-port 80", &["service/pages exposed"]),
    check("wait deployment pages --for condition=Available", &["condition met"]),
];

/// Connects through kubectl, and tells how many checks there are.
///
/// # Errors
/// The first that is not as it should be.
pub(super) fn checks(kubectl: &Kubectl) -> Outcome<usize> {
    for check in MADE {
        kubectl.check(check)?;
    }
    let each: [fn(&Kubectl) -> Outcome<()>; 4] = [echoes, pages, unheard, none];
    for check in each {
        check(kubectl)?;
    }
    Ok(MADE.len() + each.len())
}

/// One after the other, many at once, and much both ways.
fn echoes(kubectl: &Kubectl) -> Outcome<()> {
    let forwarding = Forwarding::start(kubectl, "pod/toolbox :7")?;
    let port = forwarding.port(7)?;
    for text in ["one", "two", "", "three"] {
        same(text.as_bytes(), &exchanged(port, text.as_bytes())?)?;
    }
    let mut all = Vec::new();
    for at in 0..10 {
        let mut stream = connect(port)?;
        stream.write_all(format!("{at}").as_bytes()).map_err(failed)?;
        all.push(stream);
    }
    for (at, stream) in all.into_iter().enumerate().rev() {
        same(at.to_string().as_bytes(), &rest(stream)?)?;
    }
    let much: Vec<u8> = (0..5_000_000_u32).map(|at| (at / 7) as u8).collect();
    same(&much, &exchanged(port, &much)?)?;
    forwarding.interrupt()
}

/// HTTP to a pod, to one of a deployment, and to one behind the port of a service; two ports at once.
fn pages(kubectl: &Kubectl) -> Outcome<()> {
    for (line, pod) in [
        ("toolbox :7 :80", "toolbox"),
        ("deploy/pages :80", "pages-"),
        ("svc/pages :8080", "pages-"),
    ] {
        let forwarding = Forwarding::start(kubectl, line)?;
        if line.contains(":7") {
            let port = forwarding.port(7)?;
            same(b"beside it", &exchanged(port, b"beside it")?)?;
        }
        let port = forwarding.port(80)?;
        let asked = b"GET /a/page HTTP/1.1\r\nhost: here\r\n\r\n";
        for _ in 0..2 {
            let page = exchanged(port, asked)?;
            let page = String::from_utf8_lossy(&page);
            if !page.contains(&format!("\r\n\r\n/a/page of {pod}")) {
                return Err(format!("port-forward {line}: {page}"));
            }
        }
        forwarding.interrupt()?;
    }
    Ok(())
}

/// Where nobody listens kubectl tells why, and ends.
fn unheard(kubectl: &Kubectl) -> Outcome<()> {
    let mut forwarding = Forwarding::start(kubectl, "toolbox :9")?;
    same(b"", &exchanged(forwarding.port(9)?, b"anybody?")?)?;
    let said = forwarding.ended()?;
    let why = "error forwarding port 9 to pod toolbox: connection refused";
    for text in [why, "error: lost connection to pod"] {
        if !said.contains(text) {
            return Err(format!("port-forward to port 9: {text:?} is missing in {said}"));
        }
    }
    Ok(())
}

/// There is nothing to forward to.
fn none(kubectl: &Kubectl) -> Outcome<()> {
    kubectl.check(&gone("port-forward none :80", &["pods \"none\" not found"]))
}

/// A kubectl that forwards.
struct Forwarding {
    child: Child,
    lines: Receiver<String>,
}

impl Forwarding {
    fn start(kubectl: &Kubectl, line: &str) -> Outcome<Self> {
        let mut command = kubectl.command();
        command.args(["port-forward", "--address", "127.0.0.1"]).args(words(line));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot start kubectl: {e}"))?;
        let lines = process::lines(child.stdout.take().ok_or("no standard output")?);
        Ok(Self { child, lines })
    }

    /// Where a port of the pod is here. They are told in the order in which they were asked for.
    fn port(&self, of_pod: u16) -> Outcome<u16> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.map_err(|_| format!("kubectl does not forward to port {of_pod}"))?;
            let port = line
                .strip_prefix("Forwarding from 127.0.0.1:")
                .and_then(|rest| rest.strip_suffix(&format!(" -> {of_pod}")));
            if let Some(port) = port {
                return port.parse().map_err(|_| line.clone());
            }
        }
    }

    /// What it said beside it once it has ended by itself.
    fn ended(&mut self) -> Outcome<String> {
        step::until(PATIENCE, || self.child.try_wait().map(|done| done.is_some()).map_err(failed))?;
        let mut said = String::new();
        let beside = self.child.stderr.take().map(|mut pipe| pipe.read_to_string(&mut said));
        beside.transpose().map_err(failed)?;
        Ok(said)
    }

    /// Ends it as Ctrl-C does: it has nothing to complain of.
    fn interrupt(mut self) -> Outcome<()> {
        process::signal(self.child.id(), "INT");
        let said = self.ended()?;
        if said.is_empty() { Ok(()) } else { Err(format!("kubectl port-forward: {said}")) }
    }
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        // Gone already is as good as ended.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}

fn failed(error: std::io::Error) -> String {
    format!("kubectl port-forward: {error}")
}

fn connect(port: u16) -> Outcome<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port)).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    Ok(stream)
}

/// Says that all is said, and hears the rest.
fn rest(mut stream: TcpStream) -> Outcome<Vec<u8>> {
    let mut heard = Vec::new();
    stream.shutdown(Shutdown::Write).map_err(failed)?;
    stream.read_to_end(&mut heard).map_err(failed)?;
    Ok(heard)
}

/// All that comes back of what is said, which is said while it is listened to.
fn exchanged(port: u16, said: &[u8]) -> Outcome<Vec<u8>> {
    let stream = connect(port)?;
    let mut writer = stream.try_clone().map_err(failed)?;
    std::thread::scope(|scope| {
        let written = scope.spawn(move || {
            writer.write_all(said)?;
            writer.shutdown(Shutdown::Write)
        });
        let (mut heard, mut reader) = (Vec::new(), stream);
        reader.read_to_end(&mut heard).map_err(failed)?;
        // Who has hung up before all was said has said so by what is heard.
        let _written = written.join();
        Ok(heard)
    })
}

fn same(said: &[u8], heard: &[u8]) -> Outcome<()> {
    if said == heard {
        return Ok(());
    }
    let shown = String::from_utf8_lossy(&heard[..heard.len().min(200)]).into_owned();
    Err(format!("port-forward: of {} bytes {} came back: {shown}", said.len(), heard.len()))
}
