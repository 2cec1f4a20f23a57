//! The one place that says how a type of kube is an object of ours.

/// Implements `Read`, `Write`, `Object` and `Writable`; `StaticKind` is the caller's.
///
/// `|this| …` leads to kube's value, `|value| …` makes the object of one.
#[macro_export]
#[doc(hidden)]
macro_rules! __object {
    ([$($generics:tt)*] $type:ty, |$this:ident| $inner:expr, |$value:ident| $outer:expr) => {
        impl<$($generics)*> $crate::__private::Read for $type {
            fn read(
                r: &mut $crate::__private::Reader<'_>,
            ) -> ::core::result::Result<Self, $crate::__private::ReadError> {
                let kind = <Self as $crate::__private::StaticKind>::static_kind();
                let $value = $crate::__private::read_object(r, kind)?;
                ::core::result::Result::Ok($outer)
            }
        }

        impl<$($generics)*> $crate::__private::Write for $type {
            fn write(&self, w: &mut $crate::__private::Writer) {
                let $this = self;
                $crate::__private::write($inner, w);
            }
            fn is_default(&self) -> bool {
                false
            }
        }

        impl<$($generics)*> $crate::__private::Object for $type {
            fn kind(&self) -> &$crate::__private::Kind {
                <Self as $crate::__private::StaticKind>::static_kind()
            }
            fn name(&self) -> &str {
                let $this = self;
                $crate::__private::text($crate::__private::meta($inner).name.as_ref())
            }
            fn namespace(&self) -> ::core::option::Option<&str> {
                let $this = self;
                $crate::__private::namespace($crate::__private::meta($inner))
            }
            fn uid(&self) -> &str {
                let $this = self;
                $crate::__private::text($crate::__private::meta($inner).uid.as_ref())
            }
            fn resource_version(&self) -> &str {
                let $this = self;
                $crate::__private::text($crate::__private::meta($inner).resource_version.as_ref())
            }
            fn generation(&self) -> i64 {
                let $this = self;
                $crate::__private::meta($inner).generation.unwrap_or_default()
            }
            fn labels(&self) -> impl ::core::iter::Iterator<Item = (&str, &str)> {
                let $this = self;
                $crate::__private::pairs($crate::__private::meta($inner).labels.as_ref())
            }
            fn annotations(&self) -> impl ::core::iter::Iterator<Item = (&str, &str)> {
                let $this = self;
                $crate::__private::pairs($crate::__private::meta($inner).annotations.as_ref())
            }
            fn label(&self, key: &str) -> ::core::option::Option<&str> {
                let $this = self;
                let labels = $crate::__private::meta($inner).labels.as_ref()?;
                labels.get(key).map(::std::string::String::as_str)
            }
            fn annotation(&self, key: &str) -> ::core::option::Option<&str> {
                let $this = self;
                let annotations = $crate::__private::meta($inner).annotations.as_ref()?;
                annotations.get(key).map(::std::string::String::as_str)
            }
            fn owners(
                &self,
            ) -> impl ::core::iter::Iterator<Item = $crate::__private::Owner<'_>> {
                let $this = self;
                $crate::__private::owners($crate::__private::meta($inner))
            }
            fn finalizers(&self) -> impl ::core::iter::Iterator<Item = &str> {
                let $this = self;
                $crate::__private::finalizers($crate::__private::meta($inner))
            }
            fn deletion_timestamp(
                &self,
            ) -> ::core::option::Option<$crate::__private::Time> {
                let $this = self;
                $crate::__private::time($crate::__private::meta($inner).deletion_timestamp.as_ref())
            }
            fn creation_timestamp(
                &self,
            ) -> ::core::option::Option<$crate::__private::Time> {
                let $this = self;
                $crate::__private::time($crate::__private::meta($inner).creation_timestamp.as_ref())
            }
        }

        impl<$($generics)*> $crate::__private::Writable for $type {}
    };
}

/// What `#[derive(watchkeeper_kube::Object)]` makes of a struct of `kube::CustomResource`: all of
/// the above, `StaticKind` and `CustomResource`, and `HasStatus` where it has a status.
#[macro_export]
#[doc(hidden)]
macro_rules! __derived {
    ($type:ty $(, status = $status:ty)?) => {
        $crate::__object!([] $type, |this| this, |value| value);

        impl $crate::__private::StaticKind for $type {
            fn static_kind() -> &'static $crate::__private::Kind {
                static KIND: ::std::sync::OnceLock<$crate::__private::Kind> =
                    ::std::sync::OnceLock::new();
                KIND.get_or_init($crate::__private::named::<Self>)
            }
        }

        impl $crate::__private::CustomResource for $type {
            fn crd() -> $crate::__private::CustomResourceDefinition {
                $crate::__private::definition::<Self>()
            }
        }

        $(impl $crate::__private::HasStatus for $type {
            type Status = $crate::Serde<$status>;
            fn status(&self) -> &Self::Status {
                $crate::Serde::of(&self.status)
            }
            fn status_mut(&mut self) -> &mut Self::Status {
                $crate::Serde::of_mut(&mut self.status)
            }
        })?
    };
}

/// `Deref`, `Debug` and the like of a wrapper.
macro_rules! wrapper {
    ($wrapper:ident<K: $bound:ident>) => {
        impl<K> From<K> for $wrapper<K> {
            fn from(object: K) -> Self {
                Self(object)
            }
        }

        impl<K> Deref for $wrapper<K> {
            type Target = K;

            fn deref(&self) -> &K {
                &self.0
            }
        }

        impl<K> DerefMut for $wrapper<K> {
            fn deref_mut(&mut self) -> &mut K {
                &mut self.0
            }
        }

        /// As of the lean types: without secrets, and without what it does not say.
        impl<K: $bound> fmt::Debug for $wrapper<K> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let kind = <Self as StaticKind>::static_kind();
                watchkeeper_api::show::debug(&kind.kind, self, f)
            }
        }

        /// The kind, and namespace and name.
        impl<K: $bound> fmt::Display for $wrapper<K> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", self.kind().kind, self.key())
            }
        }
    };
}

pub(crate) use wrapper;
