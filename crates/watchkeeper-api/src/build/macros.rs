//! The macros. They walk the fields one by one and leave all decisions to the traits.

/// Builds an object, or any struct of the API, the way its manifest reads.
///
/// - Braces reach into structs by value, optional and shared ones; brackets make lists.
/// - `"key": value` makes an entry of a map; `[expression]: value` one with a computed key.
/// - Everything else is an expression that [`Fill`](crate::build::Fill)s the field: what the field
///   holds, or something close to it (a `&str` for a text, an `i32` for an `Option<i32>`).
/// - Fields that are not named keep their defaults.
///
/// ```
/// # use watchkeeper_api::json::{self, Fields, ReadError, Reader};
/// # use watchkeeper_api::{IStr, List, Map, object};
/// # #[derive(Clone, Debug, Default, PartialEq)]
/// # struct Deployment { metadata: ObjectMeta, spec: Spec }
/// # #[derive(Clone, Debug, Default, PartialEq)]
/// # struct ObjectMeta { name: IStr, labels: Map }
/// # #[derive(Clone, Debug, Default, PartialEq)]
/// # struct Spec { replicas: Option<i32>, containers: List<Container> }
/// # #[derive(Clone, Debug, Default, PartialEq)]
/// # struct Container { name: IStr, args: List<IStr> }
/// # macro_rules! fields { ($($name:ty),*) => { $( impl Fields for $name {
/// #     fn set(&mut self, _: usize, r: &mut Reader<'_>) -> Result<(), ReadError> { r.skip() }
/// # } )* } }
/// # fields!(Deployment, ObjectMeta, Spec, Container);
/// let name = String::from("web");
/// let deployment = object!(Deployment {
///     metadata: { name: &name, labels: { "app": &name } },
///     spec: {
///         replicas: 2,
///         containers: [{ name: "nginx", args: ["-v"] }],
///     },
/// });
/// assert_eq!(deployment.spec.replicas, Some(2));
/// assert_eq!(deployment.spec.containers[0].name, "nginx");
/// assert_eq!(deployment.metadata.labels.get("app").unwrap(), "web");
/// ```
///
/// The compiler checks it. A field that is not there ("no field `replica` …, a field with a similar
/// name exists"):
///
/// ```compile_fail,E0609
/// # use watchkeeper_api::{apps::v1::Deployment, object};
/// object!(Deployment { spec: { replica: 2 } });
/// ```
///
/// A value that does not fit ("a field of type `Option<i32>` cannot be filled with a `&str`"):
///
/// ```compile_fail,E0277
/// # use watchkeeper_api::{apps::v1::Deployment, object};
/// object!(Deployment { spec: { replicas: "two" } });
/// ```
#[macro_export]
macro_rules! object {
    ($type:ty { $($fields:tt)* }) => {{
        let mut object: $type = ::core::default::Default::default();
        let _ = &mut object;
        $crate::__fill!(@fields (object) $($fields)*);
        object
    }};
}

/// Changes fields of an object in place: `edit!(deployment, { spec: { replicas: 3 } })`.
///
/// Fields that are not named stay. Brackets replace a list; entries of a map are added or replaced.
/// See [`object!`](crate::object!) for what may stand where.
///
/// ```
/// # use watchkeeper_api::json::{Fields, ReadError, Reader};
/// # use watchkeeper_api::edit;
/// # #[derive(Default)] struct Scale { spec: Spec }
/// # #[derive(Default)] struct Spec { replicas: i32 }
/// # impl Fields for Spec {
/// #     fn set(&mut self, _: usize, r: &mut Reader<'_>) -> Result<(), ReadError> { r.skip() }
/// # }
/// let mut scale = Scale::default();
/// edit!(scale, { spec: { replicas: scale.spec.replicas + 3 } });
/// assert_eq!(scale.spec.replicas, 3);
/// ```
#[macro_export]
macro_rules! edit {
    ($object:expr, { $($fields:tt)* }) => {
        $crate::__fill!(@fields (($object)) $($fields)*)
    };
}

// `@fields (place) …` takes one field off, `@value (target) (place) …` its value. A target is an
// expression evaluated anew for each leaf, so that no borrow is held while values are computed.
#[doc(hidden)]
#[macro_export]
macro_rules! __fill {
    (@fields ($($place:tt)*)) => {};
    (@fields ($($place:tt)*) $field:ident : $($rest:tt)+) => {
        $crate::__fill!(@value ($($place)*.$field) ($($place)*) $($rest)+);
    };
    (@fields ($($place:tt)*) $key:literal : $($rest:tt)+) => {
        $crate::__fill!(
            @value (*$crate::build::Entries::entry(&mut $($place)*, $key)) ($($place)*) $($rest)+
        );
    };
    (@fields ($($place:tt)*) [$key:expr] : $($rest:tt)+) => {
        $crate::__fill!(
            @value (*$crate::build::Entries::entry(&mut $($place)*, &$key)) ($($place)*) $($rest)+
        );
    };

    (@value ($($target:tt)*) ($($place:tt)*) { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        let _ = $crate::build::Nest::nest(&mut $($target)*);
        $crate::__fill!(@fields ((*$crate::build::Nest::nest(&mut $($target)*))) $($inner)*);
        $crate::__fill!(@fields ($($place)*) $($($rest)*)?);
    };
    (@value ($($target:tt)*) ($($place:tt)*) [ $($elements:tt)* ] $(, $($rest:tt)*)?) => {
        {
            let mut elements = $crate::build::elements(&$($target)*);
            $crate::__fill!(@elements elements $($elements)*);
            $crate::build::Fill::fill(elements, &mut $($target)*);
        }
        $crate::__fill!(@fields ($($place)*) $($($rest)*)?);
    };
    (@value ($($target:tt)*) ($($place:tt)*) $value:expr $(, $($rest:tt)*)?) => {
        $crate::build::Fill::fill($value, &mut $($target)*);
        $crate::__fill!(@fields ($($place)*) $($($rest)*)?);
    };

    (@elements $list:ident) => {};
    (@elements $list:ident { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        {
            let mut element = $crate::build::element(&$list);
            let _ = &mut element;
            $crate::__fill!(@fields (element) $($inner)*);
            $list.push(element);
        }
        $crate::__fill!(@elements $list $($($rest)*)?);
    };
    (@elements $list:ident $element:expr $(, $($rest:tt)*)?) => {
        {
            let mut element = $crate::build::element(&$list);
            $crate::build::Fill::fill($element, &mut element);
            $list.push(element);
        }
        $crate::__fill!(@elements $list $($($rest)*)?);
    };
}
