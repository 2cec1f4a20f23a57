//! The one place that says how a whole type with our metadata is an object, and what stands in
//! while it is none.

/// Implements [`Object`](crate::Object), `StaticKind`, `Writable` and `HasMeta` for a struct with a
/// field `metadata: ObjectMeta`, and `HasStatus` when the type of its field `status` is given.
///
/// Used by generated code and by `#[derive(Object)]`:
/// `impl_object!(Deployment, Kind::new("apps", "v1", "Deployment", "deployments",
/// Scope::Namespaced), status = DeploymentStatus);`
///
/// `; protobuf` behind that says that the struct is a [`Message`](crate::pb::Message).
#[macro_export]
#[doc(hidden)]
macro_rules! impl_object {
    ($type:ty, $kind:expr, status = $status:ty $(; $protobuf:ident)?) => {
        $crate::impl_object!($type, $kind $(; $protobuf)?);

        impl $crate::HasStatus for $type {
            type Status = $status;
            fn status(&self) -> &$status {
                &self.status
            }
            fn status_mut(&mut self) -> &mut $status {
                &mut self.status
            }
        }
    };
    (@read protobuf) => {
        const PROTOBUF: bool = true;

        fn read_protobuf(
            r: &mut $crate::pb::Reader<'_>,
        ) -> ::core::result::Result<Self, $crate::pb::ReadError> {
            let mut value = <Self as ::core::default::Default>::default();
            r.message(&mut value)?;
            ::core::result::Result::Ok(value)
        }
    };
    (@write protobuf) => {
        fn as_message(&self) -> ::core::option::Option<&dyn $crate::pb::Message> {
            ::core::option::Option::Some(self)
        }
    };
    (@read like $whole:ty) => {
        const PROTOBUF: bool = <$whole as $crate::Object>::PROTOBUF;

        fn read_protobuf(
            r: &mut $crate::pb::Reader<'_>,
        ) -> ::core::result::Result<Self, $crate::pb::ReadError> {
            let mut value = <Self as ::core::default::Default>::default();
            r.message(&mut value)?;
            ::core::result::Result::Ok(value)
        }
    };
    (@view $type:ty $(; $($protobuf:tt)+)?) => {
        impl $crate::Object for $type {
            $($crate::impl_object!(@read $($protobuf)+);)?

            fn kind(&self) -> &$crate::Kind {
                <Self as $crate::StaticKind>::static_kind()
            }
            fn name(&self) -> &str {
                &self.metadata.name
            }
            fn namespace(&self) -> ::core::option::Option<&str> {
                self.metadata.namespace()
            }
            fn key(&self) -> $crate::ObjectKey {
                self.metadata.key()
            }
            fn uid(&self) -> &str {
                &self.metadata.uid
            }
            fn resource_version(&self) -> &str {
                &self.metadata.resource_version
            }
            fn generation(&self) -> i64 {
                self.metadata.generation
            }
            fn labels(&self) -> impl ::core::iter::Iterator<Item = (&str, &str)> {
                self.metadata.label_pairs()
            }
            fn annotations(&self) -> impl ::core::iter::Iterator<Item = (&str, &str)> {
                self.metadata.annotation_pairs()
            }
            fn label(&self, key: &str) -> ::core::option::Option<&str> {
                self.metadata.label(key)
            }
            fn annotation(&self, key: &str) -> ::core::option::Option<&str> {
                self.metadata.annotation(key)
            }
            fn owners(&self) -> impl ::core::iter::Iterator<Item = $crate::Owner<'_>> {
                self.metadata.owners()
            }
            fn finalizers(&self) -> impl ::core::iter::Iterator<Item = &str> {
                self.metadata.finalizer_names()
            }
            fn deletion_timestamp(&self) -> ::core::option::Option<$crate::Time> {
                self.metadata.deletion_timestamp
            }
            fn creation_timestamp(&self) -> ::core::option::Option<$crate::Time> {
                self.metadata.creation_timestamp
            }
        }
    };
    ($type:ty, $kind:expr $(; $protobuf:ident)?) => {
        $crate::impl_object!(@view $type $(; $protobuf)?);

        impl $crate::StaticKind for $type {
            fn static_kind() -> &'static $crate::Kind {
                static KIND: $crate::Kind = $kind;
                &KIND
            }
        }

        impl $crate::Writable for $type {
            $($crate::impl_object!(@write $protobuf);)?
        }

        impl $crate::HasMeta for $type {
            fn metadata(&self) -> &$crate::meta::v1::ObjectMeta {
                &self.metadata
            }
            fn metadata_mut(&mut self) -> &mut $crate::meta::v1::ObjectMeta {
                &mut self.metadata
            }
        }
    };
}

