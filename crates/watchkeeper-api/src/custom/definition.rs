//! Definitions that generated custom resources were made of: what makes them `CustomResource`s.

/// The kinds of one definition, and the structs in them. A line is a type, its version and its place in the
/// schema of that version; a kind is marked, with whether its version is the stored one.
#[cfg(feature = "apiextensions")]
#[macro_export]
#[doc(hidden)]
macro_rules! definition {
    ($text:ident $(kind $kind:path, $kind_version:literal, $storage:literal)*
        $(; $type:path, $version:literal, $pointer:literal)*) => {
        $(
            impl $crate::CustomResource for $kind {
                const STORAGE: bool = $storage;

                fn crd() -> $crate::apiextensions::v1::CustomResourceDefinition {
                    $crate::custom_resource::definition_of($text)
                }

                fn crd_version() -> $crate::apiextensions::v1::CustomResourceDefinitionVersion {
                    $crate::custom_resource::version_of($text, $kind_version)
                }
            }

            impl $crate::Described for $kind {
                const SHAPE: &'static $crate::described::Shape =
                    <$kind as $crate::described::Shaped>::SHAPE;

                fn schema() -> $crate::__derive::Schema {
                    $crate::custom_resource::schema_of($text, $kind_version, "")
                }
            }
        )*
        $(
            impl $crate::Described for $type {
                const SHAPE: &'static $crate::described::Shape =
                    <$type as $crate::described::Shaped>::SHAPE;

                fn schema() -> $crate::__derive::Schema {
                    $crate::custom_resource::schema_of($text, $version, $pointer)
                }
            }
        )*
    };
}

/// Without the types of definitions there is nothing to say.
#[cfg(not(feature = "apiextensions"))]
#[macro_export]
#[doc(hidden)]
macro_rules! definition {
    ($($table:tt)*) => {};
}
