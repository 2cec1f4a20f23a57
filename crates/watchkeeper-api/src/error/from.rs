//! What becomes an [`Error`] with `?`.

use super::{Error, Why};
use crate::json::ReadError;
use crate::key::KeyError;
use crate::quantity::QuantityError;
use crate::registry::DocumentError;
use crate::selector::SelectorError;
use crate::time::{SpanError, TimeError};

/// A text of the caller's own, which no call was about.
impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        Why::Decode(error).into()
    }
}

/// Texts that are not what they should be: their sentence is all that there is to tell.
macro_rules! mistakes {
    ($($error:ty),*) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::usage(error.to_string())
            }
        })*
    };
}

mistakes!(KeyError, SelectorError, QuantityError, TimeError, SpanError, DocumentError);
