//! A look at what kind an object says it is.

use super::{Fields, Read, ReadError, Reader};
use crate::{IStr, names, struct_codec};

/// The apiVersion and kind of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeMeta {
    /// `apps/v1`; `v1` for the core group.
    pub api_version: IStr,
    /// `Deployment`.
    pub kind: IStr,
}

impl Fields for TypeMeta {
    fn set(&mut self, index: usize, r: &mut Reader<'_>) -> Result<(), ReadError> {
        match index {
            0 => self.api_version.read_into(r),
            1 => self.kind.read_into(r),
            _ => r.skip(),
        }
    }
}

struct_codec!(TypeMeta, names!["apiVersion", "kind"]);

/// The apiVersion and kind of the object in `bytes`, without reading the rest into anything.
///
/// # Errors
/// When the bytes are no JSON object.
pub fn type_meta(bytes: &[u8]) -> Result<TypeMeta, ReadError> {
    super::from_slice(bytes)
}
