//! Content negotiation: which of the forms that a client accepts is written.

use http::{HeaderMap, header};

use super::query::Query;
use crate::error::{ApiError, Result};
use crate::table::Include;

/// The media types that answers may have, as the 406 answer lists them.
pub const OFFERED: &str = "application/json";

/// The form of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Representation {
    /// The object as it is.
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

/// Picks the first acceptable form.
///
/// # Errors
///
/// 406 when nothing the client accepts can be written, 400 for an unknown `includeObject`.
pub fn representation(headers: &HeaderMap, query: &Query) -> Result<Representation> {
    let accepts = accepted(headers);
    if accepts.is_empty() {
        return Ok(Representation::Object);
    }
    for accept in &accepts {
        if let Some(representation) = accept.representation(query)? {
            return Ok(representation);
        }
    }
    Err(ApiError::not_acceptable(OFFERED))
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
}

/// The entries of the Accept headers in the client's order.
#[must_use]
pub fn accepted(headers: &HeaderMap) -> Vec<Accept> {
    let values = headers.get_all(header::ACCEPT).into_iter().filter_map(|v| v.to_str().ok());
    values.flat_map(|value| value.split(',')).filter_map(one).collect()
}

fn one(text: &str) -> Option<Accept> {
    let mut parts = text.split(';').map(str::trim);
    let media_type = parts.next().filter(|media_type| !media_type.is_empty())?;
    let mut accept = Accept { media_type: media_type.to_owned(), ..Accept::default() };
    for part in parts {
        match part.split_once('=') {
            Some(("as", kind)) => accept.kind = kind.to_owned(),
            Some(("g", group)) => accept.group = group.to_owned(),
            Some(("v", version)) => accept.version = version.to_owned(),
            _ => {}
        }
    }
    Some(accept)
}

impl Accept {
    /// Whether JSON satisfies the entry.
    #[must_use]
    pub fn takes_json(&self) -> bool {
        matches!(&*self.media_type, "application/json" | "*/*" | "application/*")
    }

    fn representation(&self, query: &Query) -> Result<Option<Representation>> {
        if !self.takes_json() {
            return Ok(None);
        }
        let version = self.version.clone();
        let known = self.group == "meta.k8s.io" && matches!(&*version, "v1" | "v1beta1");
        Ok(match &*self.kind {
            "" => Some(Representation::Object),
            "Table" if known => Some(Representation::Table { version, include: include(query)? }),
            "PartialObjectMetadata" | "PartialObjectMetadataList" if known => {
                Some(Representation::Partial { version })
            }
            _ => None,
        })
    }
}

fn include(query: &Query) -> Result<Include> {
    let text = query.text("includeObject");
    Include::parse(text).ok_or_else(|| {
        let quoted = crate::error::quoted(text);
        ApiError::bad_request(format!("unrecognized includeObject value: {quoted}"))
    })
}
