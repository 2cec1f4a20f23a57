//! `#[field(…)]`.

use std::sync::LazyLock;

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Ident, Result};

use super::{MemberOptions, member, option_name, suggest, text};

/// The options of a field.
#[derive(Default)]
pub(crate) struct FieldOptions {
    /// The member's name.
    pub(crate) rename: Option<String>,
    /// Said by `required` or `optional`.
    pub(crate) required: Option<bool>,
    /// The value may be anything, and its type needs no schema.
    pub(crate) schemaless: bool,
    /// Which field of the whole type a projection's field stands for.
    pub(crate) like: Option<Ident>,
    /// What is said of the value.
    pub(crate) member: MemberOptions,
}

pub(super) static KNOWN: LazyLock<Vec<&str>> = LazyLock::new(|| {
    [&["rename", "required", "optional", "schemaless", "like"], member::KNOWN].concat()
});

impl FieldOptions {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut options = Self::default();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("field")) {
            attribute.parse_nested_meta(|meta| options.option(&meta))?;
        }
        options.member.finish()?;
        Ok(options)
    }

    /// Whether nothing is said of the value.
    pub(crate) fn is_bare(&self) -> bool {
        self.required.is_none() && !self.schemaless && self.member.calls.is_empty()
    }

    /// Whether everything that is said is of the value, and nothing of its place in a struct.
    pub(crate) fn is_about_the_value(&self) -> bool {
        let placed = self.rename.is_some() || self.required.is_some() || self.like.is_some();
        !placed && !self.schemaless && !self.member.has_default()
    }

    fn option(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        match option_name(meta).as_str() {
            "rename" => self.rename = Some(text(meta)?.value()),
            "required" => self.required = Some(true),
            "optional" => self.required = Some(false),
            "schemaless" => self.schemaless = true,
            "like" => self.like = Some(text(meta)?.parse()?),
            _ if self.member.option(meta)? => {}
            _ => return Err(suggest::unknown(meta, &KNOWN)),
        }
        Ok(())
    }
}
