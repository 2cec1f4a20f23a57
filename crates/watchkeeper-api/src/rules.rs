//! The rules in CEL of a type that knows its schema, for tests: whether a server takes them, and what they
//! say of objects. With the cargo feature `rules`, which brings a parser; what is checked, and what is not:
//! [`watchkeeper_schema::rules`].
//!
//! ```
//! use watchkeeper_api::meta::v1::Condition;
//! use watchkeeper_api::rules::Rules;
//!
//! let rules = Rules::<Condition>::compile().expect("rules that a server takes");
//! assert!(rules.is_empty(), "conditions have none");
//! assert_eq!(rules.check(&Condition::default()), []);
//! ```

use std::fmt;
use std::marker::PhantomData;

use serde_json::Value;
use watchkeeper_schema::rules;
pub use watchkeeper_schema::rules::RulesError;
pub use watchkeeper_schema::{FieldError, Reason};

use crate::Described;
use crate::json::{Write, to_string};

/// The rules of a type, ready to be asked.
pub struct Rules<K> {
    rules: rules::Rules,
    of: PhantomData<fn() -> K>,
}

impl<K> fmt::Debug for Rules<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules.fmt(f)
    }
}

impl<K: Described> Rules<K> {
    /// Compiles the rules of the type's schema.
    ///
    /// # Errors
    ///
    /// All that a server would refuse the definition for, as far as [`watchkeeper_schema::rules`] tells.
    pub fn compile() -> Result<Self, RulesError> {
        Ok(Self { rules: rules::Rules::compile(&K::schema())?, of: PhantomData })
    }
}

impl<K> Rules<K> {
    /// How many rules there are: a test that checks none is none.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What the rules say against a new object that the type cannot say.
    #[must_use]
    pub fn check_json(&self, object: &Value) -> Vec<FieldError> {
        self.rules.check(object)
    }

    /// The same of an object in place of an older one.
    #[must_use]
    pub fn check_json_update(&self, object: &Value, old: &Value) -> Vec<FieldError> {
        self.rules.check_update(object, old)
    }
}

impl<K: Write> Rules<K> {
    /// What the rules say against a new object, in the words of a server.
    #[must_use]
    pub fn check(&self, object: &K) -> Vec<FieldError> {
        self.rules.check(&value(object))
    }

    /// What they say against an object in place of an older one.
    #[must_use]
    pub fn check_update(&self, object: &K, old: &K) -> Vec<FieldError> {
        self.rules.check_update(&value(object), &value(old))
    }
}

/// What the codec writes is JSON.
fn value(object: &impl Write) -> Value {
    serde_json::from_str(&to_string(object)).unwrap_or_default()
}
