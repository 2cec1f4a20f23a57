//! What a write may change, and what the server is asked of it.

use watchkeeper_api::ObjectKey;

/// What a write may change. A namespace that is empty stands for all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touched {
    /// This object.
    One(ObjectKey),
    /// An object of this namespace that has no name yet: the server chooses it.
    New(String),
    /// Any objects of this namespace.
    Many(String),
}

impl Touched {
    pub(super) const fn key(&self) -> Option<&ObjectKey> {
        match self {
            Self::One(key) => Some(key),
            Self::New(_) | Self::Many(_) => None,
        }
    }

    /// Whether it may change this object. Who reads a name does not mean one that is yet to be chosen.
    pub(super) fn holds(&self, key: &ObjectKey) -> bool {
        match self {
            Self::One(one) => one == key,
            Self::New(_) => false,
            Self::Many(namespace) => namespace.is_empty() || **namespace == *key.namespace,
        }
    }

    /// Whether it may have made this object, under a name that its caller was not told.
    pub(super) fn may_make(&self, key: &ObjectKey) -> bool {
        matches!(self, Self::New(namespace) if namespace.is_empty() || **namespace == *key.namespace)
    }

    /// Whether it may change what is in a namespace, or anything at all.
    pub(crate) fn may_be_in(&self, namespace: Option<&str>) -> bool {
        let Some(namespace) = namespace else { return true };
        match self {
            Self::One(key) => *key.namespace == *namespace,
            Self::New(of) | Self::Many(of) => of.is_empty() || of == namespace,
        }
    }

    /// The namespace of what it may change; empty for all.
    pub(super) fn namespace(&self) -> &str {
        match self {
            Self::One(key) => &key.namespace,
            Self::New(namespace) | Self::Many(namespace) => namespace,
        }
    }

    /// What to ask to know what became of it.
    pub(super) fn question(&self) -> Question {
        match self {
            Self::One(key) => Question::One(key.clone()),
            Self::New(namespace) | Self::Many(namespace) => Question::Within(namespace.clone()),
        }
    }
}

/// What the server is asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Question {
    /// Whether there is this object, and in which version.
    One(ObjectKey),
    /// The same of each object of a namespace; of all if that is empty.
    Within(String),
}

impl Question {
    /// The namespace of what is asked for; empty for all.
    pub(super) fn namespace(&self) -> &str {
        match self {
            Self::One(key) => &key.namespace,
            Self::Within(namespace) => namespace,
        }
    }

    /// Whether the answer may be long.
    pub(super) const fn is_list(&self) -> bool {
        matches!(self, Self::Within(_))
    }

    /// Whether the answer tells of this object.
    pub(super) fn is_of(&self, key: &ObjectKey) -> bool {
        match self {
            Self::One(one) => one == key,
            Self::Within(namespace) => namespace.is_empty() || **namespace == *key.namespace,
        }
    }

    /// Whether the answer tells what another question asks for, and more.
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(_), _) => false,
            (Self::Within(_), Self::One(key)) => self.is_of(key),
            (Self::Within(of), Self::Within(namespace)) => of.is_empty() && !namespace.is_empty(),
        }
    }

    /// Whether the answer tells what became of a write.
    pub(super) fn answers(&self, touched: &Touched) -> bool {
        match (self, touched) {
            (_, Touched::One(key)) => self.is_of(key),
            (Self::One(_), Touched::New(_) | Touched::Many(_)) => false,
            (Self::Within(namespace), Touched::New(of) | Touched::Many(of)) => {
                namespace.is_empty() || of == namespace
            }
        }
    }
}
