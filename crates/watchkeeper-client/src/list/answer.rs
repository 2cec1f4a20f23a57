//! Whether what a server answers to a list is one.
//!
//! Taken for a list that is empty, a `Status`, a `Table` or a page of some proxy would say that everything is
//! gone.

use watchkeeper_api::json::ReadError;
use watchkeeper_api::{Kind, Object, pb};

use super::ListMeta;
use crate::decode::cut;
use crate::head::{Head, Items};

#[cfg(test)]
mod tests;

/// What an answer says that it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told<'a> {
    pub(super) api_version: &'a str,
    pub(super) kind: &'a str,
    /// Whether there is a list of items in it, be it empty.
    pub(super) has_items: bool,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    kind: &'a Kind,
    /// Its list is called as those of all built-in kinds are. A definition may choose another name.
    is_built_in: bool,
    metadata_only: bool,
}

impl<'a> Asked<'a> {
    pub(super) fn of<K: Object>(kind: &'a Kind) -> Self {
        let metadata_only = K::METADATA_ONLY;
        // Groups of definitions have a dot.
        let is_built_in = (K::PROTOBUF && !metadata_only) || !kind.group.contains('.');
        Self { kind, is_built_in: is_built_in && !kind.kind.is_empty(), metadata_only }
    }

    /// Why this is no list of that kind, in words that name no content.
    pub(super) fn refuse(self, told: Told<'_>, path: &str) -> Result<(), String> {
        if self.is_answered_by(told) {
            return Ok(());
        }
        let expected = self.kind.list_kind();
        let Told { api_version, kind, .. } = told;
        let found = if kind.is_empty() {
            "neither a kind nor items".to_owned()
        } else {
            format!("{:?} of {:?}", cut(kind), cut(api_version))
        };
        Err(format!("expected a {expected} at {path}, found {found}"))
    }

    fn is_answered_by(self, told: Told<'_>) -> bool {
        let Told { api_version, kind, has_items } = told;
        match kind {
            // Servers may leave out what everybody knows.
            "" => has_items,
            "List" => has_items && matches!(api_version, "" | "v1"),
            "PartialObjectMetadataList" if self.metadata_only || !self.is_built_in => true,
            _ if kind == self.kind.list_kind() => true,
            _ if self.is_built_in || kind == self.kind.kind => false,
            _ => {
                let is_list = has_items || kind.ends_with("List");
                is_list && api_version == self.kind.api_version()
            }
        }
    }
}

/// Of a text that was cut into items.
pub(super) fn of_head(head: &Head) -> Result<Told<'_>, ReadError> {
    let Head { api_version, kind, items, .. } = head;
    if *items == Items::Other {
        return Err(ReadError::new("the items of the list are no list", 0).in_member("items"));
    }
    Ok(Told { api_version, kind, has_items: *items == Items::List })
}

/// Of a message, whose list of no items is not there.
pub(super) fn of_message(head: &pb::ListHead, has_items: bool) -> Told<'_> {
    Told { api_version: &head.api_version, kind: &head.kind, has_items }
}

impl From<Head> for ListMeta {
    fn from(head: Head) -> Self {
        let Head { resource_version, continue_, remaining, .. } = head;
        Self { resource_version, continue_, remaining }
    }
}

impl From<pb::ListHead> for ListMeta {
    fn from(head: pb::ListHead) -> Self {
        let meta = head.metadata;
        Self {
            resource_version: meta.resource_version.to_string(),
            continue_: meta.continue_.to_string(),
            remaining: meta.remaining_item_count,
        }
    }
}
