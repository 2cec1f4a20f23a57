//! Enumerations of generated custom resources, which keep the texts that they do not know.

/// What an enum of texts can do, of a table of texts and variants. `Other`, however it is called, holds
/// what is none of them, and nothing when the member was not said.
#[macro_export]
#[doc(hidden)]
macro_rules! choice {
    ($type:ident: $other:ident $($text:literal $variant:ident)*) => {
        impl $type {
            /// The text as it stands in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::$other(text) => text,
                }
            }

            /// Whether it is one of the texts that the definition names.
            #[must_use]
            pub const fn is_known(&self) -> bool {
                !::core::matches!(self, Self::$other(_))
            }
        }

        impl ::core::default::Default for $type {
            /// Nothing was said.
            fn default() -> Self {
                Self::$other($crate::IStr::default())
            }
        }

        impl ::core::convert::From<$crate::IStr> for $type {
            fn from(text: $crate::IStr) -> Self {
                match &*text {
                    $($text => Self::$variant,)*
                    _ => Self::$other(text),
                }
            }
        }

        impl ::core::convert::From<&str> for $type {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)*
                    _ => Self::$other($crate::IStr::from(text)),
                }
            }
        }

        // Two of them are the same where their texts are.
        impl ::core::cmp::PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl ::core::cmp::Eq for $type {}

        impl ::core::hash::Hash for $type {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                self.as_str().hash(state);
            }
        }

        impl ::core::cmp::PartialEq<str> for $type {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl ::core::cmp::PartialEq<&str> for $type {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::described::Shaped for $type {
            const SHAPE: &'static $crate::described::Shape =
                &$crate::described::Shape::of($crate::described::Is::Text);
        }

        impl $crate::described::Projects<Self> for $type {}
        impl $crate::described::Projects<$crate::Shared<Self>> for $type {}

        impl $crate::json::Read for $type {
            fn read(
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<Self, $crate::json::ReadError> {
                <$crate::IStr as $crate::json::Read>::read(r).map(Self::from)
            }
        }

        impl $crate::json::Write for $type {
            fn write(&self, w: &mut $crate::json::Writer) {
                w.text(self.as_str());
            }

            fn is_default(&self) -> bool {
                self.as_str().is_empty()
            }
        }
    };
}
