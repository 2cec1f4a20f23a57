//! What is known of a type while the program is compiled: enough to refuse a default of another
//! type, a path that leads nowhere, a key that no item has.

use crate::pb::{Named, Rule};

#[cfg(test)]
mod tests;

/// The shape of the values of a type. All of it is constant.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What kind of value it is.
    pub is: Is,
    /// The members of a struct, in order.
    pub members: &'static [Known],
    /// The shape of the items of a list, or of the values of a map.
    pub item: Option<&'static Self>,
    /// The texts allowed; empty means all.
    pub texts: &'static [&'static str],
    /// What a whole kind is called.
    pub named: Option<Named>,
    /// Whether a value is one for servers, and not a value for each of its items or members: scalars,
    /// lists, and what is said to be atomic.
    pub atomic: bool,
    /// Whether it may be `null`.
    pub nullable: bool,
    /// Whether a struct keeps members that are not named here.
    pub open: bool,
}

/// What kind of value a type stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    /// Any value, or one of which nothing is known here.
    Any,
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A whole number or text.
    IntegerOrText,
    /// A list.
    List,
    /// A map from text.
    Map,
    /// An object with members.
    Struct,
}

/// A member of a struct.
#[derive(Debug)]
pub struct Known {
    /// The field in Rust.
    pub field: &'static str,
    /// The member in JSON.
    pub json: &'static str,
    /// The numbers in protobuf; none where there is no protobuf.
    pub numbers: &'static [u8],
    /// What is special about it in protobuf.
    pub rule: Rule,
    /// Whether it must be there, as far as is known.
    pub required: bool,
    /// The shape of its values.
    pub shape: &'static Shape,
}

/// A value in source text.
#[derive(Debug)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A number with a fraction or an exponent.
    Number,
    /// Text.
    Text(&'static str),
    /// A list.
    List(&'static [Self]),
    /// An object.
    Object(&'static [(&'static str, Self)]),
}

impl Shape {
    /// Nothing is known.
    pub const ANY: Self = Self::of(Is::Any);

    /// A value of that kind, and no more known of it.
    #[must_use]
    pub const fn of(is: Is) -> Self {
        Self {
            is,
            members: &[],
            item: None,
            texts: &[],
            named: None,
            atomic: !matches!(is, Is::Map | Is::Struct),
            nullable: false,
            open: false,
        }
    }

    /// The same, of values that are one for servers or not.
    #[must_use]
    pub const fn with_atomic(self, atomic: bool) -> Self {
        Self { atomic, ..self }
    }

    /// The same, of values that may be `null`.
    #[must_use]
    pub const fn or_null(self) -> Self {
        Self { nullable: true, ..self }
    }

    /// A list of items, or a map of values, of that shape.
    #[must_use]
    pub const fn holding(is: Is, item: &'static Self) -> Self {
        Self { item: Some(item), ..Self::of(is) }
    }

    /// A struct with those members.
    #[must_use]
    pub const fn structure(members: &'static [Known], named: Option<Named>) -> Self {
        Self { members, named, ..Self::of(Is::Struct) }
    }

