//! Where the time of the process goes, told at the paths of Go's `net/http/pprof`.
//!
//! The profile of the processor is one that `go tool pprof` reads. What Rust has no honest counterpart of is
//! refused, in words that say why and what to use instead.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{HeaderValue, Method, Response, StatusCode, header};
use tokio::sync::Semaphore;
use watchkeeper_client::Body;

use crate::endpoints::{Answering, Answers, not_found, pairs, text};

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod cpu;
#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
#[path = "profiles/nowhere.rs"]
mod cpu;
#[cfg(test)]
mod tests;

/// Where everything is.
const ROOT: &str = "/debug/pprof";
/// How long a profile takes unless that is said, as in Go.
const USUAL: u64 = 30;
/// How long it may take: what is sampled is kept until then.
const SECONDS: RangeInclusive<u64> = 1..=300;
/// What `go tool pprof` shows the text of an error by.
const FROM_PPROF: &str = "x-go-pprof";

/// What Go has, and why it is not here.
const ABSENT: [(&str, &str); 8] = [
    ("allocs", MEMORY),
    ("heap", MEMORY),
    ("block", WAITS),
    ("mutex", WAITS),
    (
        "goroutine",
        "there are no goroutines. tokio-console shows the tasks of a runtime and what they wait for, the span \
         \"reconcile\" of each reconcile what controllers do, and `gdb -p PID -batch -ex 'thread apply all bt'` the \
         threads",
    ),
    ("symbol", "a profile has its names in it, and nothing is looked up later"),
    (
        "threadcreate",
        "nobody keeps who began which thread; /proc/PID/task has those that there are",
    ),
    (
        "trace",
        "the scheduler of a runtime keeps no trace. tokio-console shows tasks while they run, and spans of `tracing` \
         tell what was done when: the feature opentelemetry sends them to a collector",
    ),
];
const MEMORY: &str = "Rust's allocator keeps no samples of what it gave to whom. Use an allocator that does, such as \
                      jemalloc with its profiles on, or run the program below heaptrack";
const WAITS: &str = "Rust's locks keep no account of who waited for them. tokio-console shows what tasks wait for, \
                     and `perf sched` and `perf lock` what threads do";

/// What is answered below `/debug/pprof/`.
pub(crate) struct Profiles {
    /// Whose it is to take a profile: there is one profiler for the process.
    turn: Arc<Semaphore>,
}

impl Profiles {
    pub(crate) fn new() -> Self {
        Self { turn: Arc::new(Semaphore::new(1)) }
    }

    async fn cpu(&self, query: &str) -> Result<Response<Body>, Refusal> {
        let lasts = lasts(query)?;
        let turn = Arc::clone(&self.turn).try_acquire_owned().map_err(|_| Refusal::Busy)?;
        let mut answer = Response::new(Body::from(cpu::profile(lasts, turn).await?));
        let headers = [
            (header::CONTENT_TYPE, "application/octet-stream"),
            (header::CONTENT_DISPOSITION, "attachment; filename=\"profile\""),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ];
        for (name, value) in headers {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        Ok(answer)
    }

    async fn tell(&self, name: &str, query: &str) -> Result<Response<Body>, Refusal> {
        match name {
            "" => Ok(text(StatusCode::OK, index())),
            "cmdline" => Ok(text(StatusCode::OK, command_line())),
            "profile" => self.cpu(query).await,
            _ => Err(match ABSENT.into_iter().find(|(absent, _)| *absent == name) {
                Some((name, why)) => Refusal::absent(name, why),
                None => Refusal::Unknown,
            }),
        }
    }
}

impl Answers for Profiles {
    fn answer(self: Arc<Self>, request: Parts, _body: Body) -> Answering {
        Box::pin(async move {
            let below = request.uri.path().strip_prefix(ROOT);
            let Some(name) = below.filter(|name| name.is_empty() || name.starts_with('/')) else {
                return not_found();
            };
            if !matches!(request.method, Method::GET | Method::HEAD) {
                return text(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed\n");
            }
            let query = request.uri.query().unwrap_or_default();
            let told = self.tell(name.trim_start_matches('/'), query).await;
            told.unwrap_or_else(Refusal::answer)
        })
    }
}

fn index() -> String {
    let (shortest, longest) = (SECONDS.start(), SECONDS.end());
    let mut index = format!(
        "{ROOT}/\n\n\
         profile\twhere the processor's time goes, for `go tool pprof`; ?seconds={USUAL} says how long it is looked \
         at, from {shortest} to {longest}\n\
         cmdline\tthe words that the program was started with, with NUL bytes between them\n\nnot here:\n",
    );
    for (name, why) in ABSENT {
        writeln!(index, "{name}\t{why}").expect("a text takes everything");
    }
    index
}

/// As Go's `pprof.Cmdline`.
fn command_line() -> String {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    words.collect::<Vec<_>>().join("\0")
}

/// How long the query wants to look.
fn lasts(query: &str) -> Result<Duration, Refusal> {
    let said = pairs(query).find(|(name, _)| name == "seconds").map(|(_, value)| value);
    let seconds = match said.filter(|said| !said.is_empty()) {
        None => Some(USUAL),
        Some(said) => said.parse().ok().filter(|seconds| SECONDS.contains(seconds)),
    };
    seconds.map(Duration::from_secs).ok_or(Refusal::Seconds)
}

/// Why there is no profile.
#[derive(Debug)]
enum Refusal {
    Busy,
    Said(StatusCode, String),
    Seconds,
    Unknown,
}

impl Refusal {
    fn absent(name: &str, why: &str) -> Self {
        Self::Said(StatusCode::NOT_FOUND, format!("there is no profile {name:?} here: {why}\n"))
    }

    fn answer(self) -> Response<Body> {
        let mut answer = match self {
            Self::Busy => text(
                StatusCode::CONFLICT,
                "a profile of the processor is being taken already, and there is one at a time; ask again when it \
                 has ended\n",
            ),
            Self::Said(status, why) => text(status, why),
            Self::Seconds => {
                let (shortest, longest) = (SECONDS.start(), SECONDS.end());
                let said = format!("seconds must be a whole number from {shortest} to {longest}\n");
                text(StatusCode::BAD_REQUEST, said)
            }
            Self::Unknown => text(
                StatusCode::NOT_FOUND,
                format!("Unknown profile; {ROOT}/ tells those that there are\n"),
            ),
        };
        answer.headers_mut().insert(FROM_PPROF, HeaderValue::from_static("1"));
        answer
    }
}
