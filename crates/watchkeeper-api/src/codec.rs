//! What a generated struct's table of members stands for.
//!
//! The generator writes data, these macros the code: a line of [`codec!`] is an index, a JSON name,
//! the numbers in protobuf, a rule, and the field.
//!
//! | rule | the member is |
//! |---|---|
//! | `req` | always written: a scalar that schemas may require |
//! | `opt` | left out when default |
//! | `unique` | as `opt`; its text hardly repeats in other objects, so it is not interned |
//! | `own` | as `unique`, but always written, as `req` |
//! | `managed` | as `opt`; read only by decoders that keep managed fields |
//! | `same` | as `opt`; its text is often that of another object's, whose value is then cloned |
//! | `each` | as `opt`; a list whose elements are shared one by one |
//!
//! The numbers are those of the embedded structs around the member and its own, as in `[2 1]`;
//! behind a semicolon stands what is special there:
//!
//! | word | the member is |
//! |---|---|
//! | `time` | a time by value: written even when absent |
//! | `wrap` | a list, or a map of lists, each in a message of its own |
//! | `or_bool`, `or_array`, `or_strings` | a union with a JSON schema |
//!
//! A struct that has no protobuf is marked `(json)`.
//!
//! What follows the field are calls of [`Member`](crate::described::Member) that add to its schema.
//!
//! Behind `=>` stand the members that protobuf has as they are written, the last number first, each with its
//! number: `[4 args]`, with a word as above where there is one; those of an embedded struct in parentheses behind
//! its number: `(1 [2 path] [1 port])`. A macro cannot sort.
//!
//! A struct that holds itself is marked `(recursive)`: its schema says no more than that.
//!
//! A top-level kind names its apiVersion after a colon; `apiVersion` and `kind` are its first two
//! members. Reading refuses another kind, unless `any` says that the type goes by several
//! apiVersions.

/// `Fields`, `Read`, `Write`, `Debug` and `Described` for a struct.
macro_rules! codec {
    (@impl $type:ident $pb:tt
        [$($head_index:literal $head_rule:ident $head:literal ($text:expr)),*]
        $($index:literal $json:literal [$($numbers:tt)*] $rule:ident $field:ident
            $(.$schema:ident($($arg:expr),*))*)*
        $(=> $($put:tt)*)?
    ) => {
        const _: () = {
            static NAMES: &$crate::json::Names = $crate::names![$($head,)* $($json),*];

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

            $crate::json::struct_codec!($type, NAMES);

            $crate::codec::message! { $type $pb [$($head_rule ($text))*]
                $($index [$($numbers)*] $rule $field)*
                $(=> $($put)*)?
            }

            impl $crate::json::Write for $type {
                fn write(&self, w: &mut $crate::json::Writer) {
                    w.open();
                    $(
                        w.known_key(NAMES, $head_index);
                        w.text($text);
                    )*
                    $($crate::codec::write! { $rule w NAMES $index self $field })*
                    w.close();
                }

                fn is_default(&self) -> bool {
                    true $(&& $crate::json::Write::is_default(&self.$field))*
                }
            }
        };

        impl ::std::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::show::debug(stringify!($type), self, f)
            }
        }
    };

    (@described $type:ident [$($head_rule:ident $api_version:literal)?]
        $($index:literal $json:literal $numbers:tt $rule:ident $field:ident
            $(.$schema:ident($($arg:expr),*))*)*
        $(=> $($put:tt)*)?
    ) => {
        impl $crate::Described for $type {
            $crate::codec::shape! { $type [$($head_rule ($api_version))?]
                $($json $numbers $rule $field)*
            }

            // Few programs ask for it: the code is made where it is used.
            #[inline]
            fn schema() -> ::watchkeeper_schema::Schema {
                $crate::codec::members!($($head_rule)?)
                    $(.add(
                        $json,
                        |value: &Self| &value.$field,
                        |member| member.optional()$(.$schema($($arg),*))*,
                    ))*
                    .schema()
            }
        }

        impl $crate::described::Projects<Self> for $type {}
        impl $crate::described::Projects<$crate::Shared<Self>> for $type {}
    };

    (@recursive $type:ident
        $($index:literal $json:literal $numbers:tt $rule:ident $field:ident
            $(.$schema:ident($($arg:expr),*))*)*
        $(=> $($put:tt)*)?
    ) => {
        impl $crate::Described for $type {
            $crate::codec::shape! { $type [] $($json $numbers $rule $field)* }

            fn schema() -> ::watchkeeper_schema::Schema {
                ::watchkeeper_schema::Schema::any_object()
            }
        }

        impl $crate::described::Projects<Self> for $type {}
        impl $crate::described::Projects<$crate::Shared<Self>> for $type {}
    };

    ($type:ident (json): any $api_version:literal $($rest:tt)*) => {
        $crate::codec::codec! { @any $type json $api_version $($rest)* }
    };

    ($type:ident: any $api_version:literal $($rest:tt)*) => {
        $crate::codec::codec! { @any $type pb $api_version $($rest)* }
    };

    (@any $type:ident $pb:tt $api_version:literal $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type $pb
            [0 skip "apiVersion" ($api_version), 1 skip "kind" (stringify!($type))]
            $($rest)*
        }
        $crate::codec::codec! { @described $type [skip $api_version] $($rest)* }
    };

    ($type:ident: $api_version:literal $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type pb
            [0 expect "apiVersion" ($api_version), 1 expect "kind" (stringify!($type))]
            $($rest)*
        }
        $crate::codec::codec! { @described $type [expect $api_version] $($rest)* }
    };

    ($type:ident (recursive) $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type pb [] $($rest)* }
        $crate::codec::codec! { @recursive $type $($rest)* }
    };

    ($type:ident (json) $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type json [] $($rest)* }
        $crate::codec::codec! { @described $type [] $($rest)* }
    };

    ($type:ident $($rest:tt)*) => {
        $crate::codec::codec! { @impl $type pb [] $($rest)* }
        $crate::codec::codec! { @described $type [] $($rest)* }
    };
}

