//! Operators and functions: what they give, and what operators take.

use super::types::{Checker, Ty};

/// Names of types, which are values.
pub(super) const TYPES: &[&str] = &[
    "bool",
    "bytes",
    "double",
    "dyn",
    "duration",
    "int",
    "list",
    "map",
    "null_type",
    "string",
    "timestamp",
    "uint",
];

/// What names of functions begin with.
pub(super) const SPACES: &[&str] = &["format", "ip", "lists", "optional", "sets", "strings"];

/// What a call gives; what is wrong with it is told.
pub(super) fn result<'a>(
    checker: &mut Checker<'a>,
    name: &str,
    space: Option<&str>,
    target: Option<&Ty<'a>>,
    args: &[Ty<'a>],
) -> Ty<'a> {
    let is = |ty: &Ty<'_>| args.iter().all(|arg| arg.fits(ty));
    let fitting = match (name, args) {
        ("_&&_" | "_||_" | "!_" | "@not_strictly_false", _) => is(&Ty::Bool).then_some(Ty::Bool),
        ("_?_:_", [condition, then, other]) => (condition.fits(&Ty::Bool) && then.fits(other))
            .then(|| if other.fits(then) && loose(then) { other.clone() } else { then.clone() }),
        ("_==_" | "_!=_", [a, b]) => a.fits(b).then_some(Ty::Bool),
        ("_<_" | "_<=_" | "_>_" | "_>=_", [a, b]) => {
            let ordered = |ty: &Ty<'_>| {
                let plain = [Ty::Bool, Ty::Text, Ty::Bytes, Ty::Moment, Ty::Span];
                ty.is_number() || plain.contains(ty)
            };
            let fit = a.is_number() && b.is_number() || a.fits(b) && ordered(a) && ordered(b);
            fit.then_some(Ty::Bool)
        }
        ("_+_", [a, b]) => sum(a, b),
        ("_-_", [Ty::Moment, Ty::Moment]) => Some(Ty::Span),
        ("_-_", [Ty::Moment, Ty::Span]) => Some(Ty::Moment),
        ("_-_", [Ty::Span, Ty::Span]) => Some(Ty::Span),
        ("_-_" | "_*_" | "_/_" | "_%_", [a, b]) => {
            let numbers = a.is_number() && b.is_number() && a.fits(b);
            let whole = name != "_%_" || (*a != Ty::Double && *b != Ty::Double);
            (numbers && whole).then(|| if *a == Ty::Any { b.clone() } else { a.clone() })
        }
        ("-_", [a]) => (a.is_number() && *a != Ty::Uint).then(|| a.clone()),
        ("@in", [item, of]) => match of {
            Ty::List(items) => item.fits(items).then_some(Ty::Bool),
            Ty::Map(_) => item.fits(&Ty::Text).then_some(Ty::Bool),
            Ty::Any => Some(Ty::Bool),
            _ => None,
        },
        ("_[_]", [of, index]) => indexed(of, index),
        ("_[?_]", [of, index]) => indexed(of, index).map(|inner| Ty::Optional(Box::new(inner))),
        _ if name.contains('_') && !name.starts_with(|c: char| c.is_ascii_alphabetic()) => None,
        _ => return function(checker, name, space, target, args),
    };
    fitting.unwrap_or_else(|| {
        let args: Vec<String> = args.iter().map(Ty::name).collect();
        let what =
            format!("found no matching overload for '{name}' applied to '({})'", args.join(", "));
        checker.tell_at(sign(name), &what)
    })
}

/// An operator as it is written.
fn sign(name: &str) -> &str {
    match name {
        "@in" => "in",
        "_?_:_" => "?",
        "_[_]" | "_[?_]" => "[",
        name => name.trim_matches('_'),
    }
}

/// Whether it is not known what it is, or what is in it.
fn loose(ty: &Ty<'_>) -> bool {
    match ty {
        Ty::Any => true,
        Ty::List(inner) | Ty::Map(inner) | Ty::Optional(inner) => loose(inner),
        _ => false,
    }
}

fn sum<'a>(a: &Ty<'a>, b: &Ty<'a>) -> Option<Ty<'a>> {
    let fitting = match (a, b) {
        (Ty::Moment, Ty::Span) | (Ty::Span, Ty::Moment) => return Some(Ty::Moment),
        // Of an empty list the items may be anything.
        (Ty::List(a), Ty::List(b)) if **a == Ty::Any => return Some(Ty::List(b.clone())),
        (a, b) if !a.fits(b) => return None,
        (Ty::Any, b) => b,
        (a, _) => a,
    };
    let adds = matches!(fitting, Ty::Text | Ty::Bytes | Ty::List(_) | Ty::Span);
    (adds || fitting.is_number()).then(|| fitting.clone())
}

fn indexed<'a>(of: &Ty<'a>, index: &Ty<'a>) -> Option<Ty<'a>> {
    match of {
        Ty::List(items) => index.is_number().then(|| (**items).clone()),
        Ty::Map(values) => index.fits(&Ty::Text).then(|| (**values).clone()),
        Ty::Optional(inner) => indexed(inner, index),
        Ty::Any => Some(Ty::Any),
        _ => None,
    }
}

