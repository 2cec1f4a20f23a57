//! GET of a collection: consistent, paged, at a revision.

use std::ops::Bound;
use std::sync::Arc;

use crate::compress;
use crate::convert::seen;
use crate::error::ApiError;
use crate::filter::Filter;
use crate::present::{self, ListMeta, Pieces};
use crate::reply;
use crate::request::Call;
use crate::request::options::{ListOptions, Match, Version};
use crate::request::shards::Shards;
use crate::storage::token::Continue;
use crate::storage::{self, Key, Stored, Table};
use crate::turn::{Halt, Outcome, Turn};

use super::Handled;

/// Answers a list.
pub(super) fn list(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let options = ListOptions::parse(&call.query)?;
    if turn.known.pinned.is_none() {
        let past = turn.ask_read(&call.actor(), "list", &call.resource.table, &call.namespace)?;
        let takes = |past: &u64| options.continue_token.is_none() && options.version.takes(*past);
        turn.known.pinned = past.filter(takes);
    }
    let page = read(turn, call, &options)?;
    let Page { items, tails, meta } = page;
    let items = match present::in_pieces(&call.resource, &call.form, items, tails, &meta) {
        Ok(pieces) => return Ok(in_pieces(turn, call, pieces)),
        Err(items) => items,
    };
    let items = items.iter().map(|stored| &**stored);
    let body = present::list(&call.resource, &call.form, items, &meta, turn.now);
    Ok(Outcome::Reply(reply::body(200, call.form.codec, body)))
}

/// A long list is written while it is sent, unless it is to be compressed. The last to hold a value that only a
/// large stack can drop must not be who sends it.
fn in_pieces(turn: &Turn<'_>, call: &Call, pieces: Pieces) -> Outcome {
    let codec = call.form.codec;
    let is_long = pieces.left() >= compress::THRESHOLD as u64;
    if is_long && !compress::takes_gzip(&call.headers) && !turn.core.store.is_deep() {
        let media_type = codec.media_type();
        return Outcome::List(Box::new(reply::typed(200, media_type, pieces)));
    }
    Outcome::Reply(reply::body(200, codec, pieces.whole()))
}

/// Some objects, in the version of the call, and how to get the rest.
pub(super) struct Page {
    pub(super) items: Vec<Arc<Stored>>,
    /// How long the tails of all items are: counted while they are at hand.
    tails: usize,
    meta: ListMeta,
}

/// Reads a page.
pub(super) fn read(turn: &mut Turn<'_>, call: &Call, options: &ListOptions) -> Result<Page, Halt> {
    let mut fields = options.fields.clone();
    if !call.name.is_empty() {
        fields.require("metadata.name", &call.name);
    }
    // Of what has a name there is one, so there are no pages, and nothing else is looked at.
    let is_placed = !call.resource.namespaced || !call.namespace.is_empty();
    let name = fields.required("metadata.name").filter(|_| is_placed);
    let single = name.map(|name| storage::key(&call.namespace, name));
    let mut filter = Filter::new(&call.resource, &call.namespace, options.labels.clone(), fields)?;
    filter.shards = shards(turn, call)?;
    let at = revision(turn, options)?.or_else(|| pinned(turn));
    let snapshot = snapshot(turn, call, options, at)?;
    let current = turn.core.store.revision();
    // A page size means nothing when any cached state will do (V2.4).
    let unlimited =
        options.version == Version::Any || (single.is_some() && options.continue_token.is_none());
    let limit = if unlimited { 0 } else { options.limit };
    let start = options.continue_token.as_ref().map_or("", |token| &*token.start);
    let read = At { revision: at.unwrap_or(current), limit, start, single };
    let none = Table::new();
    let table = snapshot.as_ref().or_else(|| turn.core.store.table(&call.resource.table));
    let page = page(turn, table.unwrap_or(&none), call, &filter, read)?;
    page.map_err(|missing| seen::ask(turn, &call.resource, missing))
}

/// The revision that an earlier try of this read looked at, or that a hook wants it to see, where that is still known.
pub(super) fn pinned(turn: &Turn<'_>) -> Option<u64> {
    let store = &turn.core.store;
    let is_past = |revision: &u64| (store.ring().floor()..store.revision()).contains(revision);
    turn.known.pinned.filter(is_past)
}

/// The part of the objects that is asked for, where that means something (V2.7).
///
/// # Errors
///
/// 500 for what is no selector, as upstream answers.
pub(super) fn shards(turn: &Turn<'_>, call: &Call) -> Result<Option<Shards>, ApiError> {
    let text = call.query.text("shardSelector");
    if text.is_empty() || !turn.core.config.shard_selectors {
        return Ok(None);
    }
    let invalid = |why| ApiError::new(500, "", format!("invalid shard selector: {why}"));
    Shards::parse(text).map(Some).map_err(invalid)
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
    /// The only key that may come.
    single: Option<Key>,
}

/// How many objects are asked about at once, at least, where selectors are about what comes back.
const ASKED: usize = 500;

/// A page, or the objects that must be converted before it is known what is on it.
fn page(
    turn: &Turn<'_>,
    table: &Table,
    call: &Call,
    filter: &Filter,
    at: At<'_>,
) -> Result<Result<Page, Vec<Arc<Stored>>>, Halt> {
    let prefix = match (&at.single, &*call.namespace) {
        (Some(key), _) => key.to_string(),
        (None, "") => String::new(),
        (None, namespace) => format!("{namespace}/"),
    };
    let from = if at.start > &*prefix { at.start } else { &*prefix };
    let range = table.range::<str, _>((Bound::Included(from), Bound::Unbounded));
    let mut rest = range.take_while(|(key, _)| match &at.single {
        Some(only) => *key == only,
        None => key.starts_with(&prefix),
    });
    let (mut items, mut tails): (Vec<Arc<Stored>>, _) = (Vec::new(), 0);
    let converts = seen::webhook(&call.resource).is_some();
    let (mut last, mut missing): (Option<&Key>, _) = (None, Vec::new());
    let mut looked_at = 0;
    for (key, stored) in rest.by_ref() {
        last = Some(key);
        looked_at += 1;
        let state = if converts { seen::asked(turn, &call.resource, stored)? } else { None };
        match if converts { state.as_ref() } else { Some(stored) } {
            Some(shown) if filter.matches(&call.resource, shown) => {
                tails += shown.tail.len();
                items.push(Arc::clone(shown));
            }
            Some(_) => {}
            None => missing.push(Arc::clone(stored)),
        }
        let enough = missing.is_empty() || filter.selects_all() || missing.len() >= ASKED;
        if at.limit > 0 && items.len() + missing.len() >= at.limit && enough {
            break;
        }
    }
    if !missing.is_empty() {
        return Ok(Err(missing));
    }
    let left = rest.count();
    // Upstream's lists of custom resources have no place for it.
    let shards = filter.shards.as_ref().filter(|_| call.resource.custom.is_none());
    let shard = shards.map(ToString::to_string);
    let mut meta = ListMeta { revision: at.revision, shard, ..ListMeta::default() };
    if let (true, Some(last)) = (left > 0, last) {
        meta.continue_token = Some(Continue::after(Some(at.revision), last).encode());
        // Of a shard upstream tells how many are left of all, as if those on the page were the only ones before.
        meta.remaining = filter.has_no_selector().then_some(looked_at + left - at.limit);
    }
    Ok(Ok(Page { items, tails, meta }))
}
