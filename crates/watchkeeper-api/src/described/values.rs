//! The schemas of plain values.

use std::collections::BTreeMap;

use watchkeeper_schema::Schema;

use super::Described;
use crate::{ByteString, IStr, IntOrString, List, Map, MicroTime, Quantity, Raw, Shared, Time};

macro_rules! scalars {
    ($($type:ty: $schema:expr;)*) => { $(
        impl Described for $type {
            const REQUIRED: bool = true;
            fn schema() -> Schema {
                $schema
            }
        }
    )* };
}

scalars! {
    IStr: Schema::string();
    String: Schema::string();
    bool: Schema::boolean();
    i32: Schema::int32();
    i64: Schema::int64();
    u8: Schema::int32().minimum(0.0).maximum(255.0);
    u16: Schema::int32().minimum(0.0).maximum(65_535.0);
    u32: Schema::int64().minimum(0.0).maximum(4_294_967_295.0);
    f64: Schema::number();
    Time: Schema::date_time();
    MicroTime: Schema::date_time();
    ByteString: Schema::string().format("byte");
    IntOrString: Schema::int_or_string();
    Quantity: Schema::int_or_string().pattern(QUANTITY);
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
    fn schema() -> Schema {
        T::schema()
    }
}

impl<T: Described> Described for Box<T> {
    const REQUIRED: bool = T::REQUIRED;
    fn schema() -> Schema {
        T::schema()
    }
}

impl<T: Described> Described for Shared<T> {
    fn schema() -> Schema {
        T::schema()
    }
}

impl<T: Described> Described for List<T> {
    fn schema() -> Schema {
        Schema::array(T::schema())
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> Schema {
        Schema::array(T::schema())
    }
}

impl<V: Described> Described for Map<V> {
    fn schema() -> Schema {
        Schema::map(V::schema())
    }
}

impl<V: Described> Described for BTreeMap<String, V> {
    fn schema() -> Schema {
        Schema::map(V::schema())
    }
}
