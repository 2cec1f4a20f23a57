//! `#[derive(Object)]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{DeriveInput, Error, Ident, LitStr, Result, Type};

use crate::attributes::{Column, ObjectOptions, Scale};
use crate::codec::codec;
use crate::input::{self, Field};
use crate::schema::{self, Described};
use crate::{check, name, projection};

#[cfg(test)]
mod tests;

/// Everything that makes a struct a kind.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let mut options = ObjectOptions::parse(input)?;
    if let Some(whole) = options.whole.like.clone() {
        return projection::object(input, &options, &whole);
    }
    let lib = input::library(options.whole.library.as_ref())?;
    let fields = input::fields(input)?;
    let names = Names::of(input, &options)?;
    if !fields.iter().any(|field| field.ident == "metadata") {
        let message = "a kind has metadata: add `pub metadata: ObjectMeta`";
        return Err(Error::new(input.ident.span(), message));
    }
    if let Some(field) = fields.iter().find(|f| ["apiVersion", "kind"].contains(&&*f.json)) {
        return Err(field.taken());
    }
    let status = status(input, &options, &fields)?;
    options.whole.resolve(&fields)?;

    let ident = &input.ident;
    let api_version = format!("{}/{}", names.group, names.version);
    let codec = codec(&lib, ident, &fields, Some((&api_version, &names.kind)));
    let members = members(&fields);
    let described = schema::described(&Described {
        lib: &lib,
        input,
        fields: &members,
        named: Some((&api_version, &names.kind)),
        whole: &options.whole,
    });
    let checks = check::kind(&lib, ident, &options)?;
    let versions = check::versions(&lib, ident, &options);
    let kind = kind(&lib, &names, options.is_cluster);
    let status = status.map(|ty| quote!(, status = #ty));
    let definition = definition(&lib, ident, &names, &options);
    Ok(quote! {
        impl #ident {
            /// The kind of all such objects.
            pub const KIND: #lib::Kind = #kind;
        }

        #lib::impl_object!(#ident, <#ident>::KIND #status);
        #codec
        #described
        #checks
        #versions
        #definition
    })
}

/// What the kind is called.
struct Names {
    group: String,
    version: String,
    kind: String,
    plural: String,
    singular: String,
}

impl Names {
    fn of(input: &DeriveInput, options: &ObjectOptions) -> Result<Self> {
        let needed = |option: &Option<LitStr>, what: &str| {
            let missing = || {
                let message = format!(
                    "write `#[object(group = \"…\", version = \"…\")]`: the {what} is missing"
                );
                Error::new(input.ident.span(), message)
            };
            option.as_ref().map(LitStr::value).filter(|text| !text.is_empty()).ok_or_else(missing)
        };
        let given = |option: &Option<LitStr>| option.as_ref().map(LitStr::value);
        let kind = given(&options.kind).unwrap_or_else(|| input.ident.to_string());
        let singular = given(&options.singular).unwrap_or_else(|| kind.to_lowercase());
        Ok(Self {
            group: needed(&options.group, "group")?,
            version: needed(&options.version, "version")?,
            plural: given(&options.plural).unwrap_or_else(|| name::plural(&singular)),
            kind,
            singular,
        })
    }
}

/// The type of the status, where it is a subresource.
fn status<'a>(
    input: &DeriveInput,
    options: &ObjectOptions,
    fields: &'a [Field],
) -> Result<Option<&'a Type>> {
    if !options.status {
        return Ok(None);
    }
    match fields.iter().find(|field| field.ident == "status") {
        Some(field) => Ok(Some(&field.ty)),
        None => Err(Error::new(input.ident.span(), "`status` needs a field `status`")),
    }
}

/// The fields with a schema of their own; the server knows the metadata.
fn members(fields: &[Field]) -> Vec<&Field> {
    fields.iter().filter(|field| field.ident != "metadata").collect()
}

fn kind(lib: &TokenStream, names: &Names, is_cluster: bool) -> TokenStream {
    let Names { group, version, kind, plural, .. } = names;
    let scope = if is_cluster { quote!(Cluster) } else { quote!(Namespaced) };
    quote!(#lib::Kind::new(#group, #version, #kind, #plural, #lib::Scope::#scope))
}

fn definition(
    lib: &TokenStream,
    ident: &Ident,
    names: &Names,
    options: &ObjectOptions,
) -> TokenStream {
    let singular = &names.singular;
    let ObjectOptions { short_names, categories, status, unserved, unstored, versions, .. } =
        options;
    let scale = options.scale.as_ref().map(|scale| scale_paths(lib, scale));
    let scale = optional(scale.as_ref());
    let list_kind = optional(options.list_kind.as_ref());
    let deprecated = optional(options.deprecated.as_ref());
    let pairs = |pairs: &[(LitStr, LitStr)]| {
        let pairs = pairs.iter().map(|(key, value)| quote!((#key, #value)));
        quote!(&[#(#pairs),*])
    };
    let (annotations, labels) = (pairs(&options.annotations), pairs(&options.labels));
    let selectable = options.selectable.iter().map(|path| &path.text);
    let columns = options.columns.iter().map(|of| column(lib, of));
    quote! {
        #[automatically_derived]
        impl #lib::CustomResource for #ident {
            const STORAGE: bool = !#unstored;

            fn crd() -> #lib::CustomResourceDefinition {
                #lib::Definition {
                    singular: #singular,
                    list_kind: #list_kind,
                    annotations: #annotations,
                    labels: #labels,
                    short_names: &[#(#short_names),*],
                    categories: &[#(#categories),*],
                    status: #status,
                    scale: #scale,
                    columns: ::std::vec![#(#columns),*],
                    selectable: &[#(#selectable),*],
                    unserved: #unserved,
                    unstored: #unstored,
                    deprecated: #deprecated,
                    versions: ::std::vec![#(<#versions as #lib::CustomResource>::crd_version()),*],
                    schema: <Self as #lib::Described>::schema(),
                }
                .of(&Self::KIND)
            }
        }
    }
}

/// An option as an expression.
fn optional(value: Option<&impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn scale_paths(lib: &TokenStream, scale: &Scale) -> TokenStream {
    let (spec_replicas, status_replicas) = (&scale.spec_replicas.text, &scale.status_replicas.text);
    let label_selector = optional(scale.label_selector.as_ref().map(|path| &path.text).as_ref());
    quote! {
        #lib::ScalePaths {
            spec_replicas: #spec_replicas,
            status_replicas: #status_replicas,
            label_selector: #label_selector,
        }
    }
}

fn column(lib: &TokenStream, column: &Column) -> TokenStream {
    let Column { name, type_, json_path, description, format, priority } = column;
    let text = |option: &Option<LitStr>| option.as_ref().map_or_else(String::new, LitStr::value);
    let (description, format) = (text(description), text(format));
    let json_path = &json_path.text;
    let priority = priority.as_ref().map_or_else(|| quote!(0), |number| quote!(#number));
    quote! {
        #lib::Column {
            name: #name,
            type_: #type_,
            json_path: #json_path,
            description: #description,
            format: #format,
            priority: #priority,
        }
    }
}
