//! What the rules of a schema may cost at most, of which servers have a limit
//! (apiextensions, `pkg/apis/apiextensions/validation`).

use kube_cel::cel::IdedExpr;

use super::{estimate, types};
use crate::error::FieldError;
use crate::node::{Schema, Type};

/// What a rule may cost, as often as its value may be there.
const OF_A_RULE: u64 = 10_000_000;
/// What all rules of a schema may cost.
const OF_ALL: u64 = 100_000_000;
/// How many of the most costly rules are named.
const NAMED: usize = 4;

/// What an expression is about.
pub(super) struct Priced<'s, 'a> {
    pub(super) scope: &'s types::Scope<'a>,
    pub(super) schema: &'a Schema,
    pub(super) root: bool,
}

/// What the rules met so far may cost.
#[derive(Debug, Default)]
pub(super) struct Budget {
    sizes: estimate::Sizes,
    total: u64,
    /// The most costly ones, the most costly first.
    costly: Vec<(u64, String)>,
}

impl Budget {
    /// How often what is in a value may be there.
    pub(super) fn times(schema: &Schema, around: Option<u64>) -> Option<u64> {
        let here = match schema.type_ {
            Some(Type::Array) => schema.bounds.max_items?,
            Some(Type::Object) if schema.additional.is_some() => schema.bounds.max_properties?,
            _ => 1,
        };
        around.map(|around| around.saturating_mul(here))
    }

    /// Adds a rule; what is wrong if it may cost too much.
    pub(super) fn rule(
        &mut self,
        place: &str,
        expression: &IdedExpr,
        of: &Priced<'_, '_>,
        times: Option<u64>,
    ) -> Option<FieldError> {
        let once = self.once(expression, of);
        let times = times.unwrap_or_else(|| estimate::times_in_a_request(of.schema, &self.sizes));
        self.add(place, once.saturating_mul(times), "estimated rule cost")
    }

    /// Adds a message, which is made once.
    pub(super) fn message(
        &mut self,
        place: &str,
        expression: &IdedExpr,
        of: &Priced<'_, '_>,
    ) -> Option<FieldError> {
        let once = self.once(expression, of);
        self.add(place, once, "estimated messageExpression cost")
    }

    fn once(&self, expression: &IdedExpr, of: &Priced<'_, '_>) -> u64 {
        estimate::most(expression, of.scope, (of.schema, of.root), &self.sizes)
    }

    fn add(&mut self, place: &str, cost: u64, what: &str) -> Option<FieldError> {
        self.total = self.total.saturating_add(cost);
        if cost >= OF_ALL / 100 {
            self.costly.push((cost, place.to_owned()));
            self.costly.sort_by(|(one, _), (other, _)| other.cmp(one));
            self.costly.truncate(NAMED);
        }
        (cost > OF_A_RULE).then(|| FieldError::forbidden(place, too_much(what, cost, OF_A_RULE)))
    }

    /// What is wrong with all of them together.
    pub(super) fn of_all(self, path: &str) -> Vec<FieldError> {
        if self.total <= OF_ALL {
            return Vec::new();
        }
        let named = self.costly.into_iter().map(|(_, place)| FieldError::forbidden(place, SHARE));
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let all = FieldError::forbidden(path, too_much(what, self.total, OF_ALL));
        named.chain([all]).collect()
    }
}

const SHARE: &str =
    "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";

#[expect(clippy::cast_precision_loss, reason = "told roughly")]
fn too_much(what: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, \
         and maxLength where arrays, maps, and strings are declared)"
    )
}
