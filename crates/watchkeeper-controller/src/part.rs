//! The objects that the workers of a controller may begin with: all, or those of its share.

use std::future::Future;

use crate::context::Context;
use crate::request::Request;
use crate::share::{Share, Turn};

/// Which objects, and what they are written by.
pub(crate) enum Part {
    All(Context),
    /// With a context for each shard.
    Of(Share, Vec<Context>),
}

/// The reconcile of one object.
pub(crate) struct Begun {
    pub(crate) context: Context,
    turn: Option<Turn>,
}

impl Part {
    /// Whether the object of a request is one of them now.
    pub(crate) fn has(&self, request: &Request) -> bool {
        match self {
            Self::All(_) => true,
            Self::Of(share, _) => share.has(request),
        }
    }

    /// Begins work on an object, if it is one of them.
    pub(crate) fn begin(&self, request: &Request) -> Option<Begun> {
        let (share, contexts) = match self {
            Self::All(context) => return Some(Begun { context: context.clone(), turn: None }),
            Self::Of(share, contexts) => (share, contexts),
        };
        let turn = share.begin(request)?;
        let context = contexts.get(usize::try_from(turn.shard()).ok()?)?.clone();
        Some(Begun { context, turn: Some(turn) })
    }
}

impl Begun {
    /// What `work` comes to; `None` if the object ceases to be this process's before.
    pub(crate) async fn unless_lost<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        match &self.turn {
            None => Some(work.await),
            Some(turn) => turn.unless_lost(work).await,
        }
    }
}
