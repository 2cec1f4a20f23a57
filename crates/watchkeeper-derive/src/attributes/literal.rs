//! JSON values in source text: `3`, `-1`, `"red"`, `null`, `["a"]`, `{ "size": 3 }`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Lit, LitStr, Result, Token, braced, bracketed, token};

/// A value with its place.
pub(crate) struct Literal {
    pub(crate) value: Value,
    pub(crate) span: Span,
}

pub(crate) enum Value {
    Null,
    Boolean(bool),
    /// As digits, with a minus or not.
    Integer(String),
    Number(String),
    Text(String),
    List(Vec<Literal>),
    Object(Vec<(String, Literal)>),
}

impl Parse for Literal {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        let content;
        let value = if input.peek(token::Brace) {
            braced!(content in input);
            let members = Punctuated::<Member, Token![,]>::parse_terminated(&content)?;
            Value::Object(members.into_iter().map(|member| (member.0, member.1)).collect())
        } else if input.peek(token::Bracket) {
            bracketed!(content in input);
            let items = Punctuated::<Self, Token![,]>::parse_terminated(&content)?;
            Value::List(items.into_iter().collect())
        } else if input.peek(Token![-]) {
            input.parse::<Token![-]>()?;
            number(&input.parse()?, "-")?
        } else if input.peek(Lit) {
            scalar(&input.parse()?)?
        } else {
            let word: Ident = input.call(Ident::parse_any)?;
            if word != "null" {
                return Err(syn::Error::new(word.span(), EXPECTED));
            }
            Value::Null
        };
        Ok(Self { value, span })
    }
}

const EXPECTED: &str =
    "expected a value as in JSON: a number, a text, `true`, `false`, `null`, `[…]` or `{…}`";

struct Member(String, Literal);

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = if input.peek(LitStr) {
            input.parse::<LitStr>()?.value()
        } else {
            input.call(Ident::parse_any)?.to_string()
        };
        input.parse::<Token![:]>()?;
        Ok(Self(name, input.parse()?))
    }
}

fn scalar(literal: &Lit) -> Result<Value> {
    match literal {
        Lit::Str(text) => Ok(Value::Text(text.value())),
        Lit::Bool(flag) => Ok(Value::Boolean(flag.value)),
        _ => number(literal, ""),
    }
}

fn number(literal: &Lit, sign: &str) -> Result<Value> {
    match literal {
        Lit::Int(number) => Ok(Value::Integer(format!("{sign}{}", number.base10_digits()))),
        Lit::Float(number) => {
            let digits = number.base10_digits();
            let zero = if digits.ends_with('.') { "0" } else { "" };
            Ok(Value::Number(format!("{sign}{digits}{zero}")))
        }
        _ => Err(syn::Error::new(literal.span(), EXPECTED)),
    }
}

impl Literal {
    /// The value as JSON.
    pub(crate) fn json(&self) -> String {
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Boolean(flag) => flag.to_string(),
            Value::Integer(digits) | Value::Number(digits) => digits.clone(),
            Value::Text(text) => quoted(text),
            Value::List(items) => {
                let items: Vec<_> = items.iter().map(Self::json).collect();
                format!("[{}]", items.join(","))
            }
            Value::Object(members) => {
                let member =
                    |(name, value): &(String, Self)| format!("{}:{}", quoted(name), value.json());
                let members: Vec<_> = members.iter().map(member).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    /// The value as a constant `Literal` of the library, which knows the types.
    pub(crate) fn constant(&self) -> TokenStream {
        match &self.value {
            Value::Null => quote!(__lib::Literal::Null),
            Value::Boolean(_) => quote!(__lib::Literal::Boolean),
            Value::Integer(_) => quote!(__lib::Literal::Integer),
            Value::Number(_) => quote!(__lib::Literal::Number),
            Value::Text(text) => quote!(__lib::Literal::Text(#text)),
            Value::List(items) => {
                let items = items.iter().map(Self::constant);
                quote!(__lib::Literal::List(&[#(#items),*]))
            }
            Value::Object(members) => {
                let members = members.iter().map(|(name, value)| {
                    let value = value.constant();
                    quote!((#name, #value))
                });
                quote!(__lib::Literal::Object(&[#(#members),*]))
            }
        }
    }

    /// Whether it has nothing in it.
    pub(crate) fn is_scalar(&self) -> bool {
        !matches!(self.value, Value::List(_) | Value::Object(_))
    }

    /// How many characters, items or members it has: the places are those of such bounds.
    pub(crate) fn counts(&self) -> [Option<usize>; 3] {
        match &self.value {
            Value::Text(text) => [Some(text.chars().count()), None, None],
            Value::List(items) => [None, Some(items.len()), None],
            Value::Object(members) => [None, None, Some(members.len())],
            _ => [None; 3],
        }
    }

    /// The value, if it is a number.
    pub(crate) fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Integer(digits) | Value::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// What kind of value it is, for messages.
    pub(crate) fn name(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Boolean(_) => "a boolean",
            Value::Integer(_) => "a whole number",
            Value::Number(_) => "a number with a fraction",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

/// The text in quotes, as JSON has it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            c if c < ' ' => out += &format!("\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
