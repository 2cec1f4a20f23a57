//! What calls cost by the sizes of what they are given (cel-go, `checker/cost.go`, `ext/lists.go`,
//! `ext/sets.go`; apiserver, `pkg/cel/library/cost.go`).

use super::declared::Step;
use super::range::Range;
use super::{CALL, Entry, NEW_LIST, Node, sum};
use crate::rules::types::Ty;

/// What it costs to look at a character of a text.
const LOOK: f64 = 0.1;
/// What it costs to match with a character of a pattern.
const MATCH: f64 = 0.25;
/// How long the patterns of formats are, at most.
const FORMAT: f64 = 128.0;
/// The bytes of an address.
const ADDRESS: Range = Range { least: 4, most: 16 };

/// A call.
pub(super) struct Call<'n, 'a> {
    pub(super) name: &'n str,
    pub(super) space: Option<&'n str>,
    pub(super) target: Option<&'n Node<'a>>,
    pub(super) args: &'n [Node<'a>],
}

/// What is reckoned of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) cost: Range,
    pub(super) size: Option<Range>,
    pub(super) entry: Option<Entry>,
}

impl Found {
    const fn of(cost: Range) -> Self {
        Self { cost, size: None, entry: None }
    }

    const fn sized(cost: Range, size: Range) -> Self {
        Self { cost, size: Some(size), entry: None }
    }

    fn or(self, other: Self) -> Self {
        let size = match (self.size, other.size) {
            (Some(one), Some(other)) => Some(one.or(other)),
            (one, other) => one.or(other),
        };
        Self { cost: self.cost.or(other.cost), size, entry: self.entry.or(other.entry) }
    }
}

/// Whether a function gives what is compared at once: addresses, quantities, versions.
pub(super) fn is_small(name: &str, space: Option<&str>) -> bool {
    space.is_none()
        && matches!(name, "ip" | "cidr" | "masked" | "quantity" | "semver" | "add" | "sub")
}

/// What is declared of the size of what is at a path.
type Declared<'d> = dyn Fn(&[Step]) -> Option<Range> + 'd;

impl Call<'_, '_> {
    pub(super) fn estimate(&self, declared: &Declared<'_>) -> Found {
        let mut found = match (self.operator(), self.of_servers(declared)) {
            (Some(operator), _) => operator,
            (None, Some(own)) => Found { cost: own.cost.plus(sum(self.args)), ..own },
            (None, None) => Found { cost: CALL.plus(sum(self.args)), ..Found::of(CALL) },
        };
        if let ("_[_]", [of, _]) = (self.name, self.args) {
            found.size = of.entry.map(|entry| entry.value);
        }
        found
    }

    /// Operators, by what they are applied to; none for what is none or costs nothing of its own.
    fn operator(&self) -> Option<Found> {
        let found = match (self.name, self.args) {
            ("_&&_" | "_||_", [left, right]) => {
                let most = left.cost.plus(right.cost).most;
                Found::of(Range { least: left.cost.least, most })
            }
            ("_?_:_", [condition, yes, no]) => Found {
                cost: condition.cost.plus(yes.cost.or(no.cost)),
                size: Some(yes.sized().or(no.sized())),
                entry: yes.entry.zip(no.entry).map(|(yes, no)| yes.or(no)),
            },
            ("_==_", [left, right]) if left.small && right.small => self.with_args(CALL),
            ("_==_" | "_!=_", [left, right]) => self.with_args(compared(left, right)),
            ("_<_" | "_<=_" | "_>_" | "_>=_", [left, right]) => self.ordered(left, right),
            ("_+_", [left, right]) => self.added(left, right),
            ("@in", [_, of]) => match of.ty {
                Ty::List(_) => self.with_args(of.sized()),
                Ty::Map(_) => self.with_args(CALL),
                _ => self.with_args(of.sized().or(CALL)),
            },
            _ => return None,
        };
        Some(found)
    }

    fn with_args(&self, cost: Range) -> Found {
        Found::of(cost.plus(sum(self.args)))
    }

    fn ordered(&self, left: &Node<'_>, right: &Node<'_>) -> Found {
        match kind(left, right) {
            Kind::Text => self.with_args(compared(left, right)),
            Kind::Unknown => self.with_args(compared(left, right).or(CALL)),
            Kind::List | Kind::Other => self.with_args(CALL),
        }
    }

