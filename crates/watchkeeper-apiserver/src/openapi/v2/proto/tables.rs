//! The messages that documents of ours are made of.

use super::Form::{
    Any, Anys, Entries, Flag, In, Number, Parameters, Requirements, SchemaOrFlag, Text, Texts,
    Type, Whole,
};
use super::Message;

pub(super) static DOCUMENT: Message = Message {
    members: &[
        ("swagger", 1, Text),
        ("info", 2, In(&[], &INFO)),
        ("paths", 8, Entries(2, &[], &PATH)),
        ("definitions", 9, Entries(1, &[], &SCHEMA)),
        ("security", 12, Requirements),
        ("securityDefinitions", 13, Entries(1, &[2], &API_KEY)),
    ],
    extensions: 16,
};

static INFO: Message =
    Message { members: &[("title", 1, Text), ("version", 2, Text)], extensions: 7 };

static API_KEY: Message = Message {
    members: &[("type", 1, Text), ("name", 2, Text), ("in", 3, Text), ("description", 4, Text)],
    extensions: 5,
};

static PATH: Message = Message {
    members: &[
        ("get", 2, In(&[], &OPERATION)),
        ("put", 3, In(&[], &OPERATION)),
        ("post", 4, In(&[], &OPERATION)),
        ("delete", 5, In(&[], &OPERATION)),
        ("options", 6, In(&[], &OPERATION)),
        ("head", 7, In(&[], &OPERATION)),
        ("patch", 8, In(&[], &OPERATION)),
        ("parameters", 9, Parameters),
    ],
    extensions: 10,
};

static OPERATION: Message = Message {
    members: &[
        ("produces", 6, Texts),
        ("consumes", 7, Texts),
        ("parameters", 8, Parameters),
        ("responses", 9, Entries(1, &[1], &RESPONSE)),
    ],
    extensions: 13,
};

static RESPONSE: Message = Message {
    members: &[("description", 1, Text), ("schema", 2, In(&[1], &SCHEMA))],
    extensions: 5,
};

pub(super) static BODY: Message = Message {
    members: &[
        ("name", 2, Text),
        ("in", 3, Text),
        ("required", 4, Flag),
        ("schema", 5, In(&[], &SCHEMA)),
    ],
    extensions: 6,
};

/// A parameter of a path.
pub(super) static PLACE: Message = Message {
    members: &[
        ("required", 1, Flag),
        ("in", 2, Text),
        ("name", 4, Text),
        ("type", 5, Text),
        ("uniqueItems", 19, Flag),
    ],
    extensions: 22,
};

/// A parameter of a query: numbered on after one that those of a path do not have.
pub(super) static QUERY: Message = Message {
    members: &[
        ("required", 1, Flag),
        ("in", 2, Text),
        ("name", 4, Text),
        ("type", 6, Text),
        ("uniqueItems", 20, Flag),
    ],
    extensions: 23,
};

static EXTERNAL_DOCS: Message =
    Message { members: &[("description", 1, Text), ("url", 2, Text)], extensions: 3 };

pub(super) static SCHEMA: Message = Message {
    members: &[
        ("$ref", 1, Text),
        ("format", 2, Text),
        ("title", 3, Text),
        ("description", 4, Text),
        ("multipleOf", 6, Number),
        ("maximum", 7, Number),
        ("exclusiveMaximum", 8, Flag),
        ("minimum", 9, Number),
        ("exclusiveMinimum", 10, Flag),
        ("maxLength", 11, Whole),
        ("minLength", 12, Whole),
        ("pattern", 13, Text),
        ("maxItems", 14, Whole),
        ("minItems", 15, Whole),
        ("uniqueItems", 16, Flag),
        ("maxProperties", 17, Whole),
        ("minProperties", 18, Whole),
        ("required", 19, Texts),
        ("enum", 20, Anys),
        ("additionalProperties", 21, SchemaOrFlag),
        ("type", 22, Type),
        ("items", 23, In(&[1], &SCHEMA)),
        ("properties", 25, Entries(1, &[], &SCHEMA)),
        ("externalDocs", 29, In(&[], &EXTERNAL_DOCS)),
        ("example", 30, Any),
    ],
    extensions: 31,
};
