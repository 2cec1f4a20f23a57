//! Setters by value, for those who build objects call by call: `ServicePort::default().with_port(80)`.

/// A `with_…` method for each field of a struct: a line is the method, the field and its type.
///
/// Generated code calls it: for the built-in types behind the feature `builders`, for custom resources
/// where the generator was asked to. Any value that [`Fill`](crate::build::Fill)s the field will do.
#[macro_export]
#[doc(hidden)]
macro_rules! setters {
    ($($type:ident { $($with:ident $field:ident: $ty:ty,)* })*) => { $(
        impl $type {
            $(
                #[doc = ::core::concat!("The same with this `", ::core::stringify!($field), "`.")]
                #[inline]
                #[must_use]
                pub fn $with(mut self, value: impl $crate::build::Fill<$ty>) -> Self {
                    $crate::build::Fill::fill(value, &mut self.$field);
                    self
                }
            )*
        }
    )* };
}
