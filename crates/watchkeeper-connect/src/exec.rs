//! Credentials printed by a program (KEP-541; `client.authentication.k8s.io` v1 and v1beta1).
//!
//! It runs once and its answer is used until it expires or the server refuses it. Several callers wait for
//! one run, and share its failure, too: nobody is asked for a password fifty times.

use std::io::IsTerminal as _;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use tokio::process::Command;
use watchkeeper_api::Time;
use watchkeeper_client::{BoxError, RequestMetrics};

use crate::auth::{Credentials, bearer};
use crate::flight::{EndsWith, SingleFlight};
use crate::kubeconfig::{Exec, yaml};
use crate::tls::Identity;
use measures::Measures;

mod measures;
#[cfg(test)]
mod tests;

/// Credentials about to expire are not worth sending.
const SKEW: Duration = Duration::from_secs(10);

const V1: &str = "client.authentication.k8s.io/v1";
const V1BETA1: &str = "client.authentication.k8s.io/v1beta1";

/// How long a person may take to answer.
const PERSON: Duration = Duration::from_secs(600);
/// How long a program may take that asks nobody. A log-in before the first call has no other deadline.
const ALONE: Duration = Duration::from_secs(60);

/// What to do about what a program printed.
const SEE: &str = "run it by hand to see, and update it";

/// A program, and its runs.
pub(crate) struct Plugin {
    program: Arc<Program>,
    runs: SingleFlight<Result<Credentials, String>>,
}

/// A program and what it said last.
struct Program {
    exec: Exec,
    /// Told to the program when it asks for it.
    cluster: serde_json::Value,
    /// Whether there is somebody to ask.
    terminal: fn() -> bool,
    state: Mutex<State>,
    /// Credentials of a run up to this one were refused by the server.
    refused: AtomicU64,
    measures: Measures,
}

#[derive(Default)]
struct State {
    runs: u64,
    last: Option<Fresh>,
}

struct Fresh {
    credentials: Credentials,
    expires: Option<SystemTime>,
}

/// What the program prints.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCredential {
    api_version: String,
    kind: String,
    status: Option<Status>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Status {
    expiration_timestamp: Option<String>,
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
}

impl Plugin {
    /// # Errors
    /// What is wrong with the configuration, before anything runs.
    pub(crate) fn new(exec: Exec, cluster: serde_json::Value) -> Result<Self, String> {
        Self::at(exec, cluster, || std::io::stdin().is_terminal())
    }

    fn at(exec: Exec, cluster: serde_json::Value, terminal: fn() -> bool) -> Result<Self, String> {
        if exec.command.is_empty() {
            return Err("its exec plugin names no command; set command".to_owned());
        }
        if ![V1, V1BETA1].contains(&exec.api_version.as_str()) {
            let version = &exec.api_version;
            return Err(format!(
                "its exec plugin speaks {version:?}, not {V1} or {V1BETA1}; update the plugin or the kubeconfig"
            ));
        }
        let program = Program {
            exec,
            cluster,
            terminal,
            state: Mutex::default(),
            refused: AtomicU64::new(0),
            measures: Measures::default(),
        };
        Ok(Self { program: Arc::new(program), runs: SingleFlight::new() })
    }

    /// `the credential plugin "aws"`, for messages.
    pub(crate) fn name(&self) -> String {
        self.program.name()
    }

    /// Tells of its runs, and of how long its certificate is good.
    pub(crate) fn measured_by(&self, metrics: Arc<dyn RequestMetrics>) {
        self.program.measures.tell(metrics);
    }

    /// What the program said last, or says now.
    ///
    /// # Cancel safety
    /// A program that may ask a person goes on, for who comes next: a log-in takes longer than a call may. It is
    /// killed with the connection. Another is killed when nobody waits for it any more; the next caller runs it
    /// again.
    pub(crate) async fn credentials(&self) -> Result<Credentials, BoxError> {
        let program = &self.program;
        if let Some(credentials) = program.usable() {
            program.measures.good_until(credentials.identity.as_ref());
            return Ok(credentials);
        }
        let asks = program.interactive((program.terminal)());
        let asks = asks.map_err(|what| program.sentence(&what))?;
        let ends = if asks { EndsWith::Owner } else { EndsWith::LastCaller };
        let said = self.runs.run(ends, || Arc::clone(program).renew(asks)).await;
        let said =
            said.unwrap_or_else(|| Err(program.sentence("was left while it ran; call again")));
        Ok(said?)
    }

    /// What the program said last, if that may still be used. Nothing runs.
    pub(crate) fn at_hand(&self) -> Credentials {
        self.program.usable().unwrap_or_default()
    }

    /// The server refused what came from this run: run again before the next request.
    pub(crate) fn forget(&self, credentials: &Credentials) {
        self.program.refused.fetch_max(credentials.run, Ordering::AcqRel);
    }
}

impl Program {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn usable(&self) -> Option<Credentials> {
        let state = self.state();
        let fresh = state.last.as_ref()?;
        let refused = fresh.credentials.run <= self.refused.load(Ordering::Acquire);
        let expired = fresh.expires.is_some_and(|expires| now() + SKEW >= expires);
        (!refused && !expired).then(|| fresh.credentials.clone())
    }

