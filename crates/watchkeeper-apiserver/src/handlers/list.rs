//! GET of a collection: consistent, paged, at a revision.

use std::ops::Bound;
use std::sync::Arc;

use crate::error::ApiError;
use crate::filter::Filter;
use crate::present::{self, ListMeta};
use crate::reply;
use crate::request::Call;
use crate::request::options::{ListOptions, Match, Version};
use crate::storage::token::Continue;
use crate::storage::{Key, Stored, Table};
use crate::turn::{Halt, Outcome, Turn};

use super::Handled;

/// Answers a list.
pub(super) fn list(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let options = ListOptions::parse(&call.query)?;
    turn.ask_read(&call.actor(), "list", &call.resource.table, &call.namespace)?;
    let page = read(turn, call, &options)?;
    let items = page.items.iter().map(|stored| &**stored);
    let body = present::list(&call.resource, &call.form, items, &page.meta, turn.now);
    Ok(Outcome::Reply(reply::body(200, call.form.codec, body)))
}

/// Some objects and how to get the rest.
pub(super) struct Page {
    pub(super) items: Vec<Arc<Stored>>,
    meta: ListMeta,
}

/// Reads a page.
pub(super) fn read(turn: &Turn<'_>, call: &Call, options: &ListOptions) -> Result<Page, Halt> {
    let mut fields = options.fields.clone();
    if !call.name.is_empty() {
        fields.require("metadata.name", &call.name);
    }
    let filter = Filter::new(&call.resource, &call.namespace, options.labels.clone(), fields)?;
    let at = revision(turn, options)?;
    let snapshot = snapshot(turn, call, options, at)?;
    let current = turn.core.store.revision();
    // A page size means nothing when any cached state will do (V2.4).
    let unlimited = options.version == Version::Any && options.continue_token.is_none();
    let limit = if unlimited { 0 } else { options.limit };
    let start = options.continue_token.as_ref().map_or("", |token| &*token.start);
    let read = At { revision: at.unwrap_or(current), limit, start };
    Ok(match &snapshot {
        Some(table) => page(table, call, &filter, read),
        None => match turn.core.store.table(&call.resource.table) {
            Some(table) => page(table, call, &filter, read),
            None => page(&Table::new(), call, &filter, read),
        },
    })
}

/// The revision to rebuild, or `None` for the current state.
fn revision(turn: &Turn<'_>, options: &ListOptions) -> Result<Option<u64>, Halt> {
    let current = turn.core.store.revision();
    if let Some(token) = &options.continue_token {
        return Ok(token.revision.filter(|revision| *revision != current));
    }
    let Version::At(asked) = options.version else { return Ok(None) };
    let exact = match options.version_match {
        Some(Match::Exact) => true,
        Some(Match::NotOlderThan) => false,
        None => options.limit > 0,
    };
    if asked > current {
        return Err(Halt::Park(asked));
    }
    Ok((exact && asked != current).then_some(asked))
}

fn snapshot(
    turn: &Turn<'_>,
    call: &Call,
    options: &ListOptions,
    at: Option<u64>,
) -> Result<Option<Table>, Halt> {
    let Some(revision) = at else { return Ok(None) };
    match turn.core.store.at(&call.resource.table, revision) {
        Some(table) => Ok(Some(table)),
        None => Err(expired(options).into()),
    }
}

/// V2.5: a compacted token comes with one that goes on without consistency.
fn expired(options: &ListOptions) -> ApiError {
    let Some(token) = &options.continue_token else {
        return ApiError::expired("The resourceVersion for the provided list is too old.");
    };
    let mut error = ApiError::expired(
        "The provided continue parameter is too old to display a consistent list result. You can \
         start a new list without the continue parameter, or use the continue token in this \
         response to retrieve the remainder of the results. Continuing with the provided token \
         results in an inconsistent list - objects that were created, modified, or deleted between \
         the time the first chunk was returned and now may show up in the list.",
    );
    let inconsistent = Continue { revision: None, start: token.start.clone() };
    error.continue_token = Some(inconsistent.encode());
    error
}

/// What a page reads.
struct At<'a> {
    revision: u64,
    /// 0 for all.
    limit: usize,
    /// The first key that may come.
    start: &'a str,
}

fn page(table: &Table, call: &Call, filter: &Filter, at: At<'_>) -> Page {
    let prefix = match &*call.namespace {
        "" => String::new(),
        namespace => format!("{namespace}/"),
    };
    let from = if at.start > &*prefix { at.start } else { &*prefix };
    let range = table.range::<str, _>((Bound::Included(from), Bound::Unbounded));
    let mut rest = range.take_while(|(key, _)| key.starts_with(&prefix));
    let mut items: Vec<Arc<Stored>> = Vec::new();
    let mut last: Option<&Key> = None;
    for (key, stored) in rest.by_ref() {
        last = Some(key);
        if filter.matches(&call.resource, stored) {
            items.push(stored.clone());
        }
        if at.limit > 0 && items.len() == at.limit {
            break;
        }
    }
    let left = rest.count();
    let mut meta = ListMeta { revision: at.revision, ..ListMeta::default() };
    if let (true, Some(last)) = (left > 0, last) {
        meta.continue_token = Some(Continue::after(Some(at.revision), last).encode());
        meta.remaining = filter.selects_all().then_some(left);
    }
    Page { items, meta }
}
