//! What happened.

use std::fmt;
use std::hash::{Hash, Hasher};

use watchkeeper_api::core::v1::ObjectReference;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{AsObject, registry};

use super::EventType;

/// What happened to which object.
///
/// ```
/// use watchkeeper_api::core::v1::{Node, Pod};
/// use watchkeeper_api::object;
/// use watchkeeper_controller::Normal;
/// use watchkeeper_controller::events::Occurrence;
///
/// let pod = object!(Pod { metadata: { name: "web", namespace: "shop" } });
/// let node = object!(Node { metadata: { name: "n1" } });
/// let happened = Occurrence::of(&pod, Normal, "Scheduled", "it runs on n1")
///     .action("Binding")
///     .related(&node)
///     .annotation("example.com/zone", "a");
/// assert_eq!(happened.to_string(), "Normal Scheduled it runs on n1");
/// assert_eq!(happened.object().name, "web");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    pub(super) about: About,
    /// Why this was done, in a word that programs know.
    pub reason: String,
    /// What happened, for people.
    pub message: String,
    /// What was done about the object, in a word; the reason unless it is said. Of events.k8s.io/v1.
    pub action: String,
    pub(super) related: Option<Subject>,
    pub(super) annotations: Vec<(String, String)>,
}

/// What events are about: those about the same thing may be told as one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct About {
    pub(crate) object: Subject,
    pub(crate) type_: EventType,
}

/// The object that an event is about, as [`reference`](watchkeeper_api::registry::reference) names it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Subject(pub(crate) ObjectReference);

impl Occurrence {
    /// Something happened to an object.
    pub fn of(
        object: &impl AsObject,
        type_: EventType,
        reason: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        let about = About { object: Subject(registry::reference(object.as_object())), type_ };
        let (reason, message) = (reason.into(), message.into());
        let (action, related, annotations) = (String::new(), None, Vec::new());
        Self { about, reason, message, action, related, annotations }
    }

    /// With what was done about it.
    #[must_use]
    pub fn action(mut self, action: impl Into<String>) -> Self {
        self.action = action.into();
        self
    }

    /// With another object that has to do with it. Of events.k8s.io/v1.
    #[must_use]
    pub fn related(mut self, object: &impl AsObject) -> Self {
        self.related = Some(Subject(registry::reference(object.as_object())));
        self
    }

    /// With an annotation of the event (upstream: `AnnotatedEventf`). Those of the first of many that are told
    /// as one are kept.
    #[must_use]
    pub fn annotation(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.annotations.push((name.into(), value.into()));
        self
    }

    /// Of the event that is made of it, where it belongs.
    pub(super) fn metadata(&self, name: &str) -> ObjectMeta {
        let namespace = self.about.object.home();
        let mut metadata =
            ObjectMeta { name: name.into(), namespace: namespace.into(), ..ObjectMeta::default() };
        for (name, value) in &self.annotations {
            metadata.annotations.insert(name.as_str(), value.as_str());
        }
        metadata
    }

    /// The object that this is about.
    #[must_use]
    pub const fn object(&self) -> &ObjectReference {
        &self.about.object.0
    }

    /// Whether it tells of trouble.
    #[must_use]
    pub const fn type_(&self) -> EventType {
        self.about.type_
    }
}

/// `Normal Synced all is well`, as upstream's `FakeRecorder` has it.
impl fmt::Display for Occurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.about.type_, self.reason, self.message)
    }
}

// All of its members are texts.
impl Eq for Subject {}

impl Hash for Subject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.0.uid, &self.0.kind, &self.0.namespace, &self.0.name).hash(state);
    }
}

impl Subject {
    /// Where events about it live: where upstream puts them.
    pub(super) fn home(&self) -> &str {
        match self.0.namespace.as_str() {
            "" => "default",
            namespace => namespace,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(object) = self;
        match object.namespace.as_str() {
            "" => write!(f, "{} {}", object.kind, object.name),
            namespace => write!(f, "{} {namespace}/{}", object.kind, object.name),
        }
    }
}
