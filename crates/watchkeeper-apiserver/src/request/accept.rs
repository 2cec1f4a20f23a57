//! Content negotiation: which of the forms that a client accepts is written.
//!
//! Upstream asks twice. The router (go-restful) wants one entry of the Accept headers to be a media
//! type that the path has, or `*/*`. Then the best entry is looked for by quality (goautoneg), with
//! what its parameters ask for: `as`, `g` and `v` name a form, `stream` how frames are cut. The paths
//! of custom resources have no router of that kind.

use http::{HeaderMap, header};

use super::query::Query;
use crate::error::{ApiError, Result};
use crate::protobuf;
use crate::reply;
use crate::resource::Resource;
use crate::table::Include;

/// The media types that answers may have, as the 406 answer lists them.
pub const OFFERED: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/// The media types of streams, likewise.
const STREAMED: &str =
    "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codec {
    /// `application/json`.
    #[default]
    Json,
    /// `application/yaml`.
    Yaml,
    /// `application/vnd.kubernetes.protobuf`: built-in kinds, and metadata of all kinds.
    Protobuf,
}

impl Codec {
    /// All, in the order in which they are preferred.
    const ALL: [Self; 3] = [Self::Json, Self::Yaml, Self::Protobuf];

    /// The media type of whole answers.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => reply::JSON,
            Self::Yaml => reply::YAML,
            Self::Protobuf => protobuf::MEDIA_TYPE,
        }
    }

    /// The media type of a watch: JSON keeps its own, whatever is in the frames (V1.4).
    #[must_use]
    pub const fn stream_type(self) -> &'static str {
        match self {
            Self::Protobuf => protobuf::WATCH_MEDIA_TYPE,
            Self::Json | Self::Yaml => reply::JSON,
        }
    }
}

/// How and in which form objects are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// How.
    pub codec: Codec,
    /// In which form.
    pub representation: Representation,
}

/// The form of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Representation {
    /// The object as it is.
    #[default]
    Object,
    /// `meta.k8s.io` Table.
    Table {
        /// `v1` or `v1beta1`.
        version: String,
        /// What a row carries of its object.
        include: Include,
    },
    /// Metadata only.
    Partial {
        /// `v1` or `v1beta1`.
        version: String,
    },
}

/// What is asked, as far as it matters for the form of the answer.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Of which resource.
    pub resource: &'a Resource,
    /// It is a collection.
    pub collection: bool,
    /// It is a watch.
    pub watch: bool,
}

/// Picks the form that the client likes best.
///
/// # Errors
///
/// 406 when nothing the client accepts can be written, 400 for an unknown `includeObject`.
pub fn form(headers: &HeaderMap, query: &Query, asked: Asked<'_>) -> Result<Form> {
    let accepts = accepted(headers);
    if accepts.is_empty() {
        return Ok(Form::default());
    }
    if asked.resource.custom.is_none() {
        route(&accepts, asked.collection)?;
    }
    let form = best(&accepts, |accept, codec| accept.form(codec, query, asked)).transpose()?;
    let form = form.ok_or_else(|| ApiError::not_accepted(OFFERED))?;
    if asked.watch && form.codec == Codec::Yaml {
        return Err(ApiError::not_accepted(STREAMED));
    }
    Ok(form)
}

/// The codec of what has no other form: discovery, errors. None when the client accepts none.
#[must_use]
pub fn codec(headers: &HeaderMap) -> Option<Codec> {
    let accepts = accepted(headers);
    if accepts.is_empty() {
        return Some(Codec::Json);
    }
    best(&accepts, |accept, codec| (!accept.converts && accept.streams(codec)).then_some(codec))
}

/// Whether the best of the client's entries that JSON satisfies asks for lines.
pub(crate) fn wants_lines(headers: &HeaderMap) -> bool {
    let accepts = accepted(headers);
    let mut order = in_order(&accepts).into_iter();
    order.find(|one| one.takes(Codec::Json)).is_some_and(|one| one.pretty)
}

/// Whether a path that has JSON alone will do.
///
/// # Errors
///
/// 406 when it will not.
pub fn json(headers: &HeaderMap) -> Result<()> {
    let accepts = accepted(headers);
    if accepts.is_empty() || accepts.iter().any(|accept| accept.takes(Codec::Json)) {
        return Ok(());
    }
    Err(ApiError::not_acceptable(reply::JSON))
}

/// go-restful compares whole names.
fn route(accepts: &[Accept], collection: bool) -> Result<()> {
    let fits = |accept: &Accept| {
        accept.media_type == "*/*"
            || Codec::ALL.iter().any(|codec| codec.media_type() == accept.media_type)
    };
    if accepts.iter().any(fits) {
        return Ok(());
    }
    Err(ApiError::not_acceptable(&match collection {
        true => format!("{OFFERED}, {STREAMED}"),
        false => OFFERED.to_owned(),
    }))
}

/// The first of these media types that the client takes, by its own order; the first of all where it
/// does not say what it takes.
pub(crate) fn pick<'a>(headers: &HeaderMap, offered: &[&'a str]) -> Option<&'a str> {
    let accepts = accepted(headers);
    if accepts.is_empty() {
        return offered.first().copied();
    }
    let order = in_order(&accepts);
    order.into_iter().find_map(|one| offered.iter().find(|offered| one.names(offered)).copied())
}

/// The first of the client's entries, the best first, for which there is something.
fn best<T>(accepts: &[Accept], mut of: impl FnMut(&Accept, Codec) -> Option<T>) -> Option<T> {
    let order = in_order(accepts);
    let pairs = order.into_iter().flat_map(|one| Codec::ALL.map(|codec| (one, codec)));
    pairs.filter(|(one, codec)| one.takes(*codec)).find_map(|(one, codec)| of(one, codec))
}

