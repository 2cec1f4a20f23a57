//! The schemas of plain values.

use std::collections::BTreeMap;

use watchkeeper_schema::Schema;

use super::{Described, Is, Shape};
use crate::{
    ByteString, IStr, IntOrString, List, Map, MicroTime, Quantity, Raw, SecretText, Shared, Time,
};

macro_rules! scalars {
    ($($type:ty: $is:ident $schema:expr;)*) => { $(
        impl Described for $type {
            const REQUIRED: bool = true;
            const SHAPE: &'static Shape = &Shape::of(Is::$is);
            fn schema() -> Schema {
                $schema
            }
        }
    )* };
}

scalars! {
    IStr: Text Schema::string();
    String: Text Schema::string();
    SecretText: Text Schema::string().format("password");
    bool: Boolean Schema::boolean();
    i32: Integer Schema::int32();
    i64: Integer Schema::int64();
    u8: Integer Schema::int32().minimum(0.0).maximum(255.0);
    u16: Integer Schema::int32().minimum(0.0).maximum(65_535.0);
    u32: Integer Schema::int64().minimum(0.0).maximum(4_294_967_295.0);
    f64: Number Schema::number();
    Time: Text Schema::date_time();
    MicroTime: Text Schema::date_time();
    ByteString: Text Schema::string().format("byte");
    IntOrString: IntegerOrText Schema::int_or_string();
    Quantity: IntegerOrText Schema::int_or_string().pattern(QUANTITY);
}

/// `resource.Quantity`: a number with a binary or decimal suffix or an exponent.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

impl Described for Raw {
    fn schema() -> Schema {
        Schema::any()
    }
}

impl Described for serde_json::Value {
    fn schema() -> Schema {
        Schema::any()
    }
}

impl<T: Described> Described for Option<T> {
    const SHAPE: &'static Shape = T::SHAPE;
    fn schema() -> Schema {
        T::schema()
    }
}

impl<T: Described> Described for Box<T> {
    const REQUIRED: bool = T::REQUIRED;
    const SHAPE: &'static Shape = T::SHAPE;
    fn schema() -> Schema {
        T::schema()
    }
}

impl<T: Described> Described for Shared<T> {
    const SHAPE: &'static Shape = T::SHAPE;
    fn schema() -> Schema {
        T::schema()
    }
}

impl<T: Described> Described for List<T> {
    const SHAPE: &'static Shape = &Shape::holding(Is::List, T::SHAPE);
    fn schema() -> Schema {
        Schema::array(T::schema())
    }
}

impl<T: Described> Described for Vec<T> {
    const SHAPE: &'static Shape = &Shape::holding(Is::List, T::SHAPE);
    fn schema() -> Schema {
        Schema::array(T::schema())
    }
}

impl<V: Described> Described for Map<V> {
    const SHAPE: &'static Shape = &Shape::holding(Is::Map, V::SHAPE);
    fn schema() -> Schema {
        Schema::map(V::schema())
    }
}

impl<V: Described> Described for BTreeMap<String, V> {
    const SHAPE: &'static Shape = &Shape::holding(Is::Map, V::SHAPE);
    fn schema() -> Schema {
        Schema::map(V::schema())
    }
}
