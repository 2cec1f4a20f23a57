//! Any resource by its name, also one whose definition comes later.
//!
//! ```text
//!  example.com/v1/foos ──▶ factory.dynamic ──▶ informer ──handler──▶ a line a change
//!                                                  └───── status ──▶ why there is nothing, and what to do
//! ```
//!
//! No type is named and nothing is generated: an object is an `Unstructured`, read by path. A resource that
//! the server does not serve yet is waited for; when its definition is removed and comes again, the informer
//! goes on.

use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::str::FromStr;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};
use watchkeeper::api::Unstructured;
use watchkeeper::cache::{SharedInformer, Subscription};
use watchkeeper::prelude::*;

pub mod script;

/// What a part of this program ends with; what went wrong is one sentence with what to do.
pub type Outcome<T = ()> = Result<T, String>;

/// The name of a resource: `v1/configmaps`, `apps/v1/deployments`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceName {
    /// Group and version, or only the version for the core group.
    pub api_version: String,
    /// The plural, as in URLs.
    pub plural: String,
}

impl FromStr for ResourceName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (api_version, plural) = text.rsplit_once('/').unwrap_or_default();
        let parts = text.split('/');
        if parts.clone().any(str::is_empty) || !(2..=3).contains(&parts.count()) {
            return Err("write group/version/plural, as in apps/v1/deployments or v1/pods".into());
        }
        Ok(Self { api_version: api_version.to_owned(), plural: plural.to_owned() })
    }
}

impl fmt::Display for ResourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.api_version, self.plural)
    }
}

/// Follows some resources and tells of them.
#[derive(Debug)]
pub struct Follower {
    factory: SharedInformerFactory,
    followed: Vec<Followed>,
    lines: mpsc::UnboundedReceiver<String>,
}

#[derive(Debug)]
struct Followed {
    name: ResourceName,
    informer: SharedInformer<Unstructured>,
    _subscription: Subscription,
    /// What was told of its state last.
    told: String,
}

impl Follower {
    /// Follows these resources once it [runs](Self::run), whether the server has them or not.
    #[must_use]
    pub fn new(client: &Client, names: &[ResourceName]) -> Self {
        let factory = SharedInformerFactory::new(client);
        let (tell, lines) = mpsc::unbounded_channel();
        let follow = |name: &ResourceName| {
            let informer = factory.dynamic(&name.api_version, &name.plural);
            let (tell, plural) = (tell.clone(), name.plural.clone());
            let subscription = informer.add_event_handler(move |change| {
                // Whoever printed the lines has gone: there is nobody to tell.
                let _gone = tell.send(line(&plural, change));
            });
            Followed {
                name: name.clone(),
                informer,
                _subscription: subscription,
                told: String::new(),
            }
        };
        let followed = names.iter().map(follow).collect();
        Self { factory, followed, lines }
    }

    /// Prints a line for each change, and one whenever the state of an informer is another, until `enough`
    /// completes.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the informers.
    pub async fn run(&mut self, print: impl Fn(&str), enough: impl Future<Output = ()>) {
        let _running = self.factory.start();
        let mut look = interval(Duration::from_millis(200));
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut enough = pin!(enough);
        loop {
            tokio::select! {
                biased;
                () = &mut enough => return,
                Some(line) = self.lines.recv() => {
                    // What led to the line comes before it.
                    self.look(&print);
                    print(&line);
                }
                _ = look.tick() => self.look(&print),
            }
        }
    }

    fn look(&mut self, print: impl Fn(&str)) {
        self.followed.iter_mut().for_each(|followed| followed.look(&print));
    }
}

impl Followed {
    fn look(&mut self, print: impl Fn(&str)) {
        let status = self.informer.status();
        let state = match &status.last_error {
            Some(error) => error.clone(),
            None if status.synced => "follows the server".to_owned(),
            None => return,
        };
        if state != self.told {
            print(&format!("# {}: {state}", self.name));
            self.told = state;
        }
    }
}

/// A change in one line, with what of the object is worth a look.
fn line(plural: &str, change: &Change<Unstructured>) -> String {
    let object = change.object();
    let sign = match change {
        Change::Added { .. } => '+',
        Change::Updated { .. } => '~',
        Change::Deleted { .. } => '-',
    };
    let spec = object.get("/spec").unwrap_or_default();
    format!("{sign} {plural} {} {spec}", object.key()).trim_end().to_owned()
}
