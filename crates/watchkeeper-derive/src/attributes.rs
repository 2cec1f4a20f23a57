//! The options of `#[field(…)]`, `#[fields(…)]` and `#[object(…)]`.

mod bounds;
mod column;
mod field;
mod list;
mod literal;
mod member;
mod object;
mod path;
mod rule;
mod suggest;
mod whole;

use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{LitStr, Result, Token};

pub(crate) use column::Column;
pub(crate) use field::FieldOptions;
pub(crate) use member::{Check, MemberOptions};
pub(crate) use object::{ObjectOptions, Scale};
pub(crate) use path::JsonPath;
pub(crate) use whole::WholeOptions;

#[cfg(test)]
mod tests;

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

/// `name("key", "value")`.
fn pair(meta: &ParseNestedMeta<'_>) -> Result<(LitStr, LitStr)> {
    match <[LitStr; 2]>::try_from(texts(meta)?) {
        Ok([key, value]) => Ok((key, value)),
        Err(_) => Err(meta.error("expected a key and a value")),
    }
}

/// `name`, `name = true` or `name = false`.
fn flag(meta: &ParseNestedMeta<'_>) -> Result<bool> {
    if meta.input.peek(Token![=]) {
        return Ok(meta.value()?.parse::<syn::LitBool>()?.value);
    }
    Ok(true)
}

/// The option's name.
fn option_name(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(ToString::to_string).unwrap_or_default()
}
