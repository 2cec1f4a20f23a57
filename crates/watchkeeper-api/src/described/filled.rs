//! Members that servers fill in.

use std::sync::OnceLock;

use serde_json::Value;
use watchkeeper_schema::{Schema, defaults};

use crate::json::{self, MAX_GROWTH, Read, ReadError, Reader};

#[cfg(test)]
mod tests;

/// What stands for `null` in a member of a struct, as servers have it (structural defaulting): its default,
/// with the defaults within, or `null` where there is none, or where the member may be `null`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Filled {
    name: &'static str,
    schema: fn() -> Schema,
    text: OnceLock<String>,
}

impl Filled {
    /// The member of that name in objects of that schema.
    #[must_use]
    pub const fn new(name: &'static str, schema: fn() -> Schema) -> Self {
        Self { name, schema, text: OnceLock::new() }
    }

    /// Reads the member.
    ///
    /// # Errors
    /// As [`Read::read`], also of the default.
    pub fn read<T: Read>(&self, slot: &mut T, r: &mut Reader<'_>) -> Result<(), ReadError> {
        let start = r.offset();
        if !r.null()? {
            return slot.read_into(r);
        }
        let text = self.text();
        // Counted as much as it can be at the most: it is not in the text that is read.
        r.boxed(text.len().saturating_mul(MAX_GROWTH));
        *slot = json::from_str(text).map_err(|error| {
            ReadError::new(format!("the default cannot be read: {}", error.message()), start)
        })?;
        Ok(())
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let schema = (self.schema)();
            let member = schema.properties.get(self.name).filter(|member| !member.nullable);
            let default = member.and_then(|member| {
                let mut value = member.default.clone()?;
                defaults::drop_nulls(&mut value, member.alone());
                defaults::default_values(&mut value, member.alone());
                Some(value)
            });
            default.unwrap_or(Value::Null).to_string()
        })
    }
}
