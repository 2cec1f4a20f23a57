//! What a generated struct's table of members stands for.
//!
//! The generator writes data, these macros the code: a line of [`codec!`] is an index, a JSON name,
//! a rule, and the field.
//!
//! | rule | the member is |
//! |---|---|
//! | `req` | always written: a scalar that schemas may require |
//! | `opt` | left out when default |
//! | `unique` | as `opt`; its text hardly repeats in other objects, so it is not interned |
//! | `managed` | as `opt`; read only by decoders that keep managed fields |
//!
//! What follows the field are calls of [`Member`](crate::described::Member) that add to its schema.
//!
//! A struct that holds itself is marked `(recursive)`: its schema says no more than that.
//!
//! A top-level kind names its apiVersion after a colon; `apiVersion` and `kind` are its first two
//! members. Reading refuses another kind, unless `any` says that the type goes by several
//! apiVersions.

/// `Fields`, `Read`, `Write` and `Described` for a struct.
macro_rules! codec {
    (@impl $type:ident
        [$($head_index:literal $head_rule:ident $head:literal ($text:expr)),*]
        $($index:literal $json:literal $rule:ident $field:ident $(.$schema:ident($($arg:expr),*))*)*
    ) => {
        impl $crate::json::Fields for $type {
            fn set(
                &mut self,
                index: usize,
                r: &mut $crate::json::Reader<'_>,
            ) -> Result<(), $crate::json::ReadError> {
                match index {
                    $($head_index => $crate::codec::type_meta!($head_rule r $text),)*
                    $($index => $crate::codec::member!($rule r self $field),)*
                    _ => r.skip(),
                }
            }
        }

        $crate::json::struct_codec!($type, $crate::json::names![$($head,)* $($json,)*]);

        impl $crate::json::Write for $type {
            fn write(&self, w: &mut $crate::json::Writer) {
                w.open();
                $(w.text_field(concat!("\"", $head, "\":"), $text);)*
                $($crate::codec::write!($rule w $json self $field);)*
                w.close();
            }

            fn is_default(&self) -> bool {
                true $(&& $crate::json::Write::is_default(&self.$field))*
            }
        }
    };

    (@described $type:ident [$($head:literal)*]
        $($index:literal $json:literal $rule:ident $field:ident $(.$schema:ident($($arg:expr),*))*)*
    ) => {
        impl $crate::Described for $type {
            // Few programs ask for it: the code is made where it is used.
            #[inline]
            fn schema() -> ::watchkeeper_schema::Schema {
                $crate::described::Members::new()
                    $(.text($head))*
                    $(.add(
                        $json,
                        |value: &Self| &value.$field,
                        |member| member.optional()$(.$schema($($arg),*))*,
                    ))*
                    .schema()
            }
        }
    };

    ($type:ident: any $api_version:literal $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type
            [0 skip "apiVersion" ($api_version), 1 skip "kind" (stringify!($type))]
            $($rest)*
        }
        $crate::codec::codec! { @described $type ["apiVersion" "kind"] $($rest)* }
    };

    ($type:ident: $api_version:literal $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type
            [0 expect "apiVersion" ($api_version), 1 expect "kind" (stringify!($type))]
            $($rest)*
        }
        $crate::codec::codec! { @described $type ["apiVersion" "kind"] $($rest)* }
    };

    ($type:ident (recursive) $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type [] $($rest)* }

        impl $crate::Described for $type {
            fn schema() -> ::watchkeeper_schema::Schema {
                ::watchkeeper_schema::Schema::any_object()
            }
        }
    };

    ($type:ident $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type [] $($rest)* }
        $crate::codec::codec! { @described $type [] $($rest)* }
    };
}

macro_rules! member {
    (unique $r:ident $self:ident $field:ident) => {{
        $self.$field = $r.unique()?;
        Ok(())
    }};
    (managed $r:ident $self:ident $field:ident) => {
        $r.managed_fields(&mut $self.$field)
    };
    ($rule:ident $r:ident $self:ident $field:ident) => {
        $crate::json::Read::read_into(&mut $self.$field, $r)
    };
}

macro_rules! write {
    (req $w:ident $json:literal $self:ident $field:ident) => {
        $w.field(concat!("\"", $json, "\":"), &$self.$field)
    };
    ($rule:ident $w:ident $json:literal $self:ident $field:ident) => {
        $w.opt(concat!("\"", $json, "\":"), &$self.$field)
    };
}

macro_rules! type_meta {
    (expect $r:ident $expected:expr) => {
        $r.expect_text($expected)
    };
    (skip $r:ident $expected:expr) => {
        $r.skip()
    };
}

/// The traits of an object kind: `Object`, `StaticKind`, `Writable`, `HasMeta`, and `HasStatus`
/// where the type of the status is given.
macro_rules! kind {
    ($type:ident $group:literal $version:literal $plural:literal $scope:ident
        $(, $status:ident)?
    ) => {
        impl $type {
            /// The kind of all such objects.
            pub const KIND: $crate::Kind = $crate::Kind::new(
                $group,
                $version,
                stringify!($type),
                $plural,
                $crate::Scope::$scope,
            );
        }

        $crate::impl_object!($type, <$type>::KIND $(, status = $status)?);
    };
}

pub(crate) use {codec, kind, member, type_meta, write};
