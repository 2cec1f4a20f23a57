//! The fields of spans and events.

use std::error::Error;
use std::fmt;

use tracing::field::{Field, Visit};

/// A value as a line tells it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    /// A number or a boolean, as JSON writes it.
    Bare(String),
}

/// Fields in the order in which they came, each name once.
#[derive(Debug, Default)]
pub(super) struct Fields {
    fields: Vec<(&'static str, Value)>,
    /// Those of a reconcile have upstream's names.
    of_reconcile: bool,
}

/// The names in the span of a reconcile, and in upstream's logs.
const OF_RECONCILE: [(&str, &str); 4] = [
    ("kind", "controllerKind"),
    ("k8s.namespace.name", "namespace"),
    ("k8s.cluster.name", "cluster"),
    ("id", "reconcileID"),
];
/// What only tells a collector of traces how to show a span.
const OF_TRACES: &str = "otel.";
/// What the crate `log` told comes with these.
const OF_LOG: &str = "log.";
const MESSAGE: &str = "message";

impl Fields {
    pub(super) fn of_span(name: &str) -> Self {
        Self { fields: Vec::new(), of_reconcile: name == "reconcile" }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.fields.iter().map(|(name, value)| (*name, value))
    }

    /// What comes later is further in.
    pub(super) fn extend(&mut self, inner: &Self) {
        for (name, value) in inner.iter() {
            self.set(name, value.clone());
        }
    }

    /// The message of an event; empty if it has none.
    pub(super) fn take_message(&mut self) -> String {
        self.take(MESSAGE).unwrap_or_default()
    }

    /// Where in the program it was said, if that is a field: the crate `log` has its events pass that way.
    pub(super) fn take_logger(&mut self) -> Option<String> {
        let logger = self.take("log.target");
        self.fields.retain(|(name, _)| !name.starts_with(OF_LOG));
        logger
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.fields.iter().position(|field| field.0 == name)?;
        let (Value::Text(value) | Value::Bare(value)) = self.fields.remove(at).1;
        Some(value)
    }

    fn set(&mut self, name: &'static str, value: Value) {
        match self.fields.iter_mut().find(|field| field.0 == name) {
            Some(field) => field.1 = value,
            None => self.fields.push((name, value)),
        }
    }

    fn record(&mut self, field: &Field, value: Value) {
        let name = field.name();
        if name.starts_with(OF_TRACES) {
            return;
        }
        let upstreams = OF_RECONCILE.iter().find(|(ours, _)| self.of_reconcile && *ours == name);
        self.set(upstreams.map_or(name, |(_, upstreams)| upstreams), value);
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record(field, Value::Text(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record(field, Value::Text(value.to_owned()));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.record(field, Value::Text(value.to_string()));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.record(field, Value::Bare(value.to_string()));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.record(field, Value::Bare(value.to_string()));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.record(field, Value::Bare(value.to_string()));
    }

    /// JSON has no number for what is infinite or none.
    fn record_f64(&mut self, field: &Field, value: f64) {
        let text = value.to_string();
        let value = if value.is_finite() { Value::Bare(text) } else { Value::Text(text) };
        self.record(field, value);
    }
}
