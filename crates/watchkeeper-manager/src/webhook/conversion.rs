//! Between the versions of a kind: one is the hub, and each of the others knows how to become it and to be made of
//! it.

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use watchkeeper_api::diff::{Diff, diff};
use watchkeeper_api::{Kind, StaticKind, Writable, json};

mod review;
#[cfg(test)]
mod tests;

pub(super) use review::{Conversions, answer};

/// Why an object cannot be had in another version. Any error becomes one with `?`.
pub type ConversionError = Box<dyn StdError + Send + Sync>;

/// The version of a kind that all its conversions go through: best the one that is stored. Upstream:
/// `conversion.Hub`.
pub trait Hub: StaticKind + Writable {}

/// Another version of a [hub](Hub)'s kind. Upstream: `conversion.Convertible`.
///
/// Nothing may be lost on the way to the hub and back, whoever wrote the object: what one version has no field for
/// is kept in an annotation. [`lost_by_spoke`] and [`lost_by_hub`] tell in a test what is lost.
///
/// The metadata goes along as it was received; of what a conversion makes of it, labels and annotations count.
///
/// ```
/// use watchkeeper_manager::webhook::{ConversionError, Hub, Spoke, lost_by_spoke};
///
/// mod v1 {
/// #   use watchkeeper_api::{IStr, meta::v1::ObjectMeta};
/// #   use watchkeeper_derive::{Fields, Object};
///     #[derive(Clone, Debug, Default, PartialEq, Object)]
///     #[object(group = "example.com", version = "v1")]
/// #   #[object(crate = "watchkeeper_api")]
///     pub struct Mast { pub metadata: ObjectMeta, pub spec: MastSpec }
///     #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #   #[fields(crate = "watchkeeper_api")]
///     pub struct MastSpec { pub height: IStr } // "30m"
/// }
///
/// mod v2 {
/// #   use watchkeeper_api::meta::v1::ObjectMeta;
/// #   use watchkeeper_derive::{Fields, Object};
///     #[derive(Clone, Debug, Default, PartialEq, Object)]
///     #[object(group = "example.com", version = "v2")]
/// #   #[object(crate = "watchkeeper_api")]
///     pub struct Mast { pub metadata: ObjectMeta, pub spec: MastSpec }
///     #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #   #[fields(crate = "watchkeeper_api")]
///     pub struct MastSpec { pub metres: i32 }
/// }
///
/// impl Hub for v2::Mast {}
///
/// impl Spoke for v1::Mast {
///     type Hub = v2::Mast;
///
///     fn convert_to(&self) -> Result<v2::Mast, ConversionError> {
///         let metres = self.spec.height.strip_suffix('m').ok_or("the height has no unit")?;
///         let spec = v2::MastSpec { metres: metres.parse()? };
///         Ok(v2::Mast { metadata: self.metadata.clone(), spec })
///     }
///
///     fn convert_from(hub: &v2::Mast) -> Result<Self, ConversionError> {
///         let spec = v1::MastSpec { height: format!("{}m", hub.spec.metres).into() };
///         Ok(Self { metadata: hub.metadata.clone(), spec })
///     }
/// }
///
/// let mast = v1::Mast { spec: v1::MastSpec { height: "30m".into() }, ..Default::default() };
/// assert!(lost_by_spoke(&mast).unwrap().is_empty());
/// ```
pub trait Spoke: StaticKind + Writable {
    /// The version that conversions go through.
    type Hub: Hub;

    /// The same object in the hub's version.
    ///
    /// # Errors
    /// It says what the hub's version cannot say.
    fn convert_to(&self) -> Result<Self::Hub, ConversionError>;

    /// The object of the hub's version in this one.
    ///
    /// # Errors
    /// It says what this version cannot say.
    fn convert_from(hub: &Self::Hub) -> Result<Self, ConversionError>;
}

