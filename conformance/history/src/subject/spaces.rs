//! Copies of several namespaces as one, which are given up and taken up while they run.

use std::collections::BTreeSet;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, Namespaces, filtered};
use watchkeeper_client::Select;

use super::copies::{labelled, options, telling, view};
use super::{Handler, Manner, Pending, Place, Subject, View};
use crate::space::Space;
use crate::told::Seen;
use crate::truth::Scope;

struct Spaces {
    namespaces: Namespaces<ConfigMap>,
    space: Space,
}

/// A copy of everything, and one of what has the label.
pub(super) fn both(cache: &Cache, space: &Space) -> Vec<(Scope, Box<dyn Subject>)> {
    let all = Select::<ConfigMap>::all();
    let even = labelled(all.clone());
    let copy = |select| -> Box<dyn Subject> {
        let names = space.parts().map(|part| space.namespace(part));
        let namespaces = cache.watch_namespaces(select, names);
        Box::new(Spaces { namespaces, space: space.clone() })
    };
    vec![(Scope::ALL, copy(all)), (Scope::ALL.even(), copy(even))]
}

impl Subject for Spaces {
    fn subscribe(&self, manner: &Manner, handler: Handler) -> Box<dyn Place> {
        let (options, tell) = (options(manner), telling(Seen::of, handler));
        Box::new(if manner.filtered {
            let even = |map: &ConfigMap| Seen::of(map).even;
            self.namespaces.subscribe_with(options, filtered(even, tell))
        } else {
            self.namespaces.subscribe_with(options, tell)
        })
    }

    fn views(&self) -> Vec<View> {
        let of_part = |part| {
            let watch = self.namespaces.watch(&self.space.namespace(part))?;
            view(part, &watch, Seen::of, None)
        };
        self.space.parts().filter_map(of_part).collect()
    }

    fn get(&self, object: u64, _: u64) -> Pending<'_, Option<Option<Seen>>> {
        Box::pin(async move {
            let read = self.namespaces.get(self.space.key(object)).await.ok()?;
            Some(read.map(|map| Seen::of(&map)))
        })
    }

    fn follow(&self, parts: &BTreeSet<u64>) {
        self.namespaces.set(parts.iter().map(|part| self.space.namespace(*part)));
    }
}
