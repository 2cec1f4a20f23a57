//! `#[object(…)]`.

use syn::meta::ParseNestedMeta;
use syn::parse::Parser as _;
use syn::{DeriveInput, Error, LitInt, LitStr, Result, Token};

use super::{option_name, text, texts};

/// The options of a kind.
#[derive(Default)]
pub(crate) struct ObjectOptions {
    pub(crate) group: Option<LitStr>,
    pub(crate) version: Option<LitStr>,
    pub(crate) kind: Option<LitStr>,
    pub(crate) plural: Option<LitStr>,
    pub(crate) singular: Option<LitStr>,
    pub(crate) annotations: Vec<(LitStr, LitStr)>,
    pub(crate) short_names: Vec<LitStr>,
    pub(crate) categories: Vec<LitStr>,
    pub(crate) is_cluster: bool,
    pub(crate) status: bool,
    pub(crate) scale: Option<Scale>,
    pub(crate) columns: Vec<Column>,
    pub(crate) library: Option<LitStr>,
}

/// `scale(…)`.
pub(crate) struct Scale {
    pub(crate) spec_replicas: LitStr,
    pub(crate) status_replicas: LitStr,
    pub(crate) label_selector: Option<LitStr>,
}

/// `printcolumn(…)`.
pub(crate) struct Column {
    pub(crate) name: LitStr,
    pub(crate) type_: LitStr,
    pub(crate) json_path: LitStr,
    pub(crate) description: Option<LitStr>,
    pub(crate) format: Option<LitStr>,
    pub(crate) priority: Option<LitInt>,
}

const KNOWN: &str = "unknown option; known are group, version, kind, plural, singular, \
    short_names, categories, annotation, scope, status, scale, printcolumn, crate";

impl ObjectOptions {
    pub(crate) fn parse(input: &DeriveInput) -> Result<Self> {
        let mut options = Self::default();
        for attribute in input.attrs.iter().filter(|a| a.path().is_ident("object")) {
            attribute.parse_nested_meta(|meta| options.option(&meta))?;
        }
        Ok(options)
    }

    fn option(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        match option_name(meta).as_str() {
            "group" => self.group = Some(text(meta)?),
            "version" => self.version = Some(text(meta)?),
            "kind" => self.kind = Some(text(meta)?),
            "plural" => self.plural = Some(text(meta)?),
            "singular" => self.singular = Some(text(meta)?),
            "short_names" => self.short_names = texts(meta)?,
            "categories" => self.categories = texts(meta)?,
            "annotation" => self.annotations.push(annotation(meta)?),
            "scope" => self.is_cluster = is_cluster(&text(meta)?)?,
            "status" => self.status = true,
            "scale" => self.scale = Some(scale(meta)?),
            "printcolumn" => self.columns.push(column(meta)?),
            "crate" => self.library = Some(text(meta)?),
            _ => return Err(meta.error(KNOWN)),
        }
        Ok(())
    }
}

/// `annotation("key", "value")`
fn annotation(meta: &ParseNestedMeta<'_>) -> Result<(LitStr, LitStr)> {
    match <[LitStr; 2]>::try_from(texts(meta)?) {
        Ok([key, value]) => Ok((key, value)),
        Err(_) => Err(meta.error("expected a key and a value")),
    }
}

fn is_cluster(scope: &LitStr) -> Result<bool> {
    match scope.value().as_str() {
        "Cluster" => Ok(true),
        "Namespaced" => Ok(false),
        _ => Err(Error::new(scope.span(), "expected Namespaced or Cluster")),
    }
}

fn scale(meta: &ParseNestedMeta<'_>) -> Result<Scale> {
    let (mut spec_replicas, mut status_replicas, mut label_selector) = (None, None, None);
    meta.parse_nested_meta(|meta| {
        match option_name(&meta).as_str() {
            "spec_replicas" => spec_replicas = Some(text(&meta)?),
            "status_replicas" => status_replicas = Some(text(&meta)?),
            "label_selector" => label_selector = Some(text(&meta)?),
            _ => {
                return Err(meta.error("expected spec_replicas, status_replicas or label_selector"));
            }
        }
        Ok(())
    })?;
    Ok(Scale {
        spec_replicas: spec_replicas.ok_or_else(|| meta.error("`spec_replicas` is missing"))?,
        status_replicas: status_replicas
            .ok_or_else(|| meta.error("`status_replicas` is missing"))?,
        label_selector,
    })
}

/// Name, type and path as plain texts in this order, or each by its name; then the rest by name.
fn column(meta: &ParseNestedMeta<'_>) -> Result<Column> {
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
            _ => {
                let known = "expected name, type, json_path, description, format or priority";
                return Err(meta.error(known));
            }
        }
        Ok(())
    })
    .parse2(content.parse()?)?;
    Ok(Column {
        name: name.ok_or_else(|| meta.error("`name` is missing"))?,
        type_: column_type(type_.ok_or_else(|| meta.error("`type` is missing"))?)?,
        json_path: json_path.ok_or_else(|| meta.error("`json_path` is missing"))?,
        description,
        format,
        priority,
    })
}

fn column_type(text: LitStr) -> Result<LitStr> {
    match text.value().as_str() {
        "integer" | "number" | "string" | "boolean" | "date" => Ok(text),
        _ => Err(Error::new(text.span(), "expected integer, number, string, boolean or date")),
    }
}
