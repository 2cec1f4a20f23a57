//! Bounds, and whether they leave room for a value.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned as _;
use syn::{Error, Expr, LitInt, Result};

use super::literal::Literal;
use super::member::Check;

/// The bounds of a member: for numbers, characters, items and members.
#[derive(Default)]
pub(super) struct Bounds {
    numbers: [Option<Expr>; 2],
    counts: [[Option<LitInt>; 2]; 3],
}

/// The option's place among the counts: which, and whether it is the upper one.
fn count(option: &str) -> Option<(usize, usize)> {
    Some(match option {
        "min_length" => (0, 0),
        "max_length" => (0, 1),
        "min_items" => (1, 0),
        "max_items" => (1, 1),
        "min_properties" => (2, 0),
        "max_properties" => (2, 1),
        _ => return None,
    })
}

impl Bounds {
    /// The call that a bound stands for; `None` if the option is none.
    pub(super) fn option(
        &mut self,
        name: &str,
        meta: &ParseNestedMeta<'_>,
    ) -> Result<Option<TokenStream>> {
        let method = meta.path.to_token_stream();
        if let Some((which, end)) = count(name) {
            let number: LitInt = meta.value()?.parse()?;
            self.counts[which][end] = Some(number.clone());
            return Ok(Some(quote!(#method(#number))));
        }
        let end = match name {
            "minimum" | "exclusive_minimum" => 0,
            "maximum" | "exclusive_maximum" => 1,
            _ => return Ok(None),
        };
        let number: Expr = meta.value()?.parse()?;
        if self.numbers[end].is_some() {
            let words = if end == 0 { "minimum" } else { "maximum" };
            return Err(meta.error(format!("there is a {words} already")));
        }
        self.numbers[end] = Some(number.clone());
        Ok(Some(quote!(#method((#number) as f64))))
    }

    /// Refuses bounds that no value keeps, as far as the numbers are plain to see; the rest is left
    /// to the compiler.
    pub(super) fn check(&self, default: Option<&Literal>) -> Result<Option<Check>> {
        for [lower, upper] in &self.counts {
            let (Some(lower), Some(upper)) = (lower, upper) else { continue };
            if lower.base10_parse::<u64>()? > upper.base10_parse::<u64>()? {
                let message = format!("the maximum is below the minimum, which is {lower}");
                return Err(Error::new(upper.span(), message));
            }
        }
        if let Some(default) = default {
            self.check_counts(default)?;
        }
        let value = |end: usize| self.numbers[end].as_ref().and_then(plain);
        let number = default.and_then(|default| Some((default.number()?, default.span)));
        if let Some((default, span)) = number {
            if value(0).is_some_and(|minimum| default < minimum) {
                return Err(Error::new(span, "the default is below the minimum"));
            }
            if value(1).is_some_and(|maximum| default > maximum) {
                return Err(Error::new(span, "the default is above the maximum"));
            }
        }
        let [Some(lower), Some(upper)] = &self.numbers else { return Ok(None) };
        match (plain(lower), plain(upper)) {
            (Some(minimum), Some(maximum)) if minimum > maximum => {
                let message = format!("the maximum is below the minimum, which is {minimum}");
                Err(Error::new_spanned(upper, message))
            }
            (Some(_), Some(_)) => Ok(None),
            _ => Ok(Some(Check {
                condition: quote!((#lower) as f64 <= (#upper) as f64),
                message: "the maximum is below the minimum".to_owned(),
                span: upper.span(),
            })),
        }
    }

    fn check_counts(&self, default: &Literal) -> Result<()> {
        for (count, [lower, upper]) in default.counts().into_iter().zip(&self.counts) {
            let Some(count) = count else { continue };
            for (bound, is_upper) in [(lower, false), (upper, true)] {
                let Some(bound) = bound else { continue };
                let bound = bound.base10_parse::<usize>()?;
                if if is_upper { count > bound } else { count < bound } {
                    let end = if is_upper { "most" } else { "least" };
                    let message = format!("the default is {count} long, and the {end} is {bound}");
                    return Err(Error::new(default.span, message));
                }
            }
        }
        Ok(())
    }
}

/// The number that an expression is, if that can be seen without its surroundings.
fn plain(number: &Expr) -> Option<f64> {
    number.to_token_stream().to_string().replace([' ', '_'], "").parse().ok()
}