/// What the functions of a server give (upstream: `environment.MustBaseEnvSet`).
fn function<'a>(
    checker: &mut Checker<'a>,
    name: &str,
    space: Option<&str>,
    target: Option<&Ty<'a>>,
    args: &[Ty<'a>],
) -> Ty<'a> {
    let subject = target.or_else(|| args.first()).cloned().unwrap_or(Ty::Any);
    if (space, name) == (None, "size") && !has_size(&subject) {
        let what =
            format!("found no matching overload for 'size' applied to '({})'", told(&subject));
        return checker.tell_at("(", &what);
    }
    let found = match space {
        Some(space) => of_space(space, name, subject),
        None => plain(name).or_else(|| of_subject(name, subject, args)),
    };
    found.unwrap_or_else(|| {
        let space = space.map(|space| format!("{space}.")).unwrap_or_default();
        let what = format!("undeclared reference to '{space}{name}' (in container '')");
        checker.tell_at("(", &what)
    })
}

fn has_size(of: &Ty<'_>) -> bool {
    matches!(of, Ty::Any | Ty::Text | Ty::Bytes | Ty::List(_) | Ty::Map(_) | Ty::Optional(_))
}

/// The type of an object has a name that upstream makes up, with a number of its clock in it.
fn told(ty: &Ty<'_>) -> String {
    if matches!(ty, Ty::Object(..)) { "selfType0".to_owned() } else { ty.name() }
}

/// Functions that a word stands before.
fn of_space<'a>(space: &str, name: &str, subject: Ty<'a>) -> Option<Ty<'a>> {
    Some(match (space, name) {
        ("lists", "range") => Ty::List(Box::new(Ty::Int)),
        ("strings", "quote") => Ty::Text,
        ("optional", "none") => Ty::Optional(Box::new(Ty::Any)),
        ("optional", "of" | "ofNonZeroValue") => Ty::Optional(Box::new(subject)),
        ("sets", "contains" | "equivalent" | "intersects") | ("ip", "isCanonical") => Ty::Bool,
        (
            "format",
            "named"
            | "dns1123Label"
            | "dns1123Subdomain"
            | "dns1035Label"
            | "qualifiedName"
            | "dns1123LabelPrefix"
            | "dns1123SubdomainPrefix"
            | "dns1035LabelPrefix"
            | "labelValue"
            | "uri"
            | "uuid"
            | "byte"
            | "date"
            | "datetime",
        ) => Ty::Any,
        _ => return None,
    })
}

/// Functions that give the same whatever they are asked about.
fn plain<'a>(name: &str) -> Option<Ty<'a>> {
    Some(match name {
        "contains"
        | "startsWith"
        | "endsWith"
        | "matches"
        | "isSorted"
        | "hasValue"
        | "isURL"
        | "isIP"
        | "isCIDR"
        | "isQuantity"
        | "isSemver"
        | "isInteger"
        | "isLessThan"
        | "isGreaterThan"
        | "isUnspecified"
        | "isLoopback"
        | "isLinkLocalMulticast"
        | "isLinkLocalUnicast"
        | "isGlobalUnicast"
        | "containsIP"
        | "containsCIDR"
        | "bool" => Ty::Bool,
        "size" | "int" | "indexOf" | "lastIndexOf" | "compareTo" | "asInteger" | "sign"
        | "family" | "prefixLength" | "major" | "minor" | "patch" | "getFullYear" | "getMonth"
        | "getDate" | "getDayOfMonth" | "getDayOfWeek" | "getDayOfYear" | "getHours"
        | "getMinutes" | "getSeconds" | "getMilliseconds" => Ty::Int,
        "string" | "charAt" | "join" | "lowerAscii" | "upperAscii" | "replace" | "substring"
        | "trim" | "find" | "format" | "quote" | "getScheme" | "getHost" | "getHostname"
        | "getPort" | "getEscapedPath" => Ty::Text,
        "split" | "findAll" => Ty::List(Box::new(Ty::Text)),
        "getQuery" => Ty::Map(Box::new(Ty::List(Box::new(Ty::Text)))),
        "double" | "asApproximateFloat" => Ty::Double,
        "uint" => Ty::Uint,
        "bytes" => Ty::Bytes,
        "timestamp" => Ty::Moment,
        "duration" => Ty::Span,
        _ => return None,
    })
}

/// Functions that give what they are asked about, what is in it, or what only shows when they run.
fn of_subject<'a>(name: &str, subject: Ty<'a>, args: &[Ty<'a>]) -> Option<Ty<'a>> {
    Some(match name {
        "min" | "max" | "sum" if args.is_empty() => inner(subject),
        "value" | "orValue" => inner(subject),
        "or" | "reverse" | "sort" | "distinct" | "slice" | "flatten" => subject,
        "add" | "sub" | "min" | "max" | "sum" | "dyn" | "type" | "url" | "ip" | "cidr" | "ipv4"
        | "masked" | "quantity" | "semver" | "validate" | "sortBy" | "first" | "last"
        | "transformList" | "transformMap" | "transformMapEntry" | "existsOne" => Ty::Any,
        _ => return None,
    })
}

fn inner(of: Ty<'_>) -> Ty<'_> {
    match of {
        Ty::List(inner) | Ty::Optional(inner) => *inner,
        _ => Ty::Any,
    }
}
