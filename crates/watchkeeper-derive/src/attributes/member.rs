//! What options say of a value, whether it is a field, an item of a list, a value of a map, or a
//! whole struct.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Error, Expr, LitStr, Result, Token};

use super::bounds::Bounds;
use super::list::{ListOptions, Said};
use super::literal::{Literal, Value};
use super::{flag, option_name, rule, text, texts};
use crate::pattern;

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
    default: Option<Literal>,
    /// The texts of `enum_values` in JSON.
    choices: Option<Vec<String>>,
    is_embedded: bool,
    said: Said,
    /// What is said of the items of a list.
    items: Said,
    list: ListOptions,
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
/// Those that are compared as a whole.
pub(super) const SCALARS: &[&str] = &["Text", "Integer", "Number", "Boolean", "IntegerOrText"];

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
            "list_type" => self.list.kind = Some(text(meta)?),
            "list_map_keys" => self.list.keys = texts(meta)?,
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
                self.note(&name, &call);
                self.calls.extend(call);
            }
        }
        Ok(true)
    }

    /// Notes what a call says that other options depend on.
    fn note(&mut self, name: &str, call: &[TokenStream]) {
        let Some(call) = call.first().map(ToString::to_string) else { return };
        match name {
            "nullable" => self.said.nullable = true,
            "preserve_unknown" => self.said.open = true,
            "embedded_resource" => self.is_embedded = true,
            "map_type" => self.said.atomic = Some(call.starts_with("map_atomic")),
            "int_or_string" => self.said.atomic = Some(true),
            "type" if !call.contains("object") && !call.contains("array") => {
                self.said.atomic = Some(true);
            }
            _ => {}
        }
    }

    /// When all options are there: what they say together.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.checks.extend(self.bounds.check(self.default.as_ref())?);
        self.check_default()?;
        if let Some(list) = std::mem::take(&mut self.list).finish(self.items)? {
            self.calls.push(list.call);
            self.said.atomic = Some(list.atomic);
            self.about("list_type", list.span);
            self.checks.extend(list.checks);
        }
        if self.is_embedded {
            // The kind of an object that is embedded says nothing of it.
            self.said.atomic.get_or_insert(false);
        }
        Ok(())
    }

    /// The default is one of the values that the other options allow.
    fn check_default(&self) -> Result<()> {
        let Some(default) = &self.default else { return Ok(()) };
        let wrong = |what: &str| Err(Error::new(default.span, what));
        if matches!(default.value, Value::Null) {
            return if self.said.nullable {
                Ok(())
            } else {
                wrong("a default of null needs `nullable`")
            };
        }
        match &self.choices {
            Some(choices) if default.is_scalar() && !choices.contains(&default.json()) => {
                wrong("the default is none of `enum_values`")
            }
            _ => Ok(()),
        }
    }

    /// Whether it says what is filled in.
    pub(crate) fn has_default(&self) -> bool {
        self.default.is_some()
    }

    /// Whether `null` is filled in, too.
    pub(crate) fn fills_null(&self) -> bool {
        self.has_default() && !self.said.nullable
    }

    /// The shape of a value of which this is said.
    pub(crate) fn shape(&self, shape: TokenStream) -> TokenStream {
        let atomic = self.said.atomic.map(|atomic| quote!(.with_atomic(#atomic)));
        let nullable = self.said.nullable.then(|| quote!(.or_null()));
        let open = self.said.open.then(|| quote!(.with_others(true)));
        if atomic.is_none() && nullable.is_none() && open.is_none() {
            return shape;
        }
        quote!({
            const SHAPE: &__lib::Shape = &(#shape)#atomic #nullable #open;
            SHAPE
        })
    }

    /// The type must be one that the option is about.
    fn about(&mut self, option: &str, span: Span) {
        let (names, words) = match option {
            "minimum" | "maximum" | "exclusive_minimum" | "exclusive_maximum" | "multiple_of" => {
                (NUMBERS, "numbers")
            }
            "min_length" | "max_length" | "pattern" => (TEXTS, "texts"),
            "min_items" | "max_items" | "list_type" | "items" => (LISTS, "lists"),
            "min_properties" | "max_properties" | "map_type" => (OBJECTS, "maps and structs"),
            "values" => (&["Map"][..], "maps"),
            _ => return,
        };
        let kinds = kinds(names);
        self.checks.push(Check {
            condition: quote!(shape.is_one_of(#kinds)),
            message: format!("`{option}` is for {words}"),
            span,
        });
    }

    fn default_value(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let literal: Literal = meta.value()?.parse()?;
        let (text, constant) = (literal.json(), literal.constant());
        self.calls.push(quote!(default_json(#text)));
        self.checks.push(Check {
            condition: quote!(shape.takes(&#constant)),
            message: format!("the default is {}, which the type does not take", literal.name()),
            span: literal.span,
        });
        if !literal.is_scalar() {
            self.checks.push(Check {
                condition: quote!(shape.is_complete(&#constant)),
                message: "servers refuse the default: it leaves out what is required".to_owned(),
                span: literal.span,
            });
        }
        self.default = Some(literal);
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
        if name == "items" {
            self.items = inner.said;
        }
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
        self.choices = Some(texts);
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

/// Kinds of values in the library's words.
pub(super) fn kinds(names: &[&str]) -> TokenStream {
    let kinds = names.iter().map(|name| syn::Ident::new(name, Span::call_site()));
    quote!(&[#(__lib::Is::#kinds),*])
}

/// The calls of `Member` that an option stands for; `None` if the option is none.
fn call(name: &str, meta: &ParseNestedMeta<'_>) -> Result<Option<Vec<TokenStream>>> {
    let method = meta.path.to_token_stream();
    Ok(Some(vec![match name {
        "multiple_of" => {
            let number: Expr = meta.value()?.parse()?;
            quote!(#method((#number) as f64))
        }
        "pattern" => {
            let text = text(meta)?;
            let refused = |wrong| {
                Error::new(
                    text.span(),
                    format!("servers refuse every value by this pattern: {wrong}"),
                )
            };
            pattern::check(&text.value()).map_err(refused)?;
            quote!(#method(#text))
        }
        "format" | "title" => {
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
