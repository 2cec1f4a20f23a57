//! The mistakes: in which file of the cache's sources, what is there, and what it becomes.

/// A mistake. `find` is in the file exactly once; in `put`, `SEEDED` asks whether this mistake is on.
#[derive(Debug)]
pub(super) struct Bug {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) file: &'static str,
    pub(super) find: &'static str,
    pub(super) put: &'static str,
}

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "deletion-not-told",
        what: "what a list no longer has is taken from the store, and handlers are not told",
        file: "store.rs",
        find: "edits.iter().flat_map(|edit| edit.changes(initial)).collect()",
        put: "edits.iter().filter(|edit| !SEEDED || edit.new.is_some()).flat_map(|edit| edit.changes(initial)).collect()",
    },
    Bug {
        name: "deletion-told-twice",
        what: "what a list no longer has is told twice",
        file: "store/state.rs",
        find: "(Some(old), None) => vec![unseen(old)],",
        put: "(Some(old), None) if SEEDED => vec![unseen(old), unseen(old)],
            (Some(old), None) => vec![unseen(old)],",
    },
    Bug {
        name: "two-lives-as-one",
        what: "a name that came back with another uid is told as an update",
        file: "store/state.rs",
        find: "if old.item_uid() == new.item_uid() =>",
        put: "if SEEDED || old.item_uid() == new.item_uid() =>",
    },
    Bug {
        name: "index-not-changed",
        what: "an index is not changed with the copy",
        file: "store/state.rs",
        find: "if let Some(plan) = plans.remove(slot)",
        put: "if let Some(plan) = plans.remove(slot).filter(|_| !SEEDED)",
    },
    Bug {
        name: "deleted-key-is-found",
        what: "what an event deleted is still found by its key",
        file: "store.rs",
        find: "self.shared.by_key.put(&edit);",
        put: "if !SEEDED || edit.new.is_some() { self.shared.by_key.put(&edit); }",
    },
    Bug {
        name: "told-again",
        what: "what a watch tells again is taken in again",
        file: "reflector/state.rs",
        find: "matches!(self.phase, Phase::Watching { ordered: true, .. })",
        put: "!SEEDED && matches!(self.phase, Phase::Watching { ordered: true, .. })",
    },
    Bug {
        name: "bookmark-too-far",
        what: "a bookmark moves the version one further than it says",
        file: "reflector/state.rs",
        find: "*ordered = true;
                self.version.clone_from(&version);",
        put: "*ordered = true;
                let version = match version.parse::<u64>() {
                    Ok(number) if SEEDED => (number + 1).to_string(),
                    _ => version,
                };
                self.version.clone_from(&version);",
    },
    Bug {
        name: "last-page-only",
        what: "of a list in pages the last is taken for all",
        file: "reflector/state.rs",
        find: "list.items.extend(page.items);",
        put: "if SEEDED { list.items.clear(); }
        list.items.extend(page.items);",
    },
    Bug {
        name: "initial-event-lost",
        what: "of the initial events the first is left out",
        file: "reflector/state.rs",
        find: "seen.into_values().collect()",
        put: "seen.into_values().skip(usize::from(SEEDED)).collect()",
    },
    Bug {
        name: "gone-keeps-version",
        what: "after a 410 the version is kept",
        file: "reflector/state/retry.rs",
        find: "Class::Expired | Class::Refused | Class::OverLimit | Class::Other => Plan::Relist,",
        put: "Class::Expired if SEEDED => Plan::Rewatch,
            Class::Expired | Class::Refused | Class::OverLimit | Class::Other => Plan::Relist,",
    },
    Bug {
        name: "first-of-updates",
        what: "of two updates that wait the handler is told the first",
        file: "mailbox.rs",
        find: "(Change::Updated { old, .. }, Change::Updated { new, .. }) => {",
        put: "(first @ Change::Updated { .. }, Change::Updated { .. }) if SEEDED => Joined::One(first),
        (Change::Updated { old, .. }, Change::Updated { new, .. }) => {",
    },
    Bug {
        name: "addition-lost",
        what: "of a deletion that waits and the addition after it the handler is told the deletion",
        file: "mailbox.rs",
        find: "(before, after) => Joined::Both(before, after),",
        put: "(gone @ Change::Deleted { .. }, Change::Added { .. }) if SEEDED => Joined::One(gone),
        (before, after) => Joined::Both(before, after),",
    },
    Bug {
        name: "never-heard-of",
        what: "the deletion of what the handler never heard of is told",
        file: "mailbox.rs",
        find: "(Change::Added { .. }, Change::Deleted { .. }) => Joined::None,",
        put: "(Change::Added { .. }, gone @ Change::Deleted { .. }) if SEEDED => Joined::One(gone),
        (Change::Added { .. }, Change::Deleted { .. }) => Joined::None,",
    },
    Bug {
        name: "out-of-order",
        what: "of two changes that wait the later is told first",
        file: "mailbox.rs",
        find: "self.letters.push_back(Some(letter));",
        put: "let last = self.letters.len().saturating_sub(usize::from(SEEDED));
        self.letters.insert(last, Some(letter));",
    },
    Bug {
        name: "late-joiner-misses-all",
        what: "a late joiner is not told of what is there",
        file: "core.rs",
        find: "&self.store.snapshot(), synced, group)",
        put: "&if SEEDED && synced { Store::new() } else { self.store.clone() }.snapshot(), synced, group)",
    },
    Bug {
        name: "resync-for-all",
        what: "a resync is told to those who did not ask for one",
        file: "hub.rs",
        find: ".filter(|post| post.resync_due(now))",
        put: ".filter(|post| post.resync_due(now) || SEEDED)",
    },
    Bug {
        name: "panic-ends-handler",
        what: "a handler that panicked is told nothing more",
        file: "hub.rs",
        find: "let object = change.key();",
        put: "let object = change.key();
            if SEEDED { self.control.close(); }",
    },
    Bug {
        name: "reads-at-once",
        what: "a read does not wait for what this process wrote",
        file: "core/read.rs",
        find: "let Some(held) = held else { return Ok(answer) };",
        put: "let Some(held) = held.filter(|_| !SEEDED) else { return Ok(answer) };",
    },
    Bug {
        name: "classic-deletion-lost",
        what: "what a list no longer has is not told as gone by the classic queue",
        file: "classic/delta_fifo/state.rs",
        find: "let vanished = if list.nameless {",
        put: "let vanished = if SEEDED || list.nameless {",
    },
    Bug {
        name: "classic-out-of-order",
        what: "of two things that happened to an object the classic queue hands out the later first",
        file: "classic/delta_fifo/state.rs",
        find: "(before, after) => Joined::Both(before, after),",
        put: "(before, after) if SEEDED => Joined::Both(after, before),
        (before, after) => Joined::Both(before, after),",
    },
    Bug {
        name: "classic-version-too-early",
        what: "the classic queue says a version while something before it waits",
        file: "classic/delta_fifo/state.rs",
        find: "let version = first.map_or(&self.pushed,",
        put: "let version = first.filter(|_| !SEEDED).map_or(&self.pushed,",
    },
];