    /// Runs it, unless another run ended between the caller's look and this.
    async fn renew(self: Arc<Self>, interactive: bool) -> Result<Credentials, String> {
        if let Some(credentials) = self.usable() {
            return Ok(credentials);
        }
        let said = self.run(interactive).await;
        let mut state = self.state();
        let run = state.runs + 1;
        let fresh = said.and_then(|status| fresh(run, status));
        let fresh = fresh.map_err(|what| self.sentence(&what))?;
        let credentials = fresh.credentials.clone();
        let before = state.last.as_ref().and_then(|last| last.credentials.identity.as_ref());
        self.measures.rotated(before, credentials.identity.as_ref());
        self.measures.good_until(credentials.identity.as_ref());
        *state = State { runs: run, last: Some(fresh) };
        Ok(credentials)
    }

    async fn run(&self, interactive: bool) -> Result<Status, String> {
        let limit = if interactive { PERSON } else { ALONE };
        // Not `Command::output`, which takes what the program says to people, too.
        let ended = async { self.command(interactive).spawn()?.wait_with_output().await };
        let late = |_| {
            format!("was not done within {} seconds; run it by hand to see why", limit.as_secs())
        };
        let output = tokio::time::timeout(limit, ended).await.map_err(late)?;
        self.measures.call(&output);
        let output = output.map_err(|error| self.cannot_start(&error))?;
        read_output(&output, &self.exec.api_version)
    }

    fn command(&self, interactive: bool) -> Command {
        let mut spec = serde_json::json!({ "interactive": interactive });
        if self.exec.provide_cluster_info {
            spec["cluster"] = self.cluster.clone();
        }
        let info = serde_json::json!({
            "apiVersion": self.exec.api_version, "kind": "ExecCredential", "spec": spec,
        });
        let mut command = Command::new(&self.exec.command);
        command
            .args(&self.exec.args)
            .envs(self.exec.env.iter().map(|env| (&env.name, &env.value)))
            .env("KUBERNETES_EXEC_INFO", info.to_string())
            .stdin(if interactive { Stdio::inherit() } else { Stdio::null() })
            .stdout(Stdio::piped())
            // Where a person reads what to do, and why it failed.
            .stderr(Stdio::inherit())
            .kill_on_drop(true);
        command
    }

    /// Whether the program may talk to a person, who needs a `terminal`.
    fn interactive(&self, terminal: bool) -> Result<bool, String> {
        match self.exec.interactive_mode.as_deref() {
            Some("Never") => Ok(false),
            Some("Always") if !terminal => {
                Err("wants to ask a person, and there is no terminal; log in \
                                                from one, or use credentials that ask nobody"
                    .to_owned())
            }
            Some("IfAvailable" | "Always" | "") | None => Ok(terminal),
            Some(other) => Err(format!(
                "has the unknown interactiveMode {other:?}; it is Never, IfAvailable or Always"
            )),
        }
    }

    fn cannot_start(&self, error: &std::io::Error) -> String {
        let hint = one_line(self.exec.install_hint.as_deref().unwrap_or_default());
        match (error.kind(), &*hint) {
            (std::io::ErrorKind::NotFound, "") => {
                "is not installed, or not in PATH; install it".to_owned()
            }
            (std::io::ErrorKind::NotFound, hint) => format!("is not installed: {hint}"),
            _ => format!("cannot be started: {error}; may this program run it?"),
        }
    }

    fn name(&self) -> String {
        format!("the credential plugin {:?}", self.exec.command)
    }

    fn sentence(&self, what: &str) -> String {
        format!("{} {what}", self.name())
    }
}

/// The text on one line, without what would steer a terminal (upstream: `cleanANSIEscapeCodes`).
fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "\u{fffd}")
}

fn fresh(run: u64, status: Status) -> Result<Fresh, String> {
    let said = |text: Option<String>| text.filter(|text| !text.is_empty());
    let header = said(status.token).map(|token| bearer(&token)).transpose();
    let header = header.map_err(|what| format!("printed a token that is none: {what}"))?;
    let (certificate, key) = (status.client_certificate_data, status.client_key_data);
    let identity = match (said(certificate), said(key)) {
        (Some(certificate), Some(key)) => Some(
            Identity::from_pem(certificate.as_bytes(), key.as_bytes())
                .map_err(|what| format!("printed {what}"))?,
        ),
        (None, None) => None,
        _ => return Err(format!("printed a certificate without its key, or a key alone; {SEE}")),
    };
    if header.is_none() && identity.is_none() {
        return Err(format!("printed neither a token nor a certificate; {SEE}"));
    }
    let expires = status.expiration_timestamp.as_deref().map(expiry).transpose()?;
    Ok(Fresh { credentials: Credentials { header, identity, run }, expires })
}

fn read_output(output: &Output, api_version: &str) -> Result<Status, String> {
    if !output.status.success() {
        return Err(format!("failed ({}); run it by hand to see why", output.status));
    }
    // serde_json's messages name types and places, never the text.
    let json = |error: serde_json::Error| {
        format!("printed no ExecCredential (line {}); {SEE}", error.line())
    };
    let printed: ExecCredential = serde_json::from_slice(&output.stdout)
        .or_else(|error| yaml(&output.stdout).ok_or_else(|| json(error)))?;
    if printed.kind != "ExecCredential" || printed.api_version != api_version {
        return Err(format!(
            "printed something else than an ExecCredential of {api_version}; set apiVersion to what it speaks"
        ));
    }
    printed.status.ok_or_else(|| format!("printed no status; {SEE}"))
}

fn expiry(text: &str) -> Result<SystemTime, String> {
    let time: Time = text
        .parse()
        .map_err(|_| format!("printed an expirationTimestamp that is no time; {SEE}"))?;
    let seconds = u64::try_from(time.unix()).unwrap_or(0);
    Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

#[expect(clippy::disallowed_methods, reason = "this crate is the edge that reads the clock")]
fn now() -> SystemTime {
    SystemTime::now()
}
