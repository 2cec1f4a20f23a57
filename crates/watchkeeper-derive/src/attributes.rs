//! The options of `#[field(…)]` and `#[object(…)]`.

mod field;
mod object;

use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{LitStr, Result, Token};

pub(crate) use field::FieldOptions;
pub(crate) use object::{Column, ObjectOptions, Scale};

/// `name = "text"`.
fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    meta.value()?.parse()
}

/// `name("a", "b")`.
fn texts(meta: &ParseNestedMeta<'_>) -> Result<Vec<LitStr>> {
    let content;
    syn::parenthesized!(content in meta.input);
    let list = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
    Ok(list.into_iter().collect())
}

/// The last segment of the option's name.
fn option_name(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(ToString::to_string).unwrap_or_default()
}
