//! Credentials printed by a program (KEP-541; `client.authentication.k8s.io` v1 and v1beta1).
//!
//! It runs once and its answer is used until it expires or the server refuses it. Several callers wait for
//! one run, and share its failure, too: nobody is asked for a password fifty times.

use std::io::IsTerminal as _;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use tokio::process::Command;
use tokio::sync::Mutex;
use watchkeeper_api::Time;
use watchkeeper_client::{BoxError, RequestMetrics};

use crate::auth::{Credentials, bearer};
use crate::kubeconfig::Exec;
use crate::tls::Identity;
use measures::Measures;

mod measures;
#[cfg(test)]
mod tests;

/// Credentials about to expire are not worth sending.
const SKEW: Duration = Duration::from_secs(10);

const V1: &str = "client.authentication.k8s.io/v1";
const V1BETA1: &str = "client.authentication.k8s.io/v1beta1";

/// A program and what it said last.
pub(crate) struct Plugin {
    exec: Exec,
    /// Told to the program when it asks for it.
    cluster: serde_json::Value,
    state: Mutex<State>,
    /// Credentials of a run up to this one were refused by the server.
    refused: AtomicU64,
    /// How often it ended, well or not.
    ended: AtomicU64,
    measures: Measures,
}

#[derive(Default)]
struct State {
    runs: u64,
    last: Option<Fresh>,
    /// What the last run failed with.
    failed: Option<String>,
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
        if exec.command.is_empty() {
            return Err("its exec plugin names no command".to_owned());
        }
        if ![V1, V1BETA1].contains(&exec.api_version.as_str()) {
            let version = &exec.api_version;
            return Err(format!(
                "its exec plugin speaks {version:?}, not {V1} or {V1BETA1}; update the plugin or the kubeconfig"
            ));
        }
        Ok(Self {
            exec,
            cluster,
            state: Mutex::default(),
            refused: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            measures: Measures::default(),
        })
    }

    /// Tells of its runs, and of how long its certificate is good.
    pub(crate) fn measured_by(&mut self, metrics: Arc<dyn RequestMetrics>) {
        self.measures = Measures::by(metrics);
    }

    /// What the program said last, or says now.
    ///
    /// # Cancel safety
    /// The program is killed when the future is dropped; the next caller runs it again.
    pub(crate) async fn credentials(&self) -> Result<Credentials, BoxError> {
        let ended = self.ended.load(Ordering::Acquire);
        let mut state = self.state.lock().await;
        let refused = self.refused.load(Ordering::Acquire);
        if let Some(fresh) = &state.last
            && fresh.credentials.run > refused
            && fresh.expires.is_none_or(|expires| now() + SKEW < expires)
        {
            self.measures.good_until(fresh.credentials.identity.as_ref());
            return Ok(fresh.credentials.clone());
        }
        if let Some(failed) = &state.failed
            && self.ended.load(Ordering::Acquire) > ended
        {
            return Err(failed.as_str().into());
        }
        let run = state.runs + 1;
        let result = self.run().await.and_then(|status| self.fresh(run, status));
        self.ended.fetch_add(1, Ordering::AcqRel);
        match result {
            Ok(fresh) => {
                let credentials = fresh.credentials.clone();
                let before =
                    state.last.as_ref().and_then(|last| last.credentials.identity.as_ref());
                self.measures.rotated(before, credentials.identity.as_ref());
                self.measures.good_until(credentials.identity.as_ref());
                *state = State { runs: run, last: Some(fresh), failed: None };
                Ok(credentials)
            }
            Err(what) => {
                let sentence = self.sentence(&what);
                state.failed = Some(sentence.clone());
                Err(sentence.into())
            }
        }
    }

    /// The server refused what came from this run: run again before the next request.
    pub(crate) fn forget(&self, credentials: &Credentials) {
        self.refused.fetch_max(credentials.run, Ordering::AcqRel);
    }

    async fn run(&self) -> Result<Status, String> {
        let interactive = self.interactive(std::io::stdin().is_terminal())?;
        let output = self.command(interactive).output().await;
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
        let hint = self.exec.install_hint.as_deref().map(str::trim).unwrap_or_default();
        match (error.kind(), hint) {
            (std::io::ErrorKind::NotFound, "") => "is not installed, or not in PATH".to_owned(),
            (std::io::ErrorKind::NotFound, hint) => format!("is not installed: {hint}"),
            _ => format!("cannot be started: {error}"),
        }
    }

    fn sentence(&self, what: &str) -> String {
        format!("the credential plugin {:?} {what}", self.exec.command)
    }

    fn fresh(&self, run: u64, status: Status) -> Result<Fresh, String> {
        let header = match status.token.as_deref() {
            Some(token) if !token.is_empty() => Some(
                bearer(token).map_err(|what| format!("printed a token that is none: {what}"))?,
            ),
            _ => None,
        };
        let identity = match (status.client_certificate_data, status.client_key_data) {
            (Some(certificate), Some(key)) => Some(
                Identity::from_pem(certificate.as_bytes(), key.as_bytes())
                    .map_err(|what| format!("printed {what}"))?,
            ),
            (None, None) => None,
            _ => return Err("printed a certificate without its key, or a key alone".to_owned()),
        };
        if header.is_none() && identity.is_none() {
            return Err("printed neither a token nor a certificate".to_owned());
        }
        let expires = status.expiration_timestamp.as_deref().map(expiry).transpose()?;
        Ok(Fresh { credentials: Credentials { header, identity, run }, expires })
    }
}

fn read_output(output: &Output, api_version: &str) -> Result<Status, String> {
    if !output.status.success() {
        return Err(format!("failed ({}); run it by hand to see why", output.status));
    }
    // serde_json's messages name types and places, never the text.
    let printed: ExecCredential = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("printed no ExecCredential (line {})", error.line()))?;
    if printed.kind != "ExecCredential" || printed.api_version != api_version {
        return Err(format!("printed something else than an ExecCredential of {api_version}"));
    }
    printed.status.ok_or_else(|| "printed no status".to_owned())
}

fn expiry(text: &str) -> Result<SystemTime, String> {
    let time: Time =
        text.parse().map_err(|_| "printed an expirationTimestamp that is no time".to_owned())?;
    let seconds = u64::try_from(time.unix()).unwrap_or(0);
    Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

#[expect(clippy::disallowed_methods, reason = "this crate is the edge that reads the clock")]
fn now() -> SystemTime {
    SystemTime::now()
}