    fn added(&self, left: &Node<'_>, right: &Node<'_>) -> Found {
        let size = left.sized().plus(right.sized());
        let entry = left.entry.zip(right.entry).map(|(left, right)| left.or(right));
        let text = Found { entry, ..Found::sized(size.scaled(LOOK), size) };
        let list = Found { entry, ..Found::sized(CALL, size) };
        let found = match kind(left, right) {
            Kind::Text => text,
            Kind::List => list,
            Kind::Other => Found::of(CALL),
            Kind::Unknown => text.or(list).or(Found::of(CALL)),
        };
        Found { cost: found.cost.plus(sum(self.args)), ..found }
    }

    /// What functions cost, without their arguments; none for those that cost one.
    fn of_servers(&self, declared: &Declared<'_>) -> Option<Found> {
        let first = self.args.first();
        let of_first = |factor: f64| first.map(|first| Found::of(first.sized().scaled(factor)));
        match (self.space, self.name, self.target) {
            (Some("sets"), name, _) => self.of_sets(name),
            (Some("lists"), "range", _) => {
                Some(allocated(1.0, Range::of(first?.number.unwrap_or(u64::MAX))))
            }
            (Some("ip"), "isCanonical", _) => of_first(2.0 * LOOK),
            (Some("jsonpatch"), "escapeKey", _) | (None, "url", None) => {
                let size = first?.sized();
                Some(Found::sized(size.scaled(LOOK), size))
            }
            (Some("strings"), "quote", _) => {
                let size = first?.sized();
                let quoted = size.times(Range { least: 1, most: 2 }).plus(Range::of(2));
                Some(Found::sized(size.scaled(LOOK), quoted))
            }
            (Some(_), ..) => None,
            (
                None,
                "isIP" | "isCIDR" | "cidr" | "quantity" | "isQuantity" | "semver" | "isSemver",
                _,
            )
            | (None, "startsWith" | "endsWith", Some(_)) => of_first(LOOK),
            (None, "ip", None) => of_first(LOOK),
            (None, "validate", _) => {
                let text = first?.sized().scaled(LOOK);
                Some(Found::of(text.scaled(FORMAT * MATCH)))
            }
            (None, "containsIP" | "containsCIDR", _) => Some(self.of_addresses()),
            (None, "bytes" | "string", None) => self.converted(),
            (None, name, Some(target)) => self.of_target(name, target, declared),
            _ => None,
        }
    }

    fn of_sets(&self, name: &str) -> Option<Found> {
        let [left, right] = self.args else { return None };
        let factor = if name == "equivalent" { 2.0 } else { 1.0 };
        let cost = left.sized().times(right.sized()).scaled(factor);
        Some(Found::of(cost.plus(CALL)))
    }

    /// Whether an address or a range of them is in another.
    fn of_addresses(&self) -> Found {
        let mut cost = ADDRESS.plus(ADDRESS).scaled(LOOK);
        if self.name == "containsCIDR" {
            cost = cost.plus(ADDRESS.scaled(LOOK)).plus(CALL);
        }
        // As a text it is read first.
        let text = self.args.iter().filter(|arg| arg.ty == Ty::Text);
        Found::of(text.fold(cost, |cost, arg| cost.plus(arg.sized().scaled(LOOK))))
    }

    fn converted(&self) -> Option<Found> {
        let [of] = self.args else { return None };
        let size = of.sized();
        let cost = size.scaled(LOOK);
        match (self.name, &of.ty) {
            // A character has up to four bytes.
            ("bytes", Ty::Text) => {
                Some(Found::sized(cost, size.times(Range { least: 1, most: 4 })))
            }
            ("string", Ty::Bytes) => {
                Some(Found::sized(cost, Range { least: size.least / 4, most: size.most }))
            }
            ("bytes" | "string", Ty::Any) => Some(Found::of(cost.or(CALL))),
            _ => None,
        }
    }