/// `Message` and `Field` for a struct, where a static `NAMES` is its table of names.
macro_rules! message {
    ($type:ident json $($rest:tt)*) => {};
    ($type:ident pb [$($named:tt)*]
        $($index:literal [$($number:literal)* $(; $special:ident)?] $rule:ident $field:ident)*
        => $($put:tt)*
    ) => {
        impl $crate::pb::Message for $type {
            fn members(&self) -> &'static $crate::pb::Members {
                static MEMBERS: $crate::pb::Members = $crate::pb::Members::new(
                    NAMES,
                    &$crate::pb::Member::sorted([$(
                        $crate::pb::Member::new(
                            &[$($number),*],
                            $index,
                            $crate::codec::rule!($rule $($special)?),
                        )
                    ),*]),
                    $crate::codec::named!($type $($named)*),
                );
                &MEMBERS
            }

            fn merge_member(
                &mut self,
                r: &mut $crate::pb::Reader<'_>,
                tag: $crate::pb::Tag,
                rule: $crate::pb::Rule,
                index: usize,
            ) -> Result<(), $crate::pb::ReadError> {
                match index {
                    $($index => $crate::codec::merge!($rule r self $field tag rule),)*
                    _ => {
                        let _ = rule;
                        r.skip(tag)
                    }
                }
            }

            fn put_members(&self, w: &mut $crate::pb::Writer) {
                let _ = &w;
                $($crate::codec::put! { w self $put })*
            }
        }

        impl $crate::pb::Field for $type {
            fn merge(
                &mut self,
                r: &mut $crate::pb::Reader<'_>,
                tag: $crate::pb::Tag,
                _: $crate::pb::Rule,
            ) -> Result<(), $crate::pb::ReadError> {
                r.nested(tag, self)
            }

            fn put(&self, w: &mut $crate::pb::Writer, number: u32, _: $crate::pb::Rule) {
                w.nested(number, self);
            }
        }
    };
}

/// Writes a member, or those of an embedded struct.
macro_rules! put {
    ($w:ident $self:ident [$number:literal $field:ident $(; $special:ident)?]) => {
        $crate::pb::Field::put(
            &$self.$field,
            $w,
            $number,
            $crate::codec::rule!(opt $($special)?),
        );
    };
    ($w:ident $self:ident ($number:literal $($put:tt)*)) => {
        let mark = $w.len();
        $($crate::codec::put! { $w $self $put })*
        $w.close($number, mark);
    };
}

/// The schema of a struct before its members are added.
macro_rules! members {
    () => {
        $crate::described::Members::new()
    };
    ($head_rule:ident) => {
        $crate::described::Members::new().head()
    };
}

