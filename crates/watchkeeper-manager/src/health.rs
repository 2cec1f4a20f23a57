//! Whether the process is healthy, and ready: checks by name, and what is answered to who asks.
//!
//! The answers are those of controller-runtime's `pkg/healthz`: short when all is well, a line for each
//! check when it is not or when that is asked for, and never the reason, as anybody may ask. Only who asks
//! for one check by its name is told what is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as StdError;
use std::fmt::Write;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};

use http::{Response, StatusCode};
use tokio::task::JoinSet;
use watchkeeper_client::Body;

use crate::endpoints::{not_found, pairs, text};
use crate::sync::{Mutex, MutexGuard};

#[cfg(test)]
mod tests;

/// What is asked where there is no check: whether the process answers at all.
const PING: &str = "ping";

/// The checks of one endpoint.
#[derive(Default)]
pub(crate) struct Checks {
    by_name: Mutex<BTreeMap<String, Check>>,
}

type Check = Arc<dyn Fn() -> Asking + Send + Sync>;
type Asking = Pin<Box<dyn Future<Output = Result<(), String>> + Send>>;

impl Checks {
    /// From now on asks `check`, too, or instead of another one of its name.
    pub(crate) fn add<F, Fut, E>(&self, name: &str, check: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        let check = move || -> Asking {
            let asking = check();
            Box::pin(async move { asking.await.map_err(|error| error.into().to_string()) })
        };
        self.lock().insert(name.to_owned(), Arc::new(check));
    }

    /// What one check says; what all of them say if the name is empty.
    pub(crate) async fn answer(&self, name: &str, query: &str) -> Response<Body> {
        let mut checks = self.lock().clone();
        if checks.is_empty() {
            let ping: Check = Arc::new(|| -> Asking { Box::pin(async { Ok(()) }) });
            checks.insert(PING.to_owned(), ping);
        }
        match checks.get(name) {
            _ if name.is_empty() => all(&checks, query).await,
            Some(check) => one(check).await,
            None => not_found(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Check>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn one(check: &Check) -> Response<Body> {
    match ask(check).await {
        Ok(()) => text(StatusCode::OK, "ok"),
        Err(error) => {
            text(StatusCode::INTERNAL_SERVER_ERROR, format!("internal server error: {error}\n"))
        }
    }
}

/// One after the other, in the order of their names.
async fn all(checks: &BTreeMap<String, Check>, query: &str) -> Response<Body> {
    let Wish { verbose, mut excluded } = Wish::of(query);
    let (mut said, mut failed) = (String::new(), false);
    for (name, check) in checks {
        let line = if excluded.remove(name) {
            format!("[+]{name} excluded: ok\n")
        } else if let Err(error) = ask(check).await {
            tracing::debug!(check = name, error, "a health check failed");
            failed = true;
            format!("[-]{name} failed: reason withheld\n")
        } else {
            format!("[+]{name} ok\n")
        };
        said.push_str(&line);
    }
    if !excluded.is_empty() {
        let names: Vec<_> = excluded.iter().map(|name| format!("{name:?}")).collect();
        let names = names.join(",");
        // Writing to a text does not fail.
        let _written =
            writeln!(said, "warn: some health checks cannot be excluded: no matches for {names}");
    }
    if failed {
        tracing::info!(checks = said, "not healthy, or not ready");
        return text(StatusCode::INTERNAL_SERVER_ERROR, format!("{said}healthz check failed\n"));
    }
    match verbose {
        true => text(StatusCode::OK, format!("{said}healthz check passed\n")),
        false => text(StatusCode::OK, "ok"),
    }
}

/// Asks in a task of its own, so that a check that panics has failed and does not take the answer with it.
async fn ask(check: &Check) -> Result<(), String> {
    let (check, mut asked) = (Arc::clone(check), JoinSet::new());
    asked.spawn(async move { check().await });
    match asked.join_next().await {
        Some(Err(error)) => Err(format!("the check broke down: {error}")),
        Some(Ok(said)) => said,
        None => Ok(()),
    }
}

/// What who asks wants: `?verbose&exclude=name`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wish {
    verbose: bool,
    excluded: BTreeSet<String>,
}

impl Wish {
    fn of(query: &str) -> Self {
        let mut wish = Self::default();
        for (name, value) in pairs(query) {
            match &*name {
                "verbose" => wish.verbose = true,
                "exclude" => _ = wish.excluded.insert(value),
                _ => {}
            }
        }
        wish
    }
}