/// The client's entries, the best first.
fn in_order(accepts: &[Accept]) -> Vec<&Accept> {
    let mut order: Vec<&Accept> = accepts.iter().collect();
    // As goautoneg sorts: one after the other sinks in front of those that it comes before, and what
    // is spelled out comes before a wildcard of any quality.
    for end in 1..order.len() {
        for at in (1..=end).rev() {
            if !order[at].comes_before(order[at - 1]) {
                break;
            }
            order.swap(at, at - 1);
        }
    }
    order
}

/// One entry of an Accept header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accept {
    /// E.g. `application/json`.
    pub media_type: String,
    /// The kind to convert to.
    pub kind: String,
    /// Its group.
    pub group: String,
    /// Its version.
    pub version: String,
    /// Whether a conversion is asked for at all.
    pub converts: bool,
    /// How frames are cut.
    pub stream: String,
    /// Whether JSON is to be written in lines.
    pub pretty: bool,
    /// In thousandths.
    pub quality: u32,
}

/// More entries than these are not looked at.
const MOST: usize = 100;

/// The entries of the Accept headers in the client's order.
#[must_use]
pub fn accepted(headers: &HeaderMap) -> Vec<Accept> {
    let values = headers.get_all(header::ACCEPT).into_iter().filter_map(|v| v.to_str().ok());
    values.flat_map(|value| value.split(',')).filter_map(one).take(MOST).collect()
}

fn one(text: &str) -> Option<Accept> {
    let mut parts = text.split(';').map(str::trim);
    let media_type = parts.next().filter(|media_type| !media_type.is_empty())?;
    let mut accept =
        Accept { media_type: media_type.to_owned(), quality: 1000, ..Accept::default() };
    for part in parts {
        let Some((name, value)) = part.split_once('=') else { continue };
        let place = match name {
            "as" => &mut accept.kind,
            "g" => &mut accept.group,
            "v" => &mut accept.version,
            "stream" => &mut accept.stream,
            "q" => {
                accept.quality = quality(value);
                continue;
            }
            "pretty" => {
                accept.pretty = value == "1";
                continue;
            }
            _ => continue,
        };
        value.clone_into(place);
        accept.converts |= matches!(name, "as" | "g" | "v");
    }
    Some(accept)
}

/// In thousandths; what cannot be read counts as one.
fn quality(text: &str) -> u32 {
    let quality = text.parse::<f64>().ok().filter(|quality| (0.0..=1.0).contains(quality));
    let Some(quality) = quality else { return 1000 };
    (0..1000).find(|thousandths| f64::from(*thousandths) >= quality * 1000.0).unwrap_or(1000)
}

impl Accept {
    /// Whether the codec satisfies the entry.
    #[must_use]
    pub fn takes(&self, codec: Codec) -> bool {
        self.names(codec.media_type())
    }

    /// Whether it is that media type, or a wildcard for it.
    fn names(&self, media_type: &str) -> bool {
        matches!(&*self.media_type, "*/*" | "application/*") || self.media_type == media_type
    }

    fn comes_before(&self, other: &Self) -> bool {
        let is_any = |accept: &Self| accept.media_type.starts_with('*');
        let is_open = |accept: &Self| accept.media_type.ends_with('*');
        self.quality > other.quality
            || !is_any(self) && is_any(other)
            || !is_open(self) && is_open(other)
    }

    /// Whether the codec can be cut into frames as asked for.
    fn streams(&self, codec: Codec) -> bool {
        self.stream.is_empty() || self.stream == "watch" && codec != Codec::Yaml
    }

    fn form(&self, codec: Codec, query: &Query, asked: Asked<'_>) -> Option<Result<Form>> {
        if !self.streams(codec) {
            return None;
        }
        let version = self.version.clone();
        let known = self.group == "meta.k8s.io" && matches!(&*version, "v1" | "v1beta1");
        let representation = match &*self.kind {
            "" if self.converts || asked.resource.custom.is_some() && codec == Codec::Protobuf => {
                return None;
            }
            "" => Ok(Representation::Object),
            "Table" if known && codec != Codec::Protobuf => {
                include(query).map(|include| Representation::Table { version, include })
            }
            "PartialObjectMetadata" | "PartialObjectMetadataList" if known => {
                self.check_shape(asked).map(|()| Representation::Partial { version })
            }
            _ => return None,
        };
        Some(representation.map(|representation| Form { codec, representation }))
    }

    /// Metadata of a list is a list.
    fn check_shape(&self, asked: Asked<'_>) -> Result<()> {
        let Resource { group, kind, list_kind, custom, .. } = asked.resource;
        if asked.watch || self.kind.ends_with("List") == asked.collection {
            return Ok(());
        }
        let (is, kind) =
            if asked.collection { ("a list", list_kind) } else { ("not a list", kind) };
        let package = group.split('.').next().filter(|group| !group.is_empty()).unwrap_or("core");
        let ty = match (custom, asked.collection) {
            (None, _) => format!("{package}.{kind}"),
            (Some(_), true) => "unstructured.UnstructuredList".to_owned(),
            (Some(_), false) => "unstructured.Unstructured".to_owned(),
        };
        let message =
            format!("you requested {}, but the requested object is {is} (*{ty})", self.kind);
        Err(ApiError::new(406, "NotAcceptable", message))
    }
}

fn include(query: &Query) -> Result<Include> {
    let text = query.text("includeObject");
    Include::parse(text).ok_or_else(|| {
        let quoted = crate::error::quoted(text);
        ApiError::bad_request(format!(
            "Unable to convert to Table as requested: includeObject: Invalid value: {quoted}: must be \
             'Metadata', 'Object', 'None', or empty"
        ))
    })
}

#[cfg(test)]
mod tests;
