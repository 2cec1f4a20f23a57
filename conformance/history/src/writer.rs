//! Writes at random: creates, updates, deletes, and creates anew.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::task::yield_now;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::{Map, object};
use watchkeeper_apiserver::Rng;
use watchkeeper_client::{Api, Client, CreateOptions, DeleteOptions};

use crate::listener::{Court, lock};
use crate::mode::Mode;
use crate::space::Space;
use crate::subject::Subject;
use crate::told::{EVEN, MARK, PARTS, Seen, name_of, part_of};
use crate::truth::Scope;
use crate::world::Names;

/// Names of four digits.
const MOST: u64 = 9_000;

/// The one who writes. Nobody else does, so what it reads is what it wrote.
pub(crate) struct Writer {
    /// Of each namespace.
    maps: Vec<Api<ConfigMap>>,
    secrets: Api<Secret>,
    space: Space,
    mode: Mode,
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
        (space, mode): (&Space, Mode),
        names: Names,
        dice: &mut Rng,
        court: Arc<Court>,
    ) -> Self {
        // Of so many digits each that the names are in the order of the numbers.
        let (first, names, ranges) = match names {
            Names::Few => (0, 1 + dice.below(40), false),
            Names::Many(names) => (1000, names.clamp(4, MOST), true),
        };
        let maps = space.parts().map(|part| client.api().namespace(space.namespace(part)));
        Self {
            maps: maps.collect(),
            secrets: client.api().namespace(space.namespace(0)),
            space: space.clone(),
            mode,
            first,
            names,
            ranges,
            marks: 1,
            known: BTreeMap::new(),
            court,
        }
    }

    /// The object of a number from zero.
    fn object(&self, number: u64, dice: &mut Rng) -> u64 {
        let parts = self.space.parts().end;
        let part = if parts == 1 { 0 } else { dice.below(parts) };
        (self.first + number) * PARTS + part
    }

    fn maps(&self, object: u64) -> &Api<ConfigMap> {
        &self.maps[part_of(object) as usize]
    }

    /// One write, or two. The object, if what became of it is known.
    pub(crate) async fn step(&mut self, dice: &mut Rng) -> Option<u64> {
        if dice.below(40) == 0 {
            self.other(dice).await;
        }
        if self.ranges && (self.known.is_empty() || dice.below(400) == 0) {
            self.range(dice).await;
        }
        let number = dice.below(self.names);
        let object = self.object(number, dice);
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
        let start = dice.below(self.names - length + 1);
        let goes = !all && dice.below(2) == 0;
        for number in start..start + length {
            let object = self.object(number, dice);
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
        let mut annotations: Map = Map::default();
        if self.mode == Mode::Metadata {
            annotations.insert(MARK, &*mark);
        }
        let (labels, data) = (Map::from([(EVEN, even)]), Map::from([(MARK, mark)]));
        let namespace = self.space.namespace(part_of(object));
        let map = object!(ConfigMap {
            metadata: {
                name: &*name,
                namespace: &*namespace,
                labels: &labels,
                annotations: &annotations,
            },
            data: &data,
        });
        let maps = self.maps(object);
        let written = match maps.update(&map).await {
            Err(error) if error.is_not_found() => {
                maps.create(&map, &CreateOptions::default()).await
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
        match self.maps(object).delete(&name_of(object), &DeleteOptions::default()).await {
            Ok(_) => drop(self.known.insert(object, None)),
            Err(error) if error.is_not_found() => drop(self.known.insert(object, None)),
            Err(_) => drop(self.known.remove(&object)),
        }
    }

    /// One more write to each namespace, whose answer is not lost: the objects, and their versions.
    pub(crate) async fn fence(&mut self, dice: &mut Rng) -> Vec<(u64, u64)> {
        let mut last = Vec::new();
        for part in self.space.parts() {
            let object = self.first * PARTS + part;
            loop {
                self.write(object, dice).await;
                if let Some(Some(seen)) = self.known.get(&object) {
                    break last.push((object, seen.version));
                }
            }
        }
        last
    }

    /// A write that is none of the copies' business: the version moves on without them.
    async fn other(&self, dice: &mut Rng) {
        let name = format!("s-{}", dice.below(4));
        let annotations = Map::from([("dice", dice.next_u64().to_string())]);
        let namespace = self.space.namespace(0);
        let secret = object!(Secret {
            metadata: {
                name: &*name,
                namespace: &*namespace,
                annotations: &annotations,
            },
        });
        if self.secrets.update(&secret).await.is_err() {
            let _ = self.secrets.create(&secret, &CreateOptions::default()).await;
        }
    }

    /// What was written is read, whatever the connection does meanwhile.
    pub(crate) async fn check(&self, (scope, subject): (Scope, &dyn Subject), object: u64) {
        let Some(known) = self.known.get(&object).copied() else { return };
        let expected = known.filter(|seen| scope.has(seen));
        let written = lock(&self.court.truth).version();
        let read = subject.get(object, written).await;
        // What cannot be read is an error, and nothing older.
        let is_unreadable =
            self.mode == Mode::Unreadable && expected.is_some_and(|seen| seen.is_unreadable());
        let expected_read = if is_unreadable { None } else { Some(expected) };
        self.court.rule(if read == expected_read {
            Ok(())
        } else {
            Err(format!("an own write was not read: {expected:?} was written, {read:?} read"))
        });
    }
}
