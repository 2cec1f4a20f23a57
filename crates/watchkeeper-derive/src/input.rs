//! The struct that is derived for: its fields, and where the library is.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, Result,
    Type,
};

use crate::attributes::FieldOptions;
use crate::name;

/// A field with its options.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The member's name.
    pub(crate) json: String,
    pub(crate) options: FieldOptions,
    pub(crate) doc: Option<String>,
}

impl Field {
    /// A constant expression: whether the member is written even when it is default.
    pub(crate) fn is_always_written(&self, lib: &TokenStream) -> TokenStream {
        let ty = &self.ty;
        match self.options.required {
            Some(required) => quote!(#required),
            None if self.options.schemaless => quote!(false),
            None => quote_spanned!(self.span()=> <#ty as #lib::Described>::REQUIRED),
        }
    }

    /// The error of a member whose name is that of another.
    pub(crate) fn taken(&self) -> Error {
        let message = format!("another member is called `{}`", self.json);
        Error::new(self.ident.span(), message)
    }

    /// Where the compiler shall point to when the type is not fit for a field.
    pub(crate) fn span(&self) -> Span {
        Span::call_site().located_at(self.ty.span())
    }
}

/// The named fields of a struct without generics.
pub(crate) fn fields(input: &DeriveInput) -> Result<Vec<Field>> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "only a struct has fields"));
    };
    refuse_generics(input)?;
    let named = match &data.fields {
        syn::Fields::Named(named) => &named.named,
        _ => return Err(Error::new(data.fields.span(), "name the fields: members have names")),
    };
    let fields = all(named.iter().map(field))?;
    all(fields.iter().enumerate().map(|(index, field)| {
        let is_taken = fields[..index].iter().any(|other| other.json == field.json);
        if is_taken { Err(field.taken()) } else { Ok(()) }
    }))?;
    Ok(fields)
}

/// What was made of each part, or all that is wrong with them.
pub(crate) fn all<T>(parts: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    let (mut made, mut wrong) = (Vec::new(), None::<Error>);
    for part in parts {
        match (part, &mut wrong) {
            (Ok(part), _) => made.push(part),
            (Err(error), Some(wrong)) => wrong.combine(error),
            (Err(error), None) => wrong = Some(error),
        }
    }
    wrong.map_or(Ok(made), Err)
}

/// Parts of objects have a schema, which no parameter may change.
pub(crate) fn refuse_generics(input: &DeriveInput) -> Result<()> {
    if input.generics.params.is_empty() {
        return Ok(());
    }
    Err(Error::new(input.generics.span(), "a part of an object has no generics"))
}

fn field(field: &syn::Field) -> Result<Field> {
    let Some(ident) = field.ident.clone() else {
        return Err(Error::new(field.span(), "name the field: members have names"));
    };
    let options = FieldOptions::parse(&field.attrs)?;
    let json = options.rename.clone().unwrap_or_else(|| name::camel_case(&ident.to_string()));
    Ok(Field { ident, ty: field.ty.clone(), json, options, doc: doc(&field.attrs) })
}

/// The text of the doc comments: a paragraph a line, as descriptions have them.
pub(crate) fn doc(attributes: &[Attribute]) -> Option<String> {
    let mut text = String::new();
    for line in attributes.iter().filter_map(doc_line) {
        let line = line.trim();
        if line.is_empty() {
            text += "\n";
        } else {
            if !text.is_empty() && !text.ends_with('\n') {
                text += " ";
            }
            text += line;
        }
    }
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The module with all that derived code names, from the option `crate`.
pub(crate) fn library(option: Option<&LitStr>) -> Result<TokenStream> {
    let Some(text) = option else { return Ok(quote!(::watchkeeper::__derive)) };
    let path: Path = text.parse()?;
    let is_complete = path.leading_colon.is_some()
        || path.segments.first().is_some_and(|first| {
            ["crate", "self", "super"].iter().any(|word| first.ident == format_ident!("{word}"))
        });
    Ok(if is_complete { quote!(#path::__derive) } else { quote!(::#path::__derive) })
}
