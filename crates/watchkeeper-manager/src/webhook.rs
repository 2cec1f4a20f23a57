//! Webhooks: what the API server asks before it stores a write.
//!
//! - [`Defaulter`]: fills in what an object leaves open. The answer is the difference, so what is newer than the
//!   type stays.
//! - [`Validator`]: judges a write, with warnings and [field errors](FieldError).
//! - [`Admission`]: sees the [review](Review) itself and answers with what it likes.
//! - [`Hub`] and [`Spoke`]: the versions of a kind, and how objects come from one to another.
//!
//! Each is asked at a path of its own, which is upstream's: [`mutate_path`], [`validate_path`],
//! [`CONVERT_PATH`].
//!
//! ```
//! use watchkeeper_api::core::v1::ConfigMap;
//! use watchkeeper_manager::webhook::{FieldError, Refusal, Webhooks, defaulting, validating};
//!
//! let webhooks = Webhooks::new()
//!     .defaulter(defaulting(|map: &mut ConfigMap, _review| {
//!         if !map.data.contains_key("colour") {
//!             map.data.insert("colour", "red");
//!         }
//!         Ok(())
//!     }))
//!     .validator(validating(|map: &ConfigMap, review| {
//!         if map.data.len() > 100 {
//!             review.warn("so much is better kept elsewhere");
//!         }
//!         match map.data.get("colour") {
//!             Some(colour) if colour != "red" => {
//!                 let wrong = FieldError::not_supported("data.colour", &**colour, &["red"]);
//!                 Err(Refusal::invalid(map, [wrong]))
//!             }
//!             _ => Ok(()),
//!         }
//!     }));
//! # drop(webhooks);
//! ```
//!
//! The counterpart of controller-runtime's `pkg/webhook`.

mod admission;
mod authority;
mod configuration;
mod conversion;
mod defaulter;
mod envelope;
mod field;
mod figures;
mod hooks;
mod paths;
mod protocol;
mod refusal;
mod review;
mod reviewed;
mod rotation;
mod server;
mod validator;

pub use admission::{Admission, admitting, both};
pub use authority::SelfMade;
pub use configuration::{Place, convert_at, inject_ca_from};
pub use conversion::{Conversion, ConversionError, Hub, Spoke, lost_by_hub, lost_by_spoke};
pub use defaulter::{Defaulter, by_defaulter, defaulting};
pub use field::FieldError;
pub(crate) use figures::Figures;
#[cfg(feature = "prometheus")]
pub(crate) use figures::PrometheusMetrics;
pub use hooks::Webhooks;
pub use paths::{CONVERT_PATH, mutate_path, validate_path};
pub use refusal::Refusal;
pub use review::Review;
pub use reviewed::Reviewed;
pub use rotation::Rotation;
pub use server::WebhookServer;
pub(crate) use server::{GRACE, Standing};
pub use validator::{Validator, by_validator, validating};
