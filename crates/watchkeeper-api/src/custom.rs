//! What a generated custom resource's table of members stands for.
//!
//! `watchkeeper-codegen` writes data into its user's tree, [`custom!`](crate::custom!) makes the code:
//! a line is an index, a JSON name, a rule and the field. The rules are `req`, always written, and
//! `opt`, left out when default.
//!
//! A struct whose schema keeps members that it does not name holds them in a map of raw values,
//! named behind `rest`.

mod choice;
mod definition;

/// The codec of a generated struct, and the traits of an object where its kind is named.
#[macro_export]
#[doc(hidden)]
macro_rules! custom {
    (
        $type:ident: $api_version:literal $kind:literal
            ($group:literal $version:literal $plural:literal $scope:ident $(, $status:ty)?)
        $($index:literal $json:literal $rule:ident $field:ident)*
        $(; rest $rest:ident)?
    ) => {
        impl $type {
            /// The kind of all such objects.
            pub const KIND: $crate::Kind =
                $crate::Kind::new($group, $version, $kind, $plural, $crate::Scope::$scope);
        }

        $crate::impl_object!($type, <$type>::KIND $(, status = $status)?);

        $crate::custom! { @codec $type
            [0 "apiVersion" ($api_version), 1 "kind" ($kind)]
            [$($index $json $rule $field)*]
            $($rest)?
        }
    };

    (@codec $type:ident
        [$($head_index:literal $head:literal ($text:literal)),*]
        [$($index:literal $json:literal $rule:ident $field:ident)*]
        $($rest:ident)?
    ) => {
        impl $crate::json::Fields for $type {
            fn set(
                &mut self,
                index: usize,
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<(), $crate::json::ReadError> {
                match index {
                    $($head_index => r.expect_text($text),)*
                    $($index => $crate::json::Read::read_into(&mut self.$field, r),)*
                    _ => r.skip(),
                }
            }
        }

        $crate::custom! { @read $type [$($head,)* $($json,)*] $($rest)? }

        impl $crate::described::Shaped for $type {
            const SHAPE: &'static $crate::described::Shape = &$crate::described::Shape::structure(
                &[$($crate::described::Known {
                    field: ::core::stringify!($field),
                    json: $json,
                    numbers: &[],
                    rule: $crate::pb::Rule::Plain,
                    required: false,
                    shape: &$crate::described::Shape::ANY,
                }),*],
                $crate::custom!(@named $($text)*),
            )
            // What the schema says of it is known where it is read.
            .with_atomic(true)
            .with_others($crate::custom!(@others $($rest)?));
        }

        impl $crate::described::Projects<Self> for $type {}
        impl $crate::described::Projects<$crate::Shared<Self>> for $type {}

        impl $crate::json::Write for $type {
            fn write(&self, w: &mut $crate::json::Writer) {
                w.open();
                $(w.text_field(::core::concat!("\"", $head, "\":"), $text);)*
                $($crate::custom!(@write $rule w $json self $field);)*
                $($crate::custom!(@rest w self $rest);)?
                w.close();
            }

            fn is_default(&self) -> bool {
                true $(&& $crate::json::Write::is_default(&self.$field))*
                    $(&& $crate::json::Write::is_default(&self.$rest))?
            }
        }
    };

    (@read $type:ident [$($name:literal,)*]) => {
        $crate::struct_codec!($type, $crate::names![$($name),*]);
    };

    (@read $type:ident [$($name:literal,)*] $rest:ident) => {
        impl $crate::json::Read for $type {
            fn read(
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<Self, $crate::json::ReadError> {
                let mut value = <Self as ::core::default::Default>::default();
                $crate::json::Read::read_into(&mut value, r)?;
                ::core::result::Result::Ok(value)
            }

            fn read_into(
                &mut self,
                r: &mut $crate::json::Reader<'_>,
            ) -> ::core::result::Result<(), $crate::json::ReadError> {
                const NAMES: &[&str] = &[$($name),*];
                let mut rest: ::std::vec::Vec<($crate::IStr, $crate::Raw)> =
                    ::core::mem::take(&mut self.$rest).into_iter().collect();
                r.members(&mut |r, name| {
                    match NAMES.iter().position(|known| *known == name) {
                        ::core::option::Option::Some(index) => {
                            $crate::json::Fields::set(self, index, r)
                        }
                        ::core::option::Option::None => {
                            let value = <$crate::Raw as $crate::json::Read>::read(r)?;
                            rest.push(($crate::IStr::new(name), value));
                            ::core::result::Result::Ok(())
                        }
                    }
                })?;
                self.$rest = rest.into_iter().collect();
                ::core::result::Result::Ok(())
            }
        }
    };

    (@others) => {
        false
    };

    (@others $rest:ident) => {
        true
    };

    (@named) => {
        ::core::option::Option::None
    };

    (@named $api_version:literal $kind:literal) => {
        ::core::option::Option::Some($crate::pb::Named {
            api_version: $api_version,
            kind: $kind,
            any_version: false,
        })
    };

    (@write req $w:ident $json:literal $self:ident $field:ident) => {
        $w.field(::core::concat!("\"", $json, "\":"), &$self.$field)
    };

    (@write opt $w:ident $json:literal $self:ident $field:ident) => {
        $w.opt(::core::concat!("\"", $json, "\":"), &$self.$field)
    };

    (@rest $w:ident $self:ident $rest:ident) => {
        for (name, value) in &$self.$rest {
            $w.raw_field(name, if value.is_empty() { "null" } else { value.as_str() });
        }
    };

    ($type:ident
        $($index:literal $json:literal $rule:ident $field:ident)*
        $(; rest $rest:ident)?
    ) => {
        $crate::custom! { @codec $type [] [$($index $json $rule $field)*] $($rest)? }
    };
}
