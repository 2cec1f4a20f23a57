//! The spans around a list, with all of its pages, and around a watch, from its beginning to its end.
//!
//! The client's spans of requests are below them. What comes in a watch is counted and has no span of its own: it is
//! what the copy lives on.

use tracing::Span;
use tracing::field::Empty;

use super::message::{Class, Input, ListCall, Trouble, WatchCall};

/// What is listed and watched.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// As in `kubectl auth can-i`: `deployments.apps`.
    pub(crate) resource: String,
    /// The one namespace, if it is one.
    pub(crate) namespace: Option<String>,
}

/// The spans that are open: of a list or of a watch.
#[derive(Debug)]
pub(crate) struct Spans {
    subject: Subject,
    list: Option<Listing>,
    watch: Option<Watching>,
}

#[derive(Debug)]
struct Listing {
    span: Span,
    pages: u64,
    objects: u64,
}

#[derive(Debug)]
struct Watching {
    span: Span,
    events: u64,
}

impl Spans {
    pub(crate) const fn of(subject: Subject) -> Self {
        Self { subject, list: None, watch: None }
    }

    /// The span of the list to which this page belongs.
    pub(crate) fn list(&mut self, call: &ListCall) -> Span {
        if call.more.is_empty() {
            self.list = None;
        }
        let Subject { resource, namespace } = &self.subject;
        let listing = self.list.get_or_insert_with(|| {
            let span = tracing::info_span!(
                "list",
                resource,
                k8s.namespace.name = namespace.as_deref(),
                resource_version = call.version,
                pages = Empty,
                objects = Empty,
                error.type = Empty,
                otel.name = format_args!("list {resource}"),
                otel.status_code = Empty,
            );
            Listing { span, pages: 0, objects: 0 }
        });
        listing.span.clone()
    }

    /// The span of a watch that is asked for.
    pub(crate) fn watch(&mut self, call: &WatchCall) -> Span {
        let Subject { resource, namespace } = &self.subject;
        let span = tracing::info_span!(
            "watch",
            resource,
            k8s.namespace.name = namespace.as_deref(),
            resource_version = call.version,
            initial_events = call.initial_events,
            events = Empty,
            error.type = Empty,
            otel.name = format_args!("watch {resource}"),
            otel.status_code = Empty,
        );
        self.watch = Some(Watching { span: span.clone(), events: 0 });
        span
    }

    /// Counts what came, and closes the span that ends with it.
    pub(crate) fn heard<K>(&mut self, input: &Input<K>) {
        match input {
            Input::Event(..) | Input::Elsewhere(..) | Input::Unreadable(_) => {
                if let Some(watching) = &mut self.watch {
                    watching.events += 1;
                }
            }
            Input::Page(page) => {
                if let Some(listing) = &mut self.list {
                    listing.pages += 1;
                    listing.objects += page.items.len() as u64;
                }
                if page.more.is_none() {
                    self.list = None;
                }
            }
            Input::Failed(trouble) => self.failed(trouble),
            Input::Closed => self.watch = None,
            Input::Opened | Input::Bookmark { .. } | Input::Woken => {}
        }
    }

    /// The watch that is open is read no more.
    pub(crate) fn watch_ends(&mut self) {
        self.watch = None;
    }

    /// A version that is gone is a reason to ask anew, and no error to those who count errors.
    fn failed(&mut self, trouble: &Trouble) {
        let list = self.list.take();
        let watch = self.watch.take();
        let spans = list.iter().map(|it| &it.span).chain(watch.iter().map(|it| &it.span));
        for span in spans {
            span.record("error.type", type_of(trouble.class));
            if trouble.class != Class::Expired {
                span.record("otel.status_code", "ERROR");
            }
        }
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        self.span.record("pages", self.pages);
        self.span.record("objects", self.objects);
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.span.record("events", self.events);
    }
}

const fn type_of(class: Class) -> &'static str {
    match class {
        Class::Expired => "expired",
        Class::Busy { .. } => "busy",
        Class::Unreachable => "unreachable",
        Class::Internal => "internal",
        Class::Broken => "broken",
        Class::Refused => "refused",
        Class::OverLimit => "over_limit",
        Class::Other => "other",
    }
}
