//! Rules in CEL, written out or made of names.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{Error, LitStr, Result};

use super::{flag, option_name, suggest, text};

pub(super) const KNOWN: &[&str] =
    &["rule", "message", "message_expression", "reason", "field_path", "optional_old_self"];

/// The reasons that servers take (apiextensions, `FieldValueErrorReason`).
const REASONS: [&str; 4] =
    ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];

/// `validation(rule = "…", message = "…", …)`, as a call of `Member`.
pub(super) fn validation(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let mut members = Vec::new();
    let (mut rule, mut message, mut path) = (None, None, None);
    meta.parse_nested_meta(|meta| {
        let name = option_name(&meta);
        if !KNOWN.contains(&&*name) {
            return Err(suggest::unknown(&meta, KNOWN));
        }
        let ident = &meta.path;
        if name == "optional_old_self" {
            let flag = flag(&meta)?;
            members.push(quote!(#ident: #flag));
            return Ok(());
        }
        let text = text(&meta)?;
        match &*name {
            "rule" => rule = Some(text.clone()),
            "message" => message = Some(text.clone()),
            "message_expression" => said(&text)?,
            "reason" => reason(&text)?,
            "field_path" => path = Some(text.clone()),
            _ => {}
        }
        members.push(quote!(#ident: #text));
        Ok(())
    })?;
    let rule = rule.ok_or_else(|| meta.error("`rule` is missing"))?;
    if rule.value().trim().is_empty() {
        return Err(Error::new(rule.span(), "the rule is empty"));
    }
    check_message(&rule, message.as_ref())?;
    if let Some(path) = path.filter(|path| !path.value().starts_with(['.', '['])) {
        return Err(Error::new(path.span(), "a field path begins with a dot: `.spec`"));
    }
    Ok(quote!(validation(__lib::Rule {
        #(#members,)*
        ..::core::default::Default::default()
    })))
}

fn said(text: &LitStr) -> Result<()> {
    if text.value().trim().is_empty() {
        return Err(Error::new(text.span(), "it says nothing: leave it out"));
    }
    Ok(())
}

/// What servers want of a message (apiextensions, `validateCustomResourceDefinitionOpenAPISchema`).
fn check_message(rule: &LitStr, message: Option<&LitStr>) -> Result<()> {
    let breaks = |text: &LitStr| text.value().trim().contains('\n');
    let Some(message) = message else {
        if breaks(rule) {
            return Err(Error::new(rule.span(), "a rule of several lines needs a `message`"));
        }
        return Ok(());
    };
    said(message)?;
    if breaks(message) {
        return Err(Error::new(message.span(), "a message is one line"));
    }
    Ok(())
}

fn reason(text: &LitStr) -> Result<()> {
    if REASONS.contains(&&*text.value()) {
        return Ok(());
    }
    Err(Error::new(text.span(), format!("expected one of {}", REASONS.join(", "))))
}

/// A value that never changes once it is there.
pub(super) fn immutable() -> TokenStream {
    quote!(validation(__lib::Rule {
        rule: "self == oldSelf",
        message: "it cannot be changed",
        ..::core::default::Default::default()
    }))
}

/// How many of several members may be there.
#[derive(Clone, Copy)]
pub(super) enum Count {
    AtMost,
    Exactly,
    AtLeast,
}

impl Count {
    pub(super) fn of(option: &str) -> Option<Self> {
        match option {
            "at_most_one_of" => Some(Self::AtMost),
            "exactly_one_of" => Some(Self::Exactly),
            "at_least_one_of" => Some(Self::AtLeast),
            _ => None,
        }
    }

    /// The rule for members of those names in JSON.
    pub(super) fn rule(self, names: &[String]) -> TokenStream {
        match self {
            Self::AtMost => quote!(at_most_one_of(&[#(#names),*])),
            Self::Exactly => quote!(exactly_one_of(&[#(#names),*])),
            Self::AtLeast => quote!(at_least_one_of(&[#(#names),*])),
        }
    }
}