    fn of_target(&self, name: &str, target: &Node<'_>, declared: &Declared<'_>) -> Option<Found> {
        let size = target.sized();
        let looked = size.scaled(LOOK);
        let first = self.args.first().map(Node::sized);
        // An empty text costs something, too, where the other side does.
        let padded = size.plus(Range::of(1)).scaled(LOOK);
        let is_list = matches!(target.ty, Ty::List(_));
        Some(match name {
            "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
                Found::of(items_of(target, declared).map_or(looked, |items| {
                    let text = items.is_text.then(|| items.size.scaled(LOOK));
                    size.times(CALL.plus(text.unwrap_or(Range::of(0))))
                }))
            }
            "lowerAscii" | "upperAscii" | "substring" | "trim" => Found::sized(looked, size),
            "replace" => replaced(size, first?, self.args.get(1)?.sized()),
            "split" => {
                let most = self.args.get(1).and_then(|most| most.number).unwrap_or(size.most);
                Found::sized(size.scaled(2.0 * LOOK), Range::up_to(most))
            }
            "join" => joined(target, first, declared),
            "find" | "findAll" => {
                Found::sized(padded.times(first?.scaled(MATCH)), Range::up_to(size.most))
            }
            "matches" => Found::of(padded.times(first?.scaled(MATCH))),
            "contains" => Found::of(looked.times(first?.scaled(LOOK))),
            "format" => Found::of(looked),
            "reverse" if is_list => allocated(1.0, size),
            "distinct" if is_list => allocated(2.0, size.times(size)),
            "sort" => sorted(size, items_of(target, declared).is_some_and(|of| of.is_text)),
            "@sorted" => {
                let keys = self.args.first()?;
                sorted(keys.sized(), matches!(&keys.ty, Ty::List(of) if **of == Ty::Text))
            }
            "flatten" => {
                let depth = self.args.first().map_or(Some(1), |depth| depth.number);
                let depth = depth
                    .map_or(f64::MAX, |depth| f64::from(u32::try_from(depth).unwrap_or(u32::MAX)));
                allocated(depth, size)
            }
            "slice" => {
                let number = |at: usize| self.args.get(at).and_then(|arg| arg.number);
                let (start, end) = (number(0).unwrap_or(0), number(1).unwrap_or(size.most));
                allocated(1.0, Range::of(end.saturating_sub(start)))
            }
            _ => return None,
        })
    }
}

/// What operators are applied to, as far as it matters.
enum Kind {
    Text,
    List,
    Other,
    /// Only known when it runs.
    Unknown,
}

fn kind(left: &Node<'_>, right: &Node<'_>) -> Kind {
    let known = if left.ty == Ty::Any { &right.ty } else { &left.ty };
    match known {
        Ty::Text | Ty::Bytes => Kind::Text,
        Ty::List(_) => Kind::List,
        Ty::Any => Kind::Unknown,
        _ => Kind::Other,
    }
}

/// Two values are compared as far as the smaller one goes.
fn compared(left: &Node<'_>, right: &Node<'_>) -> Range {
    let most = left.sized().most.min(right.sized().most);
    Range { least: most.min(1), most }.scaled(LOOK)
}

/// A list that is made of another one.
fn allocated(factor: f64, size: Range) -> Found {
    Found::sized(size.scaled(factor).plus(CALL).plus(NEW_LIST), size)
}

fn sorted(size: Range, is_text: bool) -> Found {
    allocated(if is_text { 2.0 + LOOK } else { 2.0 }, size.times(size))
}

/// The items of a list.
struct Items {
    is_text: bool,
    size: Range,
}

fn items_of(list: &Node<'_>, declared: &Declared<'_>) -> Option<Items> {
    let Ty::List(of) = &list.ty else { return None };
    let mut path = list.path.clone();
    let size = (!path.is_empty()).then(|| {
        path.push(Step::Items);
        declared(&path)
    });
    let size = size.flatten().unwrap_or(Range::UNKNOWN);
    Some(Items { is_text: matches!(**of, Ty::Text | Ty::Bytes), size })
}

fn joined(list: &Node<'_>, separator: Option<Range>, declared: &Declared<'_>) -> Found {
    let count = list.sized();
    let mut size = items_of(list, declared).map_or(Range::of(0), |items| count.times(items.size));
    if let Some(separator) = separator {
        let between =
            Range { least: count.least.saturating_sub(1), most: count.most.saturating_sub(1) };
        size = size.plus(separator.times(between));
    }
    Found::sized(size.scaled(LOOK), size)
}

/// How long a text is in which every appearance of one text is replaced by another.
fn replaced(text: Range, from: Range, to: Range) -> Found {
    // How often, and how much of the text stays.
    let (often, stays) = match from {
        // Around every character.
        Range { least: 0, .. } => (text.most.saturating_add(1), text.most),
        _ if to.most <= from.least => (0, text.most),
        _ => (text.most.div_ceil(from.least), 0),
    };
    let (seldom, stays_least) = match from {
        Range { most: 0, .. } => (text.least.saturating_add(1), text.least),
        _ if from.most <= to.least => (0, text.least),
        _ => (text.least.div_ceil(from.most), 0),
    };
    let size = Range { least: seldom, most: often }
        .times(to)
        .plus(Range { least: stays_least, most: stays });
    Found::sized(text.scaled(2.0 * LOOK), size)
}
