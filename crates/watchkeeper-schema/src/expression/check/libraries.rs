//! The functions that servers know, one overload a line: a dot before the name says that the first argument stands
//! before it. Capital letters are types that are left open; `$`, `#` and `^` stand for each of several.
//!
//! Which libraries there are is said by apiserver's `pkg/cel/environment/base.go`; what is in them by cel-go's
//! `common/stdlib`, `cel/library.go` and `ext`, and by apiserver's `pkg/cel/library`.

/// Types whose values have an order.
pub(super) const COMPARABLE: &[&str] =
    &["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
/// Types whose values can be added up.
pub(super) const SUMMABLE: &[&str] = &["int", "uint", "double", "duration"];
/// Types whose values can be compared with each other.
pub(super) const COMPARABLE_PAIRS: &[&str] = &[
    "bool, bool",
    "int, int",
    "int, double",
    "int, uint",
    "uint, uint",
    "uint, double",
    "uint, int",
    "double, double",
    "double, int",
    "double, uint",
    "string, string",
    "bytes, bytes",
    "timestamp, timestamp",
    "duration, duration",
];

/// What every expression may call, in the order in which servers add it.
pub(super) const BASE: &[&str] = &[
    OPERATORS,
    CONVERSIONS,
    STANDARD,
    URLS,
    REGEX,
    KUBERNETES_LISTS,
    AUTHORIZATION,
    OPTIONALS,
    QUANTITIES,
    STRINGS,
    SETS,
    ADDRESSES,
    FORMATS,
    INSERTIONS,
    VERSIONS,
    LISTS,
];

const OPERATORS: &str = "
_?_:_(bool, A, A): A
_&&_(bool, bool): bool
_||_(bool, bool): bool
!_(bool): bool
@not_strictly_false(bool): bool
_==_(A, A): bool
_!=_(A, A): bool
_+_(bytes, bytes): bytes
_+_(double, double): double
_+_(duration, duration): duration
_+_(duration, timestamp): timestamp
_+_(timestamp, duration): timestamp
_+_(int, int): int
_+_(list(A), list(A)): list(A)
_+_(string, string): string
_+_(uint, uint): uint
_/_(double, double): double
_/_(int, int): int
_/_(uint, uint): uint
_%_(int, int): int
_%_(uint, uint): uint
_*_(double, double): double
_*_(int, int): int
_*_(uint, uint): uint
-_(double): double
-_(int): int
_-_(double, double): double
_-_(duration, duration): duration
_-_(int, int): int
_-_(timestamp, duration): timestamp
_-_(timestamp, timestamp): duration
_-_(uint, uint): uint
_<_(^): bool
_<=_(^): bool
_>_(^): bool
_>=_(^): bool
_[_](list(A), int): A
_[_](map(A, B), A): B
@in(A, list(A)): bool
@in(A, map(A, B)): bool
";

const CONVERSIONS: &str = "
type(A): type(A)
bool(bool): bool
bool(string): bool
bytes(bytes): bytes
bytes(string): bytes
double(double): double
double(int): double
double(string): double
double(uint): double
duration(duration): duration
duration(int): duration
duration(string): duration
dyn(A): dyn
int(int): int
int(double): int
int(duration): int
int(string): int
int(timestamp): int
int(uint): int
string(string): string
string(bool): string
string(bytes): string
string(double): string
string(duration): string
string(int): string
string(timestamp): string
string(uint): string
timestamp(timestamp): timestamp
timestamp(int): timestamp
timestamp(string): timestamp
uint(uint): uint
uint(double): uint
uint(int): uint
uint(string): uint
";

const STANDARD: &str = "
size(bytes): int
.size(bytes): int
size(list(A)): int
.size(list(A)): int
size(map(A, B)): int
.size(map(A, B)): int
size(string): int
.size(string): int
.contains(string, string): bool
.endsWith(string, string): bool
.startsWith(string, string): bool
matches(string, string): bool
.matches(string, string): bool
.getFullYear(timestamp): int
.getFullYear(timestamp, string): int
.getMonth(timestamp): int
.getMonth(timestamp, string): int
.getDayOfYear(timestamp): int
.getDayOfYear(timestamp, string): int
.getDayOfMonth(timestamp): int
.getDayOfMonth(timestamp, string): int
.getDate(timestamp): int
.getDate(timestamp, string): int
.getDayOfWeek(timestamp): int
.getDayOfWeek(timestamp, string): int
.getHours(timestamp): int
.getHours(timestamp, string): int
.getHours(duration): int
.getMinutes(timestamp): int
.getMinutes(timestamp, string): int
.getMinutes(duration): int
.getSeconds(timestamp): int
.getSeconds(timestamp, string): int
.getSeconds(duration): int
.getMilliseconds(timestamp): int
.getMilliseconds(timestamp, string): int
.getMilliseconds(duration): int
";

const URLS: &str = "
url(string): kubernetes.URL
.getScheme(kubernetes.URL): string
.getHost(kubernetes.URL): string
.getHostname(kubernetes.URL): string
.getPort(kubernetes.URL): string
.getEscapedPath(kubernetes.URL): string
.getQuery(kubernetes.URL): map(string, list(string))
isURL(string): bool
";

const REGEX: &str = "
.find(string, string): string
.findAll(string, string): list(string)
.findAll(string, string, int): list(string)
";

const KUBERNETES_LISTS: &str = "
.isSorted(list($)): bool
.sum(list(#)): #
.max(list($)): $
.min(list($)): $
.indexOf(list(A), A): int
.lastIndexOf(list(A), A): int
";

const AUTHORIZATION: &str = "
.path(kubernetes.authorization.Authorizer, string): kubernetes.authorization.PathCheck
.group(kubernetes.authorization.Authorizer, string): kubernetes.authorization.GroupCheck
.serviceAccount(kubernetes.authorization.Authorizer, string, string): kubernetes.authorization.Authorizer
.resource(kubernetes.authorization.GroupCheck, string): kubernetes.authorization.ResourceCheck
.subresource(kubernetes.authorization.ResourceCheck, string): kubernetes.authorization.ResourceCheck
.namespace(kubernetes.authorization.ResourceCheck, string): kubernetes.authorization.ResourceCheck
.name(kubernetes.authorization.ResourceCheck, string): kubernetes.authorization.ResourceCheck
.check(kubernetes.authorization.PathCheck, string): kubernetes.authorization.Decision
.check(kubernetes.authorization.ResourceCheck, string): kubernetes.authorization.Decision
.errored(kubernetes.authorization.Decision): bool
.error(kubernetes.authorization.Decision): string
.allowed(kubernetes.authorization.Decision): bool
.reason(kubernetes.authorization.Decision): string
.fieldSelector(kubernetes.authorization.ResourceCheck, string): kubernetes.authorization.ResourceCheck
.labelSelector(kubernetes.authorization.ResourceCheck, string): kubernetes.authorization.ResourceCheck
";

const OPTIONALS: &str = "
optional.of(V): optional(V)
optional.ofNonZeroValue(V): optional(V)
optional.none(): optional(V)
.value(optional(V)): V
.hasValue(optional(V)): bool
.or(optional(V), optional(V)): optional(V)
.orValue(optional(V), V): V
_[?_](list(V), int): optional(V)
_[?_](optional(list(V)), int): optional(V)
_[?_](map(K, V), K): optional(V)
_[?_](optional(map(K, V)), K): optional(V)
_[_](optional(list(V)), int): optional(V)
_[_](optional(map(K, V)), K): optional(V)
.last(list(V)): optional(V)
.first(list(V)): optional(V)
optional.unwrap(list(optional(V))): list(V)
.unwrapOpt(list(optional(V))): list(V)
";

const QUANTITIES: &str = "
quantity(string): kubernetes.Quantity
isQuantity(string): bool
sign(kubernetes.Quantity): int
.isGreaterThan(kubernetes.Quantity, kubernetes.Quantity): bool
.isLessThan(kubernetes.Quantity, kubernetes.Quantity): bool
.compareTo(kubernetes.Quantity, kubernetes.Quantity): int
.asApproximateFloat(kubernetes.Quantity): double
.asInteger(kubernetes.Quantity): int
.isInteger(kubernetes.Quantity): bool
.add(kubernetes.Quantity, kubernetes.Quantity): kubernetes.Quantity
.add(kubernetes.Quantity, int): kubernetes.Quantity
.sub(kubernetes.Quantity, kubernetes.Quantity): kubernetes.Quantity
.sub(kubernetes.Quantity, int): kubernetes.Quantity
";

const STRINGS: &str = "
.charAt(string, int): string
.indexOf(string, string): int
.indexOf(string, string, int): int
.lastIndexOf(string, string): int
.lastIndexOf(string, string, int): int
.lowerAscii(string): string
.replace(string, string, string): string
.replace(string, string, string, int): string
.split(string, string): list(string)
.split(string, string, int): list(string)
.substring(string, int): string
.substring(string, int, int): string
.trim(string): string
.upperAscii(string): string
.format(string, list(dyn)): string
strings.quote(string): string
.join(list(string)): string
.join(list(string), string): string
";

const SETS: &str = "
sets.contains(list(T), list(T)): bool
sets.equivalent(list(T), list(T)): bool
sets.intersects(list(T), list(T)): bool
";

const ADDRESSES: &str = "
ip(string): net.IP
.family(net.IP): int
ip.isCanonical(string): bool
.isUnspecified(net.IP): bool
.isLoopback(net.IP): bool
.isLinkLocalMulticast(net.IP): bool
.isLinkLocalUnicast(net.IP): bool
.isGlobalUnicast(net.IP): bool
isIP(string): bool
string(net.IP): string
cidr(string): net.CIDR
.containsIP(net.CIDR, string): bool
.containsIP(net.CIDR, net.IP): bool
.containsCIDR(net.CIDR, string): bool
.containsCIDR(net.CIDR, net.CIDR): bool
.ip(net.CIDR): net.IP
.prefixLength(net.CIDR): int
.masked(net.CIDR): net.CIDR
isCIDR(string): bool
string(net.CIDR): string
";

const FORMATS: &str = "
.validate(kubernetes.NamedFormat, string): optional(list(string))
format.named(string): optional(kubernetes.NamedFormat)
format.dns1123Label(): kubernetes.NamedFormat
format.dns1123Subdomain(): kubernetes.NamedFormat
format.dns1035Label(): kubernetes.NamedFormat
format.qualifiedName(): kubernetes.NamedFormat
format.dns1123LabelPrefix(): kubernetes.NamedFormat
format.dns1123SubdomainPrefix(): kubernetes.NamedFormat
format.dns1035LabelPrefix(): kubernetes.NamedFormat
format.labelValue(): kubernetes.NamedFormat
format.uri(): kubernetes.NamedFormat
format.uuid(): kubernetes.NamedFormat
format.byte(): kubernetes.NamedFormat
format.date(): kubernetes.NamedFormat
format.datetime(): kubernetes.NamedFormat
";

/// What loops of two variables come down to.
const INSERTIONS: &str = "
cel.@mapInsert(map(K, V), K, V): map(K, V)
cel.@mapInsert(map(K, V), map(K, V)): map(K, V)
";

const VERSIONS: &str = "
semver(string): kubernetes.Semver
semver(string, bool): kubernetes.Semver
isSemver(string): bool
isSemver(string, bool): bool
.isGreaterThan(kubernetes.Semver, kubernetes.Semver): bool
.isLessThan(kubernetes.Semver, kubernetes.Semver): bool
.compareTo(kubernetes.Semver, kubernetes.Semver): int
.major(kubernetes.Semver): int
.minor(kubernetes.Semver): int
.patch(kubernetes.Semver): int
";

const LISTS: &str = "
.slice(list(T), int, int): list(T)
.flatten(list(list(T))): list(T)
.flatten(list(dyn), int): list(dyn)
.sort(list($)): list($)
.@sortByAssociatedKeys(list(T), list($)): list(T)
lists.range(int): list(int)
.reverse(list(T)): list(T)
.distinct(list(T)): list(T)
";

/// What expressions that make patches may call besides.
pub(super) const JSON_PATCH: &str = "
jsonpatch.escapeKey(string): string
";

#[cfg(test)]
mod tests {
    use super::super::functions::{signature, spelled_out};
    use super::*;

    #[test]
    fn every_line_is_a_signature() {
        let lines = BASE.iter().chain([&JSON_PATCH]).flat_map(|library| library.lines());
        for line in lines.filter(|line| !line.is_empty()).flat_map(spelled_out) {
            assert!(signature(&line).is_some(), "{line}");
        }
    }
}