/// `SHAPE` of a struct: its members by both names and their numbers.
macro_rules! shape {
    ($type:ident [$($head_rule:ident ($api_version:literal))?]
        $($json:literal [$($number:literal)* $(; $special:ident)?] $rule:ident $field:ident)*
    ) => {
        const SHAPE: &'static $crate::described::Shape = &$crate::described::Shape::structure(
            &[$($crate::described::Known {
                field: stringify!($field),
                json: $json,
                numbers: &[$($number),*],
                rule: $crate::codec::rule!($rule $($special)?),
                required: false,
                shape: &$crate::described::Shape::ANY,
            }),*],
            $crate::codec::named!($type $(
                $head_rule ($api_version) $head_rule (stringify!($type))
            )?),
        );
    };
}

macro_rules! rule {
    (unique) => {
        $crate::pb::Rule::Unique
    };
    (own) => {
        $crate::pb::Rule::Unique
    };
    (managed) => {
        $crate::pb::Rule::Managed
    };
    ($rule:ident) => {
        $crate::pb::Rule::Plain
    };
    ($rule:ident time) => {
        $crate::pb::Rule::Value
    };
    ($rule:ident wrap) => {
        $crate::pb::Rule::Wrapped
    };
    ($rule:ident or_bool) => {
        $crate::pb::Rule::SchemaOrBool
    };
    ($rule:ident or_array) => {
        $crate::pb::Rule::SchemaOrArray
    };
    ($rule:ident or_strings) => {
        $crate::pb::Rule::SchemaOrStrings
    };
}

macro_rules! named {
    ($type:ident) => {
        None
    };
    ($type:ident expect ($api_version:expr) expect ($kind:expr)) => {
        Some($crate::pb::Named { api_version: $api_version, kind: $kind, any_version: false })
    };
    ($type:ident skip ($api_version:expr) skip ($kind:expr)) => {
        Some($crate::pb::Named { api_version: $api_version, kind: $kind, any_version: true })
    };
}

macro_rules! member {
    (unique $r:ident $self:ident $field:ident) => {{
        $self.$field = $r.unique()?;
        Ok(())
    }};
    (own $r:ident $self:ident $field:ident) => {
        $crate::codec::member!(unique $r $self $field)
    };
    (managed $r:ident $self:ident $field:ident) => {
        $r.managed_fields(&mut $self.$field)
    };
    (same $r:ident $self:ident $field:ident) => {
        $r.same(&mut $self.$field)
    };
    (each $r:ident $self:ident $field:ident) => {
        $r.each(&mut $self.$field)
    };
    ($rule:ident $r:ident $self:ident $field:ident) => {
        $crate::json::Read::read_into(&mut $self.$field, $r)
    };
}

macro_rules! merge {
    (same $r:ident $self:ident $field:ident $tag:ident $number_rule:ident) => {
        $r.same(&mut $self.$field, $tag, $number_rule)
    };
    (each $r:ident $self:ident $field:ident $tag:ident $number_rule:ident) => {
        $r.each(&mut $self.$field, $tag, $number_rule)
    };
    ($rule:ident $r:ident $self:ident $field:ident $tag:ident $number_rule:ident) => {
        $crate::pb::Field::merge(&mut $self.$field, $r, $tag, $number_rule)
    };
}

macro_rules! write {
    (req $w:ident $names:ident $index:literal $self:ident $field:ident) => {
        if $w.keeps_defaults() || !$crate::json::Write::is_default(&$self.$field) {
            $w.known_key($names, $index);
            $crate::json::Write::write(&$self.$field, $w);
        }
    };
    (own $w:ident $names:ident $index:literal $self:ident $field:ident) => {
        $crate::codec::write!(req $w $names $index $self $field)
    };
    ($rule:ident $w:ident $names:ident $index:literal $self:ident $field:ident) => {
        if !$crate::json::Write::is_default(&$self.$field) {
            $w.known_key($names, $index);
            $crate::json::Write::write(&$self.$field, $w);
        }
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

/// The traits of an object kind: `Display`, `Object`, `StaticKind`, `Writable`, `HasMeta`, and `HasStatus`
/// where the type of the status is given.
macro_rules! kind {
    ($type:ident $group:literal $version:literal $plural:literal $scope:ident
        $(, $status:ty)?
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

        /// The kind, and namespace and name.
        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{} {}", stringify!($type), $crate::Object::key(self))
            }
        }

        $crate::impl_object!($type, <$type>::KIND $(, status = $status)?; protobuf);
    };
}

pub(crate) use {
    codec, kind, member, members, merge, message, named, put, rule, shape, type_meta, write,
};
