//! Functions by their signatures, as they are written in [`libraries`].

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::libraries;
use super::types::{Form, Type};

/// What a function takes and gives.
#[derive(Debug)]
pub(super) struct Overload {
    /// Whether the first argument stands before the name.
    pub(super) is_method: bool,
    pub(super) args: Vec<Type>,
    pub(super) result: Type,
    /// What is open in it.
    pub(super) parameters: Vec<char>,
}

type Functions = BTreeMap<String, Vec<Overload>>;

/// What every expression may call.
static BASE: LazyLock<Functions> = LazyLock::new(|| read(libraries::BASE));
/// What those that make patches may call besides.
static OF_PATCHES: LazyLock<Functions> = LazyLock::new(|| read(&[libraries::JSON_PATCH]));

/// The function of a name.
pub(super) fn named(name: &str, with_patches: bool) -> Option<&'static [Overload]> {
    let own = with_patches.then(|| OF_PATCHES.get(name)).flatten();
    own.or_else(|| BASE.get(name)).map(Vec::as_slice)
}

fn read(libraries: &[&str]) -> Functions {
    let mut functions = Functions::new();
    for line in libraries.iter().flat_map(|library| library.lines()) {
        for line in spelled_out(line.trim()) {
            if let Some((name, overload)) = signature(&line) {
                functions.entry(name.to_owned()).or_default().push(overload);
            }
        }
    }
    functions
}

/// A line for each of the types that a sign in it stands for.
pub(super) fn spelled_out(line: &str) -> Vec<String> {
    let signs = [
        ('$', libraries::COMPARABLE),
        ('#', libraries::SUMMABLE),
        ('^', libraries::COMPARABLE_PAIRS),
    ];
    match signs.into_iter().find(|(sign, _)| line.contains(*sign)) {
        Some((sign, types)) => types.iter().map(|of| line.replace(sign, of)).collect(),
        None => vec![line.to_owned()],
    }
}

/// Reads `name(types): type`, with a dot before it if it is a method.
pub(super) fn signature(line: &str) -> Option<(&str, Overload)> {
    let (name, rest) = line.split_once('(')?;
    let (mut args, result) = rest.rsplit_once("): ")?;
    let method = name.strip_prefix('.');
    let args = several(&mut args).filter(|_| args.is_empty())?;
    let mut parameters = Vec::new();
    for arg in &args {
        add_parameters(arg, &mut parameters);
    }
    let result = type_named(result)?;
    add_parameters(&result, &mut parameters);
    let overload = Overload { is_method: method.is_some(), args, result, parameters };
    Some((method.unwrap_or(name), overload))
}

fn add_parameters(of: &Type, found: &mut Vec<char>) {
    match of {
        Type::Parameter(name) if !found.contains(name) => found.push(*name),
        Type::Of(of) => of.parts.iter().for_each(|part| add_parameters(part, found)),
        _ => {}
    }
}

/// The type of a name, `map(string, dyn)` for instance.
pub(super) fn type_named(text: &str) -> Option<Type> {
    let mut rest = text;
    one(&mut rest).filter(|_| rest.is_empty())
}

/// Types apart by commas, up to a bracket or the end.
fn several(rest: &mut &str) -> Option<Vec<Type>> {
    let mut types = Vec::new();
    while !rest.is_empty() && !rest.starts_with(')') {
        types.push(one(rest)?);
        if let Some(after) = rest.strip_prefix(", ") {
            *rest = after;
        }
    }
    Some(types)
}

fn one(rest: &mut &str) -> Option<Type> {
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '_');
    let end = rest.find(|sign: char| !is_name(sign)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    *rest = after;
    let mut parts = Vec::new();
    if let Some(inside) = rest.strip_prefix('(') {
        *rest = inside;
        parts = several(rest)?;
        *rest = rest.strip_prefix(')')?;
    }
    Some(match name {
        "" => return None,
        "list" => Type::of(Form::List, parts),
        "map" => Type::of(Form::Map, parts),
        "optional" => Type::of(Form::Optional, parts),
        "type" => Type::of(Form::Type, parts),
        name => plain(name),
    })
}

fn plain(name: &str) -> Type {
    let mut signs = name.chars();
    match (name, signs.next(), signs.next()) {
        ("any", ..) => Type::Any,
        ("bool", ..) => Type::Bool,
        ("bytes", ..) => Type::Bytes,
        ("double", ..) => Type::Double,
        ("duration", ..) => Type::Duration,
        ("dyn", ..) => Type::Dyn,
        ("int", ..) => Type::Int,
        ("null", ..) => Type::Null,
        ("string", ..) => Type::String,
        ("timestamp", ..) => Type::Timestamp,
        ("uint", ..) => Type::Uint,
        ("net.IP" | "net.CIDR", ..) => Type::Opaque(name.into()),
        (_, Some(letter), None) => Type::Parameter(letter),
        _ => Type::object(name),
    }
}
