//! What can be done with objects of some kinds only. Objects whose kind is known at run time may try all.

use super::{Object, StaticKind};
use crate::{Metadata, Unstructured};

/// An object whose log can be read.
///
/// ```compile_fail,E0277
/// use watchkeeper_api::{HasLogs, core::v1::ConfigMap};
/// fn logs<K: HasLogs>() {}
/// logs::<ConfigMap>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no logs",
    note = "pods have: `client.api::<Pod>()`; those of a kind known at run time may: `client.dynamic(kind)`"
)]
pub trait HasLogs: Object {}

/// An object that streams lead into: `exec`, `attach`, `port_forward`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no processes or ports to connect to",
    note = "pods have: `client.api::<Pod>()`; those of a kind known at run time may: `client.dynamic(kind)`"
)]
pub trait HasStreams: Object {}

/// An object that can be asked to go, if disruption budgets allow.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be evicted",
    note = "pods can: `client.api::<Pod>()`; those of a kind known at run time may: `client.dynamic(kind)`; \
            others are deleted: `api.delete(…)`"
)]
pub trait HasEviction: Object {}

/// An object that is given its node.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is bound to no node",
    note = "pods are: `client.api::<Pod>()`; those of a kind known at run time may be: `client.dynamic(kind)`"
)]
pub trait HasBinding: Object {}

/// An object that tokens are made for.
#[diagnostic::on_unimplemented(
    message = "there are no tokens of `{Self}`",
    note = "there are of service accounts: `client.api::<ServiceAccount>()`; of a kind known at run time there \
            may be: `client.dynamic(kind)`"
)]
pub trait HasToken: Object {}

macro_rules! acts {
    ($($act:ident)+) => {$(
        impl $act for Unstructured {}
        impl<K: StaticKind + $act> $act for Metadata<K> {}
    )+};
}

acts! { HasLogs HasStreams HasEviction HasBinding HasToken }

#[cfg(feature = "core")]
mod core {
    use super::{HasBinding, HasEviction, HasLogs, HasStreams, HasToken};
    use crate::core::v1::{Pod, ServiceAccount};

    impl HasLogs for Pod {}
    impl HasStreams for Pod {}
    impl HasEviction for Pod {}
    impl HasBinding for Pod {}
    impl HasToken for ServiceAccount {}
}
