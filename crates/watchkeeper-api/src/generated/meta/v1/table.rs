//! `meta/v1`: `Table` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ListMeta;
use crate::codec::codec;
use crate::{IStr, List, Raw};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.Table`.
#[derive(Clone, Default, PartialEq)]
pub struct Table {
    pub metadata: ListMeta,
    pub column_definitions: List<TableColumnDefinition>,
    pub rows: List<TableRow>,
}

codec! { Table (json): any "meta.k8s.io/v1"
    2 "metadata" [] opt metadata
    3 "columnDefinitions" [] opt column_definitions
    4 "rows" [] opt rows
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.TableColumnDefinition`.
#[derive(Clone, Default, PartialEq)]
pub struct TableColumnDefinition {
    pub name: IStr,
    pub type_: IStr,
    pub format: IStr,
    pub description: IStr,
    pub priority: i32,
}

codec! { TableColumnDefinition (json)
    0 "name" [] req name
    1 "type" [] req type_
    2 "format" [] req format
    3 "description" [] req description
    4 "priority" [] req priority
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.TableRow`.
#[derive(Clone, Default, PartialEq)]
pub struct TableRow {
    pub cells: List<Raw>,
    pub conditions: List<TableRowCondition>,
    pub object: Raw,
}

codec! { TableRow (json)
    0 "cells" [] opt cells
    1 "conditions" [] opt conditions
    2 "object" [] opt object
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.TableRowCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct TableRowCondition {
    pub type_: IStr,
    pub status: IStr,
    pub reason: IStr,
    pub message: IStr,
}

codec! { TableRowCondition (json)
    0 "type" [] req type_
    1 "status" [] req status
    2 "reason" [] opt reason
    3 "message" [] opt message
}