/// What an object has lost once it has come back from the hub.
///
/// # Errors
/// A conversion failed.
pub fn lost_by_spoke<S: Spoke>(spoke: &S) -> Result<Diff, ConversionError> {
    Ok(diff(spoke, &S::convert_from(&spoke.convert_to()?)?))
}

/// What an object of the hub's version has lost once it has come back from `S`.
///
/// # Errors
/// A conversion failed.
pub fn lost_by_hub<S: Spoke>(hub: &S::Hub) -> Result<Diff, ConversionError> {
    Ok(diff(hub, &S::convert_from(hub)?.convert_to()?))
}

/// The versions of a kind between which objects are converted, for
/// [`Webhooks::conversion`](super::Webhooks::conversion).
///
/// ```
/// # use watchkeeper_manager::webhook::{Conversion, Hub, Spoke, Webhooks};
/// # fn f<V1: Spoke<Hub = V3>, V2: Spoke<Hub = V3>, V3: Hub>() -> Webhooks {
/// Webhooks::new().conversion(Conversion::<V3>::hub().spoke::<V1>().spoke::<V2>())
/// # }
/// ```
#[must_use = "the webhooks have to be given it"]
pub struct Conversion<H> {
    versions: BTreeMap<String, Version<H>>,
    mistakes: Vec<String>,
}

/// How objects of a version are had from the wire as the hub, and go there.
struct Version<H> {
    read: fn(&str) -> Result<H, ConversionError>,
    written: fn(&H) -> Result<Value, ConversionError>,
}

impl<H: Hub> Conversion<H> {
    /// Conversions through this version.
    pub fn hub() -> Self {
        let hub = Version {
            read: |text| Ok(json::from_str::<H>(text)?),
            written: |hub| Ok(json::to_value(hub)),
        };
        let api_version = H::static_kind().api_version().into_owned();
        Self { versions: BTreeMap::from([(api_version, hub)]), mistakes: Vec::new() }
    }

    /// Converts this version, too. It must be one of the same group and kind, and not there already.
    pub fn spoke<S: Spoke<Hub = H>>(mut self) -> Self {
        let (hub, kind) = (H::static_kind(), S::static_kind());
        let spoke = Version {
            read: |text| json::from_str::<S>(text)?.convert_to(),
            written: |hub| Ok(json::to_value(&S::convert_from(hub)?)),
        };
        if !kind.is_version_of(hub) {
            let (kind, hub) = (kind.group_resource(), hub.group_resource());
            self.mistakes.push(format!("{kind} is no version of {hub}"));
        } else if self.versions.insert(kind.api_version().into_owned(), spoke).is_some() {
            self.mistakes.push(format!("{} of {} is converted twice", kind.version, kind.kind));
        }
        self
    }

    /// For a table of those of several kinds, with what is wrong with how it was put together.
    pub(super) fn erased(self) -> (&'static Kind, Arc<dyn Converts>, Vec<String>) {
        let Self { versions, mistakes } = self;
        (H::static_kind(), Arc::new(versions), mistakes)
    }
}

impl<H: Hub> Default for Conversion<H> {
    fn default() -> Self {
        Self::hub()
    }
}

impl<H> fmt::Debug for Conversion<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversion").field("versions", &self.versions.keys()).finish()
    }
}

/// Conversions of one kind.
pub(super) trait Converts: Send + Sync {
    /// The object of that text, which is of one version, in another one.
    fn converted(&self, text: &str, from: &str, to: &str) -> Result<Value, ConversionError>;
}

impl<H: Hub> Converts for BTreeMap<String, Version<H>> {
    fn converted(&self, text: &str, from: &str, to: &str) -> Result<Value, ConversionError> {
        let version = |name: &str| {
            let known = || self.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            self.get(name).ok_or_else(|| format!("{name} is none of {}", known()))
        };
        let (from, to) = (version(from)?, version(to)?);
        (to.written)(&(from.read)(text)?)
    }
}