/// Implements [`Object`](crate::Object) and `StaticKind` for a projection: a struct with a field
/// `metadata: ObjectMeta` that stands for a part of `whole`, and can be read only.
///
/// `impl_projection!(MyPod, Pod)`, and `; json` behind that where it cannot be read from protobuf.
#[macro_export]
#[doc(hidden)]
macro_rules! impl_projection {
    (@kind $type:ty, $whole:ty) => {
        impl $crate::StaticKind for $type {
            fn static_kind() -> &'static $crate::Kind {
                <$whole as $crate::StaticKind>::static_kind()
            }
        }
    };
    ($type:ty, $whole:ty) => {
        $crate::impl_object!(@view $type; like $whole);
        $crate::impl_projection!(@kind $type, $whole);
    };
    ($type:ty, $whole:ty; json) => {
        $crate::impl_object!(@view $type);
        $crate::impl_projection!(@kind $type, $whole);
    };
}

/// Implements what [`impl_object!`](crate::impl_object) does for a type whose derive failed, without
/// asking for fields: it only keeps the compiler from telling what follows from that failure.
#[macro_export]
#[doc(hidden)]
macro_rules! stub_object {
    ($type:ty, status = $status:ty) => {
        $crate::stub_object!($type);

        impl $crate::HasStatus for $type {
            type Status = $status;
            fn status(&self) -> &$status {
                ::core::unreachable!()
            }
            fn status_mut(&mut self) -> &mut $status {
                ::core::unreachable!()
            }
        }
    };
    ($type:ty) => {
        impl $crate::Object for $type {
            fn kind(&self) -> &$crate::Kind {
                ::core::unreachable!()
            }
            fn name(&self) -> &str {
                ::core::unreachable!()
            }
            fn namespace(&self) -> ::core::option::Option<&str> {
                ::core::unreachable!()
            }
            fn uid(&self) -> &str {
                ::core::unreachable!()
            }
            fn resource_version(&self) -> &str {
                ::core::unreachable!()
            }
            fn generation(&self) -> i64 {
                ::core::unreachable!()
            }
            fn labels(&self) -> impl ::core::iter::Iterator<Item = (&str, &str)> {
                ::core::iter::empty()
            }
            fn annotations(&self) -> impl ::core::iter::Iterator<Item = (&str, &str)> {
                ::core::iter::empty()
            }
            fn owners(&self) -> impl ::core::iter::Iterator<Item = $crate::Owner<'_>> {
                ::core::iter::empty()
            }
            fn finalizers(&self) -> impl ::core::iter::Iterator<Item = &str> {
                ::core::iter::empty()
            }
            fn deletion_timestamp(&self) -> ::core::option::Option<$crate::Time> {
                ::core::unreachable!()
            }
            fn creation_timestamp(&self) -> ::core::option::Option<$crate::Time> {
                ::core::unreachable!()
            }
        }

        impl $crate::StaticKind for $type {
            fn static_kind() -> &'static $crate::Kind {
                ::core::unreachable!()
            }
        }

        impl $crate::Writable for $type {}

        impl $crate::HasMeta for $type {
            fn metadata(&self) -> &$crate::meta::v1::ObjectMeta {
                ::core::unreachable!()
            }
            fn metadata_mut(&mut self) -> &mut $crate::meta::v1::ObjectMeta {
                ::core::unreachable!()
            }
        }
    };
}
