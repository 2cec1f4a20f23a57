//! `printcolumn(…)`.

use syn::meta::ParseNestedMeta;
use syn::parse::Parser as _;
use syn::{Error, LitInt, LitStr, Result, Token};

use super::{JsonPath, option_name, suggest, text};

/// A column of `kubectl get`.
pub(crate) struct Column {
    pub(crate) name: LitStr,
    pub(crate) type_: LitStr,
    pub(crate) json_path: JsonPath,
    pub(crate) description: Option<LitStr>,
    pub(crate) format: Option<LitStr>,
    pub(crate) priority: Option<LitInt>,
}

pub(super) const KNOWN: &[&str] =
    &["name", "type", "json_path", "description", "format", "priority"];

/// The formats that servers take (apiextensions, `printerColumnFormats`).
const FORMATS: [&str; 9] =
    ["int32", "int64", "float", "double", "byte", "date", "date-time", "password", ""];

impl Column {
    /// Name, type and path as plain texts in this order, or each by its name; then the rest by name.
    pub(super) fn parse(meta: &ParseNestedMeta<'_>) -> Result<Self> {
        let content;
        syn::parenthesized!(content in meta.input);
        let mut texts = Vec::new();
        while content.peek(LitStr) {
            texts.push(content.parse::<LitStr>()?);
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        let mut texts = texts.into_iter();
        let (mut name, mut type_, mut json_path) = (texts.next(), texts.next(), texts.next());
        if let Some(more) = texts.next() {
            return Err(Error::new(more.span(), "a column has name, type and path; name the rest"));
        }
        let (mut description, mut format, mut priority) = (None, None, None);
        syn::meta::parser(|meta| {
            match option_name(&meta).as_str() {
                "name" => name = Some(text(&meta)?),
                "type" => type_ = Some(text(&meta)?),
                "json_path" => json_path = Some(text(&meta)?),
                "description" => description = Some(text(&meta)?),
                "format" => format = Some(text(&meta)?),
                "priority" => priority = Some(meta.value()?.parse()?),
                _ => return Err(suggest::unknown(&meta, KNOWN)),
            }
            Ok(())
        })
        .parse2(content.parse()?)?;
        Ok(Self {
            name: name.ok_or_else(|| meta.error("`name` is missing"))?,
            type_: column_type(type_.ok_or_else(|| meta.error("`type` is missing"))?)?,
            json_path: JsonPath::parse(
                json_path.ok_or_else(|| meta.error("`json_path` is missing"))?,
            )?,
            description,
            format: format.map(column_format).transpose()?,
            priority,
        })
    }
}

fn column_type(text: LitStr) -> Result<LitStr> {
    match text.value().as_str() {
        "integer" | "number" | "string" | "boolean" | "date" => Ok(text),
        _ => Err(Error::new(text.span(), "expected integer, number, string, boolean or date")),
    }
}

fn column_format(text: LitStr) -> Result<LitStr> {
    if FORMATS.contains(&&*text.value()) {
        return Ok(text);
    }
    let known = FORMATS[..FORMATS.len() - 1].join(", ");
    Err(Error::new(text.span(), format!("expected one of {known}")))
}
