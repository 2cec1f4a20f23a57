//! What options say of a value, whether it is a field, an item of a list, a value of a map, or a
//! whole struct.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Error, Expr, LitStr, Result, Token};

use super::bounds::Bounds;
use super::literal::Literal;
use super::{flag, option_name, rule, text, texts};

/// What is asked of a type, when it is compiled. The condition names it `shape`.
pub(crate) struct Check {
    pub(crate) condition: TokenStream,
    pub(crate) message: String,
    pub(crate) span: Span,
}

/// The options of one value.
#[derive(Default)]
pub(crate) struct MemberOptions {
    /// Calls of `Member`'s methods.
    pub(crate) calls: Vec<TokenStream>,
    /// What its type must be like.
    pub(crate) checks: Vec<Check>,
    bounds: Bounds,
    default: Option<(f64, Span)>,
    is_defaulted: bool,
    list_type: Option<LitStr>,
    list_map_keys: Vec<LitStr>,
}

/// The options that [`MemberOptions::option`] knows.
pub(super) const KNOWN: &[&str] = &[
    "default",
    "minimum",
    "maximum",
    "exclusive_minimum",
    "exclusive_maximum",
    "multiple_of",
    "min_length",
    "max_length",
    "min_items",
    "max_items",
    "min_properties",
    "max_properties",
    "pattern",
    "format",
    "enum_values",
    "list_type",
    "list_map_keys",
    "map_type",
    "nullable",
    "preserve_unknown",
    "embedded_resource",
    "int_or_string",
    "type",
    "items",
    "values",
    "validation",
    "immutable",
    "title",
    "example",
    "external_docs",
];

/// Kinds of values that an option is about.
const NUMBERS: &[&str] = &["Integer", "Number", "IntegerOrText"];
const TEXTS: &[&str] = &["Text", "IntegerOrText"];
const LISTS: &[&str] = &["List"];
const OBJECTS: &[&str] = &["Map", "Struct"];

impl MemberOptions {
    /// Takes an option; `false` if it is none of [`KNOWN`].
    pub(super) fn option(&mut self, meta: &ParseNestedMeta<'_>) -> Result<bool> {
        let name = option_name(meta);
        let span = meta.path.span();
        if let Some(call) = self.bounds.option(&name, meta)? {
            self.about(&name, span);
            self.calls.push(call);
            return Ok(true);
        }
        match name.as_str() {
            "list_type" => self.list_type = Some(text(meta)?),
            "list_map_keys" => self.list_map_keys = texts(meta)?,
            "default" => self.default_value(meta)?,
            "items" | "values" => self.nested(&name, meta)?,
            "enum_values" => self.enum_values(meta)?,
            "unique" | "unique_items" => {
                let message = "servers refuse `uniqueItems`: write `list_type = \"set\"`";
                return Err(meta.error(message));
            }
            _ => {
                let Some(call) = call(&name, meta)? else { return Ok(false) };
                self.about(&name, span);
                self.calls.extend(call);
            }
        }
        Ok(true)
    }