    /// One of those texts.
    #[must_use]
    pub const fn choice(texts: &'static [&'static str]) -> Self {
        Self { texts, ..Self::of(Is::Text) }
    }

    /// The same, of structs that keep other members or not.
    #[must_use]
    pub const fn with_others(self, open: bool) -> Self {
        Self { open, ..self }
    }

    /// The shape of the items or values, as far as is known.
    #[must_use]
    pub const fn inner(&self) -> &'static Self {
        match self.item {
            Some(item) => item,
            None => &Self::ANY,
        }
    }

    /// Whether the values are of one of those kinds, as far as is known.
    #[must_use]
    pub const fn is_one_of(&self, kinds: &[Is]) -> bool {
        let mut index = 0;
        while index < kinds.len() {
            if kinds[index] as u8 == self.is as u8 {
                return true;
            }
            index += 1;
        }
        matches!(self.is, Is::Any)
    }

    /// The member of that name in JSON.
    #[must_use]
    pub const fn member(&self, json: &str) -> Option<&'static Known> {
        let mut index = 0;
        while index < self.members.len() {
            if same(self.members[index].json, json) {
                return Some(&self.members[index]);
            }
            index += 1;
        }
        None
    }

    /// The member whose field has that name in Rust. One that is not there has no names: the compiler
    /// tells of it where the field itself is named.
    #[must_use]
    pub const fn field(&self, field: &str) -> &'static Known {
        let mut index = 0;
        while index < self.members.len() {
            if same(self.members[index].field, field) {
                return &self.members[index];
            }
            index += 1;
        }
        &Known {
            field: "",
            json: "",
            numbers: &[],
            rule: Rule::Plain,
            required: false,
            shape: &Self::ANY,
        }
    }

    /// What stands at the end of a path of members; `None` if it leads nowhere.
    #[must_use]
    pub const fn at(&'static self, path: &[&str]) -> Option<&'static Self> {
        let (mut here, mut index) = (self, 0);
        while index < path.len() {
            here = match (here.is, here.item) {
                (Is::Any, _) => return Some(here),
                (Is::Map, Some(values)) => values,
                (Is::Struct, _) => match here.member(path[index]) {
                    Some(known) => known.shape,
                    None if here.open => return Some(&Self::ANY),
                    None => return None,
                },
                _ => return None,
            };
            index += 1;
        }
        Some(here)
    }

    /// Whether it is a list whose items have all of these members.
    #[must_use]
    pub const fn has_keys(&self, keys: &[&str]) -> bool {
        let Some(item) = self.item else { return matches!(self.is, Is::Any) };
        if matches!(item.is, Is::Any) {
            return true;
        }
        let mut index = 0;
        while index < keys.len() {
            if item.member(keys[index]).is_none() && !item.open {
                return false;
            }
            index += 1;
        }
        true
    }

    /// Whether the value is one of this shape.
    #[must_use]
    pub const fn takes(&self, value: &Literal) -> bool {
        match value {
            Literal::Null => true,
            Literal::Boolean => self.is_one_of(&[Is::Boolean]),
            Literal::Integer => self.is_one_of(&[Is::Integer, Is::Number, Is::IntegerOrText]),
            Literal::Number => self.is_one_of(&[Is::Number]),
            Literal::Text(text) => {
                self.is_one_of(&[Is::Text, Is::IntegerOrText])
                    && (self.texts.is_empty() || contains(self.texts, text))
            }
            Literal::List(items) => self.is_one_of(&[Is::List]) && self.takes_items(items),
            Literal::Object(members) => {
                self.is_one_of(&[Is::Map, Is::Struct]) && self.takes_members(members)
            }
        }
    }

    /// Whether a value says all that is required, at every depth.
    #[must_use]
    pub const fn is_complete(&self, value: &Literal) -> bool {
        match value {
            Literal::List(items) => {
                let mut index = 0;
                while index < items.len() {
                    if !self.inner().is_complete(&items[index]) {
                        return false;
                    }
                    index += 1;
                }
                true
            }
            Literal::Object(members) => self.has_required(members) && self.are_complete(members),
            _ => true,
        }
    }

    const fn has_required(&self, members: &[(&'static str, Literal)]) -> bool {
        let mut index = 0;
        while index < self.members.len() {
            let known = &self.members[index];
            if known.required && !has(members, known.json) {
                return false;
            }
            index += 1;
        }
        true
    }

    const fn are_complete(&self, members: &[(&'static str, Literal)]) -> bool {
        let mut index = 0;
        while index < members.len() {
            let (name, value) = &members[index];
            let shape = match self.member(name) {
                Some(known) => known.shape,
                None => self.inner(),
            };
            if !shape.is_complete(value) {
                return false;
            }
            index += 1;
        }
        true
    }

    const fn takes_items(&self, items: &[Literal]) -> bool {
        let Some(item) = self.item else { return true };
        let mut index = 0;
        while index < items.len() {
            if !item.takes(&items[index]) {
                return false;
            }
            index += 1;
        }
        true
    }

    const fn takes_null(&self) -> bool {
        self.nullable || matches!(self.is, Is::Any)
    }

    const fn takes_members(&self, members: &[(&'static str, Literal)]) -> bool {
        let mut index = 0;
        while index < members.len() {
            let (name, value) = &members[index];
            let shape = match (self.is, self.item) {
                (Is::Map, Some(values)) => values,
                (Is::Struct, _) => match self.member(name) {
                    Some(known) if known.shape.takes_null() || !matches!(value, Literal::Null) => {
                        known.shape
                    }
                    None if self.open => &Self::ANY,
                    _ => return false,
                },
                _ => &Self::ANY,
            };
            if !shape.takes(value) {
                return false;
            }
            index += 1;
        }
        true
    }
}

/// Refuses to compile what is not so.
///
/// # Panics
/// When it is not so: at compile time.
#[track_caller]
pub const fn demand(is_so: bool, message: &'static str) {
    if !is_so {
        panic!("{}", message);
    }
}

/// Whether two texts are the same.
#[must_use]
pub const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}

const fn has(members: &[(&'static str, Literal)], name: &str) -> bool {
    let mut index = 0;
    while index < members.len() {
        if same(members[index].0, name) {
            return true;
        }
        index += 1;
    }
    false
}

const fn contains(texts: &[&str], text: &str) -> bool {
    let mut index = 0;
    while index < texts.len() {
        if same(texts[index], text) {
            return true;
        }
        index += 1;
    }
    false
}
