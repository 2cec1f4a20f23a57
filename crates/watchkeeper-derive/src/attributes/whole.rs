//! What is said of a whole struct: `#[fields(…)]`, and the same options in `#[object(…)]`.

use std::sync::LazyLock;

use syn::meta::ParseNestedMeta;
use syn::{DeriveInput, Error, LitStr, Path, Result};

use super::rule::Count;
use super::{MemberOptions, option_name, suggest, text, texts};
use crate::input::Field;

/// The options of a struct.
#[derive(Default)]
pub(crate) struct WholeOptions {
    pub(crate) library: Option<LitStr>,
    /// The type of which this one is a projection.
    pub(crate) like: Option<Path>,
    /// The projection is read from JSON only.
    pub(crate) json: bool,
    pub(crate) member: MemberOptions,
    counts: Vec<(Count, Vec<LitStr>)>,
}

/// The options of any struct.
pub(super) const KNOWN: &[&str] = &[
    "crate",
    "like",
    "json",
    "validation",
    "at_most_one_of",
    "exactly_one_of",
    "at_least_one_of",
    "min_properties",
    "max_properties",
    "map_type",
    "preserve_unknown",
    "immutable",
    "title",
    "example",
    "external_docs",
];

static OF_MEMBERS: LazyLock<&[&str]> = LazyLock::new(|| &KNOWN[3..]);

impl WholeOptions {
    /// `#[fields(…)]`.
    pub(crate) fn parse(input: &DeriveInput) -> Result<Self> {
        let mut options = Self::default();
        for attribute in input.attrs.iter().filter(|a| a.path().is_ident("fields")) {
            attribute.parse_nested_meta(|meta| match options.option(&meta)? {
                true => Ok(()),
                false => Err(suggest::unknown(&meta, KNOWN)),
            })?;
        }
        options.member.finish()?;
        Ok(options)
    }

    /// Takes an option; `false` if it is none of [`KNOWN`].
    pub(super) fn option(&mut self, meta: &ParseNestedMeta<'_>) -> Result<bool> {
        let name = option_name(meta);
        match name.as_str() {
            "crate" => self.library = Some(text(meta)?),
            "like" => self.like = Some(meta.value()?.parse()?),
            "json" => self.json = true,
            _ => {
                if let Some(count) = Count::of(&name) {
                    let names = texts(meta)?;
                    if names.len() < 2 {
                        return Err(meta.error("name two members or more"));
                    }
                    self.counts.push((count, names));
                    return Ok(true);
                }
                return Ok(OF_MEMBERS.contains(&&*name) && self.member.option(meta)?);
            }
        }
        Ok(true)
    }

    /// Whether nothing is said but where the library is.
    pub(crate) fn is_bare(&self) -> bool {
        self.counts.is_empty() && !self.json && self.member.calls.is_empty()
    }

    /// Adds the rules about members, which may be named as in Rust or as in JSON.
    pub(crate) fn resolve(&mut self, fields: &[Field]) -> Result<()> {
        for (count, names) in std::mem::take(&mut self.counts) {
            let mut members = Vec::new();
            for name in names {
                let text = name.value();
                let field = fields.iter().find(|field| field.ident == text || field.json == text);
                let Some(field) = field else {
                    return Err(Error::new(name.span(), format!("there is no member `{text}`")));
                };
                members.push(field.json.clone());
            }
            self.member.calls.push(count.rule(&members));
        }
        Ok(())
    }
}