    /// When all options are there: what they say together.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.checks.extend(self.bounds.check(self.default)?);
        let keys = std::mem::take(&mut self.list_map_keys);
        let Some(kind) = &self.list_type else {
            return match keys.first() {
                Some(key) => Err(Error::new(key.span(), "keys need `list_type = \"map\"`")),
                None => Ok(()),
            };
        };
        let call = match kind.value().as_str() {
            "map" if keys.is_empty() => {
                return Err(Error::new(kind.span(), "a map needs `list_map_keys(\"…\")`"));
            }
            "map" => quote!(list_map(&[#(#keys),*])),
            "set" => quote!(list_set()),
            "atomic" => quote!(list_atomic()),
            _ => return Err(Error::new(kind.span(), "expected map, set or atomic")),
        };
        self.calls.push(call);
        let span = kind.span();
        self.about("list_type", span);
        for key in keys {
            self.checks.push(Check {
                condition: quote!(shape.has_keys(&[#key])),
                message: format!("the items have no member `{}`", key.value()),
                span: key.span(),
            });
        }
        Ok(())
    }

    /// Whether it says what is filled in.
    pub(crate) fn has_default(&self) -> bool {
        self.is_defaulted
    }

    /// The type must be one that the option is about.
    fn about(&mut self, option: &str, span: Span) {
        let (kinds, words) = match option {
            "minimum" | "maximum" | "exclusive_minimum" | "exclusive_maximum" | "multiple_of" => {
                (NUMBERS, "numbers")
            }
            "min_length" | "max_length" | "pattern" => (TEXTS, "texts"),
            "min_items" | "max_items" | "list_type" | "items" => (LISTS, "lists"),
            "min_properties" | "max_properties" | "map_type" => (OBJECTS, "maps and structs"),
            "values" => (&["Map"][..], "maps"),
            _ => return,
        };
        let kinds = kinds.iter().map(|kind| syn::Ident::new(kind, Span::call_site()));
        self.checks.push(Check {
            condition: quote!(shape.is_one_of(&[#(__lib::Is::#kinds),*])),
            message: format!("`{option}` is for {words}"),
            span,
        });
    }

    fn default_value(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let literal: Literal = meta.value()?.parse()?;
        self.is_defaulted = true;
        self.default = literal.number().map(|number| (number, literal.span));
        let (text, constant) = (literal.json(), literal.constant());
        self.calls.push(quote!(default_json(#text)));
        self.checks.push(Check {
            condition: quote!(shape.takes(&#constant)),
            message: format!("the default is {}, which the type does not take", literal.name()),
            span: literal.span,
        });
        Ok(())
    }

    /// `items(…)`, `values(…)`.
    fn nested(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let mut inner = Self::default();
        meta.parse_nested_meta(|meta| match inner.option(&meta)? {
            true => Ok(()),
            false => Err(super::suggest::unknown(&meta, KNOWN)),
        })?;
        inner.finish()?;
        self.about(name, meta.path.span());
        let (method, calls) = (meta.path.to_token_stream(), &inner.calls);
        self.calls.push(quote!(#method(|member: __lib::Member| member #(.#calls)*)));
        self.checks.extend(inner.checks.into_iter().map(|check| {
            let condition = check.condition;
            let condition = quote!({
                let shape = shape.inner();
                #condition
            });
            Check { condition, ..check }
        }));
        Ok(())
    }

    fn enum_values(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let content;
        syn::parenthesized!(content in meta.input);
        let values = Punctuated::<Literal, Token![,]>::parse_terminated(&content)?;
        let texts: Vec<_> = values.iter().map(Literal::json).collect();
        self.calls.push(quote!(enum_json(&[#(#texts),*])));
        for value in values {
            let constant = value.constant();
            self.checks.push(Check {
                condition: quote!(shape.takes(&#constant)),
                message: format!("this is {}, which the type does not take", value.name()),
                span: value.span,
            });
        }
        Ok(())
    }
}

/// The calls of `Member` that an option stands for; `None` if the option is none.
fn call(name: &str, meta: &ParseNestedMeta<'_>) -> Result<Option<Vec<TokenStream>>> {
    let method = meta.path.to_token_stream();
    Ok(Some(vec![match name {
        "multiple_of" => {
            let number: Expr = meta.value()?.parse()?;
            quote!(#method((#number) as f64))
        }
        "pattern" | "format" | "title" => {
            let text = text(meta)?;
            quote!(#method(#text))
        }
        "example" => {
            let text = meta.value()?.parse::<Literal>()?.json();
            quote!(example_json(#text))
        }
        "external_docs" => external_docs(meta)?,
        "type" => type_(&text(meta)?)?,
        "map_type" => map_type(meta)?,
        "nullable" | "preserve_unknown" | "embedded_resource" | "int_or_string" => {
            if !flag(meta)? {
                return Ok(Some(Vec::new()));
            }
            quote!(#method())
        }
        "validation" => rule::validation(meta)?,
        "immutable" => rule::immutable(),
        _ => return Ok(None),
    }]))
}

fn type_(name: &LitStr) -> Result<TokenStream> {
    match name.value().as_str() {
        "object" | "array" | "string" | "integer" | "number" | "boolean" => {
            Ok(quote!(of_type(#name)))
        }
        _ => {
            let message = "expected object, array, string, integer, number or boolean";
            Err(Error::new(name.span(), message))
        }
    }
}

/// `external_docs(url = "…", description = "…")`.
fn external_docs(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let (mut url, mut description) = (None, String::new());
    meta.parse_nested_meta(|meta| {
        match option_name(&meta).as_str() {
            "url" => url = Some(text(&meta)?),
            "description" => description = text(&meta)?.value(),
            _ => return Err(super::suggest::unknown(&meta, &["url", "description"])),
        }
        Ok(())
    })?;
    let url = url.ok_or_else(|| meta.error("`url` is missing"))?;
    Ok(quote!(external_docs(#url, #description)))
}

fn map_type(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let kind = text(meta)?;
    match kind.value().as_str() {
        "atomic" => Ok(quote!(map_atomic())),
        "granular" => Ok(quote!(map_granular())),
        _ => Err(Error::new(kind.span(), "expected atomic or granular")),
    }
}
