//! `#[object(…)]`.

use std::sync::LazyLock;

use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Error, LitStr, Path, Result, Token};

use super::{Column, JsonPath, WholeOptions, flag, option_name, pair, suggest, text, texts, whole};

/// The options of a kind.
#[derive(Default)]
pub(crate) struct ObjectOptions {
    pub(crate) group: Option<LitStr>,
    pub(crate) version: Option<LitStr>,
    pub(crate) kind: Option<LitStr>,
    pub(crate) plural: Option<LitStr>,
    pub(crate) singular: Option<LitStr>,
    pub(crate) list_kind: Option<LitStr>,
    pub(crate) annotations: Vec<(LitStr, LitStr)>,
    pub(crate) labels: Vec<(LitStr, LitStr)>,
    pub(crate) short_names: Vec<LitStr>,
    pub(crate) categories: Vec<LitStr>,
    pub(crate) is_cluster: bool,
    pub(crate) status: bool,
    pub(crate) scale: Option<Scale>,
    pub(crate) columns: Vec<Column>,
    pub(crate) selectable: Vec<JsonPath>,
    pub(crate) unserved: bool,
    pub(crate) unstored: bool,
    /// The warning, or an empty text.
    pub(crate) deprecated: Option<String>,
    pub(crate) versions: Vec<Path>,
    /// What is said of the struct.
    pub(crate) whole: WholeOptions,
}

/// `scale(…)`.
pub(crate) struct Scale {
    pub(crate) spec_replicas: JsonPath,
    pub(crate) status_replicas: JsonPath,
    pub(crate) label_selector: Option<JsonPath>,
}

pub(super) static KNOWN: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let own: &[&str] = &[
        "group",
        "version",
        "kind",
        "plural",
        "singular",
        "list_kind",
        "short_names",
        "categories",
        "annotation",
        "label",
        "scope",
        "status",
        "scale",
        "printcolumn",
        "selectable",
        "served",
        "storage",
        "deprecated",
        "versions",
    ];
    [own, whole::KNOWN].concat()
});

impl ObjectOptions {
    pub(crate) fn parse(input: &DeriveInput) -> Result<Self> {
        let mut options = Self::default();
        for attribute in input.attrs.iter().filter(|a| a.path().is_ident("object")) {
            attribute.parse_nested_meta(|meta| options.option(&meta))?;
        }
        options.whole.member.finish()?;
        Ok(options)
    }

    fn option(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        match option_name(meta).as_str() {
            "group" => self.group = Some(text(meta)?),
            "version" => self.version = Some(text(meta)?),
            "kind" => self.kind = Some(text(meta)?),
            "plural" => self.plural = Some(text(meta)?),
            "singular" => self.singular = Some(text(meta)?),
            "list_kind" => self.list_kind = Some(text(meta)?),
            "short_names" => self.short_names = texts(meta)?,
            "categories" => self.categories = texts(meta)?,
            "annotation" => self.annotations.push(pair(meta)?),
            "label" => self.labels.push(pair(meta)?),
            "scope" => self.is_cluster = is_cluster(&text(meta)?)?,
            "status" => self.status = true,
            "scale" => self.scale = Some(scale(meta)?),
            "printcolumn" => self.columns.push(Column::parse(meta)?),
            _ => return self.version_option(meta),
        }
        Ok(())
    }

    /// What is said of a version, and what any struct may say.
    fn version_option(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        match option_name(meta).as_str() {
            "selectable" => {
                for path in texts(meta)? {
                    self.selectable.push(JsonPath::plain(path, &[])?);
                }
            }
            "served" => self.unserved = !flag(meta)?,
            "storage" => self.unstored = !flag(meta)?,
            "deprecated" => self.deprecated = Some(deprecated(meta)?),
            "versions" => {
                let content;
                syn::parenthesized!(content in meta.input);
                let paths = Punctuated::<Path, Token![,]>::parse_terminated(&content)?;
                self.versions.extend(paths);
            }
            _ if self.whole.option(meta)? => {}
            _ => return Err(suggest::unknown(meta, &KNOWN)),
        }
        Ok(())
    }
}

/// `deprecated`, or `deprecated = "what clients are told"`.
fn deprecated(meta: &ParseNestedMeta<'_>) -> Result<String> {
    if !meta.input.peek(Token![=]) {
        return Ok(String::new());
    }
    let warning = text(meta)?;
    // Upstream's `validateCustomResourceDefinitionVersion`.
    if warning.value().len() > 256 || warning.value().chars().any(char::is_control) {
        let message = "a warning is one line of 256 bytes at the most";
        return Err(Error::new(warning.span(), message));
    }
    Ok(warning.value())
}

fn is_cluster(scope: &LitStr) -> Result<bool> {
    match scope.value().as_str() {
        "Cluster" => Ok(true),
        "Namespaced" => Ok(false),
        _ => Err(Error::new(scope.span(), "expected Namespaced or Cluster")),
    }
}

pub(super) const SCALE: &[&str] = &["spec_replicas", "status_replicas", "label_selector"];

fn scale(meta: &ParseNestedMeta<'_>) -> Result<Scale> {
    let (mut spec_replicas, mut status_replicas, mut label_selector) = (None, None, None);
    meta.parse_nested_meta(|meta| {
        let path = |roots: &[&str]| JsonPath::plain(text(&meta)?, roots);
        match option_name(&meta).as_str() {
            "spec_replicas" => spec_replicas = Some(path(&["spec"])?),
            "status_replicas" => status_replicas = Some(path(&["status"])?),
            "label_selector" => label_selector = Some(path(&["spec", "status"])?),
            _ => return Err(suggest::unknown(&meta, SCALE)),
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
