//! Lists in pages (upstream: `tools/pager`).

use std::collections::VecDeque;

use watchkeeper_api::{Error, Object, Result};

use crate::api::Api;
use crate::list::ListPage;
use crate::options::{ListOptions, VersionMatch};

/// What to do when the server has forgotten the version that the pages are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expired {
    /// Read everything again in one answer (upstream: `FullListIfExpired`). Only where all pages are
    /// gathered: what was handed out cannot be taken back.
    #[default]
    FullList,
    /// Go on with the token that came with the refusal, if one did: the pages are then of several versions,
    /// and what changed between them may be missing or be there twice.
    GoOn,
    /// Tell.
    Fail,
}

/// A list that is read page by page.
///
/// ```
/// # use watchkeeper_api::{core::v1::Pod, Object, Result};
/// # use watchkeeper_client::{Client, ListOptions};
/// # async fn f(client: Client) -> Result<()> {
/// let mut pods = client.api::<Pod>().pager(&ListOptions::default().limit(100));
/// while let Some(pod) = pods.next().await? {
///     println!("{}", pod.key());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Pager<K> {
    api: Api<K>,
    options: ListOptions,
    /// As first asked, for a list of everything.
    first: (String, Option<VersionMatch>),
    expired: Expired,
    ready: VecDeque<K>,
    started: bool,
    paginated: bool,
}

/// Upstream's page, where none is asked for.
const PAGE: u32 = 500;

impl<K: Object> Api<K> {
    /// A list that is read page by page, of 500 objects unless `options` says otherwise.
    #[must_use]
    pub fn pager(&self, options: &ListOptions) -> Pager<K> {
        let mut options = options.clone();
        options.limit.get_or_insert(PAGE);
        Pager {
            api: self.clone(),
            first: (options.resource_version.clone(), options.version_match),
            options,
            expired: Expired::default(),
            ready: VecDeque::new(),
            started: false,
            paginated: false,
        }
    }
}

impl<K: Object> Pager<K> {
    /// What to do when the server has forgotten the version.
    #[must_use]
    pub const fn on_expired(mut self, expired: Expired) -> Self {
        self.expired = expired;
        self
    }

    /// Whether there was more than one page so far.
    #[must_use]
    pub const fn is_paginated(&self) -> bool {
        self.paginated
    }

    /// The next page; `None` after the last one.
    ///
    /// # Errors
    /// As of [`Api::list`]. [`is_gone`](Error::is_gone) when the server has forgotten the version, unless the
    /// pager shall go on. After an error the same page is asked for again.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; the page is then asked for again.
    pub async fn next_page(&mut self) -> Result<Option<ListPage<K>>> {
        if self.started && self.options.continue_.is_empty() {
            return Ok(None);
        }
        let mut page = self.api.list(&self.options).await;
        if let Err(error) = &page
            && self.expired == Expired::GoOn
            && let Some(token) = token_in(error)
        {
            self.options.continue_ = token;
            page = self.api.list(&self.options).await;
        }
        let page = page?;
        self.started = true;
        self.paginated |= !page.continue_.is_empty();
        self.options.continue_.clone_from(&page.continue_);
        // A page's version is in its token; saying it again is an error.
        (self.options.resource_version, self.options.version_match) = (String::new(), None);
        Ok(Some(page))
    }

    /// The next object; `None` after the last one. Those that cannot be read are left out.
    ///
    /// # Errors
    /// As [`next_page`](Self::next_page).
    ///
    /// # Cancel safety
    /// No object is lost when the future is dropped.
    pub async fn next(&mut self) -> Result<Option<K>> {
        loop {
            if let Some(object) = self.ready.pop_front() {
                return Ok(Some(object));
            }
            match self.next_page().await? {
                Some(page) => self.ready.extend(page.items),
                None => return Ok(None),
            }
        }
    }

    /// All pages as one.
    ///
    /// # Errors
    /// As of [`Api::list`].
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way; the pages read so far are lost.
    pub async fn all(mut self) -> Result<ListPage<K>> {
        if self.started && self.options.continue_.is_empty() {
            self.start_over();
        }
        match self.gather().await {
            Err(error) if error.is_gone() && self.started && self.expired == Expired::FullList => {
                self.start_over();
                self.gather().await
            }
            all => all,
        }
    }

    async fn gather(&mut self) -> Result<ListPage<K>> {
        let (items, malformed, resource_version) = (Vec::new(), Vec::new(), String::new());
        let continue_ = String::new();
        let mut all = ListPage { items, malformed, resource_version, continue_, remaining: None };
        while let Some(next) = self.next_page().await? {
            all.items.extend(next.items);
            all.malformed.extend(next.malformed);
            all.resource_version = next.resource_version;
            (all.continue_, all.remaining) = (next.continue_, next.remaining);
        }
        Ok(all)
    }

    /// Without pages, at the version that was asked for first. A server, or what is in between, may send pages
    /// all the same: one of them is not everything.
    fn start_over(&mut self) {
        (self.options.limit, self.options.continue_) = (None, String::new());
        (self.options.resource_version, self.options.version_match) =
            std::mem::take(&mut self.first);
        self.started = false;
    }
}

/// The token that a server sends along with a 410, to go on at a newer version.
fn token_in(error: &Error) -> Option<String> {
    let status = error.status().filter(|_| error.is_gone())?;
    Some(status.metadata.continue_.to_string()).filter(|token| !token.is_empty())
}
