//! `#[field(…)]`.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Result};

use super::{option_name, text, texts};

/// The options of a field.
#[derive(Default)]
pub(crate) struct FieldOptions {
    /// The member's name.
    pub(crate) rename: Option<String>,
    /// Said by `required` or `optional`.
    pub(crate) required: Option<bool>,
    /// Calls of `Member`'s methods.
    pub(crate) calls: Vec<TokenStream>,
    list_type: Option<LitStr>,
    list_map_keys: Vec<LitStr>,
}

const KNOWN: &str = "unknown option; known are rename, required, optional, default, minimum, \
    maximum, exclusive_minimum, exclusive_maximum, multiple_of, min_length, max_length, min_items, \
    max_items, min_properties, max_properties, pattern, format, enum_values, list_type, \
    list_map_keys, map_type, nullable, preserve_unknown, embedded_resource, validation";

impl FieldOptions {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut options = Self::default();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("field")) {
            attribute.parse_nested_meta(|meta| options.option(&meta))?;
        }
        options.list()?;
        Ok(options)
    }

    fn option(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let name = option_name(meta);
        match name.as_str() {
            "rename" => self.rename = Some(text(meta)?.value()),
            "required" => self.required = Some(true),
            "optional" => self.required = Some(false),
            "list_type" => self.list_type = Some(text(meta)?),
            "list_map_keys" => self.list_map_keys = texts(meta)?,
            _ => {
                let call = call(&name, meta)?;
                self.calls.push(call);
            }
        }
        Ok(())
    }

    /// The list type and its keys are one call.
    fn list(&mut self) -> Result<()> {
        let keys = std::mem::take(&mut self.list_map_keys);
        let Some(kind) = &self.list_type else {
            return match keys.first() {
                Some(key) => Err(syn::Error::new(key.span(), "keys need `list_type = \"map\"`")),
                None => Ok(()),
            };
        };
        let call = match kind.value().as_str() {
            "map" if keys.is_empty() => {
                return Err(syn::Error::new(kind.span(), "a map needs `list_map_keys(\"…\")`"));
            }
            "map" => quote!(list_map(&[#(#keys),*])),
            "set" => quote!(list_set()),
            "atomic" => quote!(list_atomic()),
            _ => return Err(syn::Error::new(kind.span(), "expected map, set or atomic")),
        };
        self.calls.push(call);
        Ok(())
    }
}

/// The call of `Member` that an option stands for.
fn call(name: &str, meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let method = meta.path.to_token_stream();
    Ok(match name {
        "default" => {
            let value = default_value(meta)?;
            quote!(default(#value))
        }
        "minimum" | "maximum" | "exclusive_minimum" | "exclusive_maximum" | "multiple_of" => {
            let number: Expr = meta.value()?.parse()?;
            quote!(#method((#number) as f64))
        }
        "min_length" | "max_length" | "min_items" | "max_items" | "min_properties"
        | "max_properties" => {
            let count: syn::LitInt = meta.value()?.parse()?;
            quote!(#method(#count))
        }
        "pattern" | "format" => {
            let text = text(meta)?;
            quote!(#method(#text))
        }
        "enum_values" => {
            let values = texts(meta)?;
            quote!(#method(&[#(#values),*]))
        }
        "map_type" => map_type(meta)?,
        "nullable" | "preserve_unknown" | "embedded_resource" => quote!(#method()),
        "validation" => validation(meta)?,
        _ => return Err(meta.error(KNOWN)),
    })
}

/// A literal, with a minus before it or not.
fn default_value(meta: &ParseNestedMeta<'_>) -> Result<Expr> {
    let value: Expr = meta.value()?.parse()?;
    let is_literal = |expr: &Expr| {
        matches!(
            expr,
            Expr::Lit(ExprLit {
                lit: Lit::Str(_) | Lit::Int(_) | Lit::Float(_) | Lit::Bool(_),
                ..
            })
        )
    };
    match &value {
        Expr::Unary(unary) if is_literal(&unary.expr) => Ok(value),
        _ if is_literal(&value) => Ok(value),
        _ => Err(syn::Error::new_spanned(value, "expected a number, a text, `true` or `false`")),
    }
}

fn map_type(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let kind = text(meta)?;
    match kind.value().as_str() {
        "atomic" => Ok(quote!(map_atomic())),
        "granular" => Ok(quote!(map_granular())),
        _ => Err(syn::Error::new(kind.span(), "expected atomic or granular")),
    }
}

fn validation(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let (mut rule, mut message) = (None, None);
    meta.parse_nested_meta(|meta| {
        match option_name(&meta).as_str() {
            "rule" => rule = Some(text(&meta)?),
            "message" => message = Some(text(&meta)?),
            _ => return Err(meta.error("expected rule or message")),
        }
        Ok(())
    })?;
    let rule = rule.ok_or_else(|| meta.error("`rule` is missing"))?;
    let message = message.map_or_else(|| quote!(""), |text| text.to_token_stream());
    Ok(quote!(validation(#rule, #message)))
}
