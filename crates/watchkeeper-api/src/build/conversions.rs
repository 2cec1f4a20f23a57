//! What fills what.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Fill;
use crate::quantity::Amount;
use crate::{ByteString, IStr, IntOrString, List, Map, Quantity, Raw, SecretText, Shared};

/// A value fills a field of its own type.
impl<T> Fill<T> for T {
    fn fill(self, field: &mut T) {
        *field = self;
    }
}

/// A borrowed value is copied.
impl<T: Clone> Fill<T> for &T {
    fn fill(self, field: &mut T) {
        field.clone_from(self);
    }
}

impl<T> Fill<Option<T>> for T {
    fn fill(self, field: &mut Option<T>) {
        *field = Some(self);
    }
}

impl<T: Clone> Fill<Option<T>> for &T {
    fn fill(self, field: &mut Option<T>) {
        *field = Some(self.clone());
    }
}

impl<T: Clone> Fill<Option<T>> for Option<&T> {
    fn fill(self, field: &mut Option<T>) {
        *field = self.cloned();
    }
}

impl<T> Fill<Option<Box<T>>> for T {
    fn fill(self, field: &mut Option<Box<T>>) {
        *field = Some(Box::new(self));
    }
}

impl<T: Clone> Fill<Option<Box<T>>> for &T {
    fn fill(self, field: &mut Option<Box<T>>) {
        *field = Some(Box::new(self.clone()));
    }
}

impl<T> Fill<Option<Box<T>>> for Option<T> {
    fn fill(self, field: &mut Option<Box<T>>) {
        *field = self.map(Box::new);
    }
}

impl<T> Fill<Shared<T>> for T {
    fn fill(self, field: &mut Shared<T>) {
        *field = Shared::from(self);
    }
}

impl<T: Clone> Fill<Shared<T>> for &T {
    fn fill(self, field: &mut Shared<T>) {
        *field = Shared::from(self.clone());
    }
}

impl<T> Fill<Option<Shared<T>>> for T {
    fn fill(self, field: &mut Option<Shared<T>>) {
        *field = Some(Shared::from(self));
    }
}

impl<T: Clone> Fill<Option<Shared<T>>> for &T {
    fn fill(self, field: &mut Option<Shared<T>>) {
        *field = Some(Shared::from(self.clone()));
    }
}

/// `$value` fills a `$field`, and an optional one, through `From`.
macro_rules! through_from {
    ($($field:ty: $($value:ty),+;)+) => { $($(
        impl Fill<$field> for $value {
            fn fill(self, field: &mut $field) {
                *field = <$field>::from(self);
            }
        }
        impl Fill<Option<$field>> for $value {
            fn fill(self, field: &mut Option<$field>) {
                *field = Some(<$field>::from(self));
            }
        }
    )+)+ };
}
through_from! {
    IStr: &str, &String, String, Cow<'_, str>, &Cow<'_, str>;
    String: &str, Cow<'_, str>, IStr, &IStr;
    SecretText: &str, String;
    i64: i32, u32;
    f64: i32;
    IntOrString: i32, &str, String, IStr;
    Quantity: &str, String, IStr, i64, Amount;
    ByteString: &str, String, &[u8], Vec<u8>;
    Raw: &serde_json::Value;
}

impl Fill<Quantity> for i32 {
    fn fill(self, field: &mut Quantity) {
        *field = Quantity::from(i64::from(self));
    }
}

/// A text that may be missing: an empty one is how the API says so.
impl Fill<IStr> for Option<&str> {
    fn fill(self, field: &mut IStr) {
        *field = self.map(IStr::from).unwrap_or_default();
    }
}

impl Fill<Option<IStr>> for Option<&str> {
    fn fill(self, field: &mut Option<IStr>) {
        *field = self.map(IStr::from);
    }
}

impl<T> Fill<List<T>> for Vec<T> {
    fn fill(self, field: &mut List<T>) {
        *field = List::from(self);
    }
}

impl<T> Fill<Shared<List<T>>> for Vec<T> {
    fn fill(self, field: &mut Shared<List<T>>) {
        *field = Shared::from(List::from(self));
    }
}

impl<T> Fill<List<Shared<T>>> for Vec<T> {
    fn fill(self, field: &mut List<Shared<T>>) {
        *field = self.into_iter().map(Shared::from).collect();
    }
}

impl<T: Default, U: Fill<T>, const N: usize> Fill<Shared<List<T>>> for [U; N] {
    fn fill(self, field: &mut Shared<List<T>>) {
        *field = Shared::from(filled::<List<T>, _>(self));
    }
}

impl<T: Clone> Fill<Shared<List<T>>> for &[T] {
    fn fill(self, field: &mut Shared<List<T>>) {
        *field = Shared::from(List::from(self));
    }
}

impl<T> Fill<Option<List<T>>> for Vec<T> {
    fn fill(self, field: &mut Option<List<T>>) {
        *field = Some(List::from(self));
    }
}

impl<T: Clone> Fill<List<T>> for &[T] {
    fn fill(self, field: &mut List<T>) {
        *field = List::from(self);
    }
}

impl<T: Default, U: Fill<T>, const N: usize> Fill<List<T>> for [U; N] {
    fn fill(self, field: &mut List<T>) {
        *field = self.into_iter().map(filled).collect();
    }
}

impl<V: Default, K: AsRef<str>, W: Fill<V>, const N: usize> Fill<Map<V>> for [(K, W); N] {
    fn fill(self, field: &mut Map<V>) {
        *field = entries(self);
    }
}

impl<V: Default, K: AsRef<str>, W: Fill<V>> Fill<Map<V>> for BTreeMap<K, W> {
    fn fill(self, field: &mut Map<V>) {
        *field = entries(self);
    }
}

fn entries<V: Default, K: AsRef<str>, W: Fill<V>>(
    entries: impl IntoIterator<Item = (K, W)>,
) -> Map<V> {
    entries
        .into_iter()
        .map(|(key, value)| (key.as_ref().to_owned(), filled::<V, W>(value)))
        .collect()
}

fn filled<T: Default, U: Fill<T>>(value: U) -> T {
    let mut filled = T::default();
    value.fill(&mut filled);
    filled
}
