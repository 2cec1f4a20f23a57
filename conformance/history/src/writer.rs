//! Writes at random: creates, updates, deletes, and creates anew.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::task::yield_now;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::{Map, object};
use watchkeeper_apiserver::Rng;
use watchkeeper_client::{Api, Client, CreateOptions, DeleteOptions};

use crate::listener::{Court, lock};
use crate::subject::Subject;
use crate::told::{EVEN, MARK, Seen, name_of};
use crate::world::Names;

/// Names of four digits.
const MOST: u64 = 9_000;

/// The one who writes. Nobody else does, so what it reads is what it wrote.
pub(crate) struct Writer {
    maps: Api<ConfigMap>,
    secrets: Api<Secret>,
    namespace: String,
    /// The number of the first object.
    first: u64,
    names: u64,
    ranges: bool,
    marks: u64,
    /// What the server has, as far as its answers tell.
    known: BTreeMap<u64, Option<Seen>>,
    court: Arc<Court>,
}

impl Writer {
    /// A writer of so many names.
    pub(crate) fn new(
        client: &Client,
        namespace: &str,
        names: Names,
        dice: &mut Rng,
        court: Arc<Court>,
    ) -> Self {
        // Of so many digits each that the names are in the order of the numbers.
        let (first, names, ranges) = match names {
            Names::Few => (0, 1 + dice.below(40), false),
            Names::Many(names) => (1000, names.clamp(4, MOST), true),
        };
        let (maps, secrets) = (client.api(), client.api());
        let (maps, secrets) = (maps.namespace(namespace), secrets.namespace(namespace));
        Self {
            maps,
            secrets,
            namespace: namespace.to_owned(),
            first,
            names,
            ranges,
            marks: 1,
            known: BTreeMap::new(),
            court,
        }
    }

    /// One write, or two. The object, if what became of it is known.
    pub(crate) async fn step(&mut self, dice: &mut Rng) -> Option<u64> {
        if dice.below(40) == 0 {
            self.other(dice).await;
        }
        if self.ranges && (self.known.is_empty() || dice.below(400) == 0) {
            self.range(dice).await;
        }
        let object = self.first + dice.below(self.names);
        match dice.below(100) {
            0..66 => self.write(object, dice).await,
            66..92 => self.delete(object).await,
            _ => {
                self.delete(object).await;
                self.write(object, dice).await;
            }
        }
        Some(object).filter(|object| self.known.contains_key(object))
    }

    /// A range of the names goes, or is written; all of it at the beginning.
    async fn range(&mut self, dice: &mut Rng) {
        let all = self.known.is_empty();
        let length = if all { self.names } else { 1 + dice.below(self.names / 4) };
        let start = self.first + dice.below(self.names - length + 1);
        let goes = !all && dice.below(2) == 0;
        for object in start..start + length {
            if goes {
                self.delete(object).await;
            } else {
                self.write(object, dice).await;
            }
            if dice.below(8) == 0 {
                yield_now().await;
            }
        }
    }

    /// Creates the object, or updates it.
    async fn write(&mut self, object: u64, dice: &mut Rng) {
        self.marks += 1;
        let (name, mark) = (name_of(object), self.marks.to_string());
        let even = if dice.below(2) == 0 { "true" } else { "false" };
        let (labels, data) = (Map::from([(EVEN, even)]), Map::from([(MARK, mark)]));
        let map = object!(ConfigMap {
            metadata: {
                name: &*name,
                namespace: &*self.namespace,
                labels: &labels,
            },
            data: &data,
        });
        let written = match self.maps.update(&map).await {
            Err(error) if error.is_not_found() => {
                self.maps.create(&map, &CreateOptions::default()).await
            }
            written => written,
        };
        match written {
            Ok(map) => drop(self.known.insert(object, Some(Seen::of(&map)))),
            // The answer was lost, or is that to a write whose answer was.
            Err(_) => drop(self.known.remove(&object)),
        }
    }

    async fn delete(&mut self, object: u64) {
        match self.maps.delete(&name_of(object), &DeleteOptions::default()).await {
            Ok(_) => drop(self.known.insert(object, None)),
            Err(error) if error.is_not_found() => drop(self.known.insert(object, None)),
            Err(_) => drop(self.known.remove(&object)),
        }
    }

    /// One more write, whose answer is not lost, and its version.
    pub(crate) async fn fence(&mut self, dice: &mut Rng) -> u64 {
        loop {
            self.write(self.first, dice).await;
            if let Some(Some(seen)) = self.known.get(&self.first) {
                return seen.version;
            }
        }
    }

    /// A write that is none of the copies' business: the version moves on without them.
    async fn other(&self, dice: &mut Rng) {
        let name = format!("s-{}", dice.below(4));
        let annotations = Map::from([("dice", dice.next_u64().to_string())]);
        let secret = object!(Secret {
            metadata: {
                name: &*name,
                namespace: &*self.namespace,
                annotations: &annotations,
            },
        });
        if self.secrets.update(&secret).await.is_err() {
            let _ = self.secrets.create(&secret, &CreateOptions::default()).await;
        }
    }

    /// What was written is read, whatever the connection does meanwhile.
    pub(crate) async fn check(&self, subject: &dyn Subject, object: u64) {
        let Some(expected) = self.known.get(&object).copied() else { return };
        let written = lock(&self.court.truth).version();
        let read = subject.get(object, written).await;
        self.court.rule(if read == Some(expected) {
            Ok(())
        } else {
            Err(format!("an own write was not read: {expected:?} was written, {read:?} read"))
        });
    }
}
