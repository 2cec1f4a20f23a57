//! Small objects for the scripts.

use std::fmt;

use watchkeeper_api::ObjectKey;

use crate::item::Item;

/// A name, a life, a version and a value to index by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tiny {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) uid: String,
    pub(crate) version: String,
}

impl Item for Tiny {
    fn item_key(&self) -> ObjectKey {
        ObjectKey::from((&*self.namespace, &*self.name))
    }

    fn item_uid(&self) -> &str {
        &self.uid
    }

    fn item_version(&self) -> &str {
        &self.version
    }
}

impl fmt::Display for Tiny {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace != "default" {
            write!(f, "{}/", self.namespace)?;
        }
        write!(f, "{}", self.name)?;
        if self.uid != self.name {
            write!(f, "#{}", self.uid)?;
        }
        write!(f, "@{}", self.version)
    }
}

/// Reads `name@version`, `namespace/name#uid@version`.
pub(crate) fn tiny(text: &str) -> Tiny {
    let (rest, version) = text.split_once('@').unwrap();
    let (rest, uid) = rest.split_once('#').map_or((rest, None), |(rest, uid)| (rest, Some(uid)));
    let (namespace, name) = rest.split_once('/').unwrap_or(("default", rest));
    Tiny {
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        uid: uid.unwrap_or(name).to_owned(),
        version: version.to_owned(),
    }
}
