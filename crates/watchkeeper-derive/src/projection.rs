//! Projections: structs with some of the fields of a whole type, read from the same bytes.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Error, Ident, Path, Result};

use crate::attributes::{ObjectOptions, WholeOptions};
use crate::input::{self, Field};

/// Where a projection is made.
struct Projection<'a> {
    lib: TokenStream,
    ident: &'a Ident,
    whole: &'a Path,
    fields: Vec<Field>,
    /// Protobuf is not read.
    json: bool,
    /// It is a kind, with apiVersion and kind before its members.
    is_kind: bool,
}

/// `#[object(like = …)]`.
pub(crate) fn object(
    input: &DeriveInput,
    options: &ObjectOptions,
    whole: &Path,
) -> Result<TokenStream> {
    let given = [
        (options.group.is_some(), "group"),
        (options.version.is_some(), "version"),
        (options.kind.is_some(), "kind"),
        (options.status, "status"),
        (!options.columns.is_empty(), "printcolumn"),
        (!options.versions.is_empty(), "versions"),
    ];
    if let Some((_, name)) = given.iter().find(|(given, _)| *given) {
        let message = format!("a projection is of the kind it is like: remove `{name}`");
        return Err(Error::new(input.ident.span(), message));
    }
    let projection = Projection::new(input, &options.whole, whole, true)?;
    if !projection.fields.iter().any(|field| field.ident == "metadata") {
        let message = "a kind has metadata: add `pub metadata: ObjectMeta`";
        return Err(Error::new(input.ident.span(), message));
    }
    let Projection { lib, ident, .. } = &projection;
    let json = options.whole.json.then(|| quote!(; json));
    let codec = projection.codec();
    Ok(quote! {
        #lib::impl_projection!(#ident, #whole #json);
        #codec
    })
}

/// `#[fields(like = …)]`.
pub(crate) fn part(
    input: &DeriveInput,
    options: &WholeOptions,
    whole: &Path,
) -> Result<TokenStream> {
    Ok(Projection::new(input, options, whole, false)?.codec())
}

impl<'a> Projection<'a> {
    fn new(
        input: &'a DeriveInput,
        options: &WholeOptions,
        whole: &'a Path,
        is_kind: bool,
    ) -> Result<Self> {
        let lib = input::library(options.library.as_ref())?;
        let fields = input::fields(input)?;
        for field in &fields {
            if field.options.rename.is_some() {
                let message = "name the whole type's field instead: `#[field(like = \"…\")]`";
                return Err(Error::new(field.ident.span(), message));
            }
            if !field.options.is_bare() {
                let message =
                    "the whole type has the schema: a projection's field takes `like` only";
                return Err(Error::new(field.ident.span(), message));
            }
        }
        let (ident, json) = (&input.ident, options.json);
        Ok(Self { lib, ident, whole, fields, json, is_kind })
    }

    /// What the whole type calls a field.
    fn whole_field<'f>(&self, field: &'f Field) -> &'f Ident {
        field.options.like.as_ref().unwrap_or(&field.ident)
    }

    /// How many members come before the fields.
    fn head(&self) -> usize {
        if self.is_kind { 2 } else { 0 }
    }

    fn codec(&self) -> TokenStream {
        let Self { lib, ident, whole, .. } = self;
        let head = self.is_kind.then(|| quote!("apiVersion", "kind",));
        let known = self.fields.iter().map(|field| self.known(field));
        let count = self.head() + self.fields.len();
        let fields = self.fields();
        let message = (!self.json).then(|| self.message());
        let stands_for = self.stands_for();
        let in_protobuf = (!self.json).then(|| self.in_protobuf());
        let unknown = "nothing is known of the members of this type: it cannot be projected";
        let is_known = quote_spanned! {whole.span()=>
            __lib::shape::demand(::core::matches!(WHOLE.is, __lib::Is::Struct), #unknown)
        };
        quote! {
            const _: () = {
                use #lib as __lib;

                const WHOLE: &__lib::Shape = <#whole as __lib::Described>::SHAPE;
                const _: () = #is_known;
                #in_protobuf
                const ALL_NAMES: [&str; #count] = [#head #(#known.json),*];
                static TEXT: [u8; __lib::Names::length(&ALL_NAMES)] =
                    __lib::Names::text(&ALL_NAMES);
                static STARTS: [u16; #count + 1] = __lib::Names::starts(&ALL_NAMES);
                static NAMES: __lib::Names = __lib::Names::new(&TEXT, &STARTS);

                #fields
                __lib::struct_codec!(#ident, &NAMES);
                #message
                #stands_for
            };
        }
    }

    /// Whoever asks for protobuf would read nothing of a whole type that has none.
    fn in_protobuf(&self) -> TokenStream {
        let (whole, known) = (self.whole, self.fields.iter().map(|field| self.known(field)));
        let attribute = if self.is_kind { "object" } else { "fields" };
        let name = quote!(#whole).to_string().replace(' ', "");
        let message =
            format!("`{name}` has no protobuf: write `#[{attribute}(like = {name}, json)]`");
        // Of a field that is not there the compiler tells where it is named.
        let has =
            known.map(|known| quote!(&& !(#known.numbers.is_empty() && !#known.field.is_empty())));
        quote_spanned! {whole.span()=>
            const _: () = __lib::shape::demand(true #(#has)*, #message);
        }
    }

    fn known(&self, field: &Field) -> TokenStream {
        let name = self.whole_field(field);
        let text = name.to_string();
        quote_spanned!(name.span()=> WHOLE.field(#text))
    }

    fn fields(&self) -> TokenStream {
        let ident = self.ident;
        let head = self.is_kind.then(|| {
            quote! {
                0 => match WHOLE.named {
                    ::core::option::Option::Some(named) if !named.any_version => {
                        r.expect_text(named.api_version)
                    }
                    _ => r.skip(),
                },
                1 => match WHOLE.named {
                    ::core::option::Option::Some(named) if !named.any_version => {
                        r.expect_text(named.kind)
                    }
                    _ => r.skip(),
                },
            }
        });
        let arms = self.fields.iter().enumerate().map(|(index, field)| {
            let (index, member) = (index + self.head(), &field.ident);
            let read = self.read(field, member);
            quote!(#index => #read,)
        });
        quote! {
            #[automatically_derived]
            impl __lib::Fields for #ident {
                fn set(
                    &mut self,
                    index: usize,
                    r: &mut __lib::Reader<'_>,
                ) -> ::core::result::Result<(), __lib::ReadError> {
                    match index {
                        #head
                        #(#arms)*
                        _ => r.skip(),
                    }
                }
            }
        }
    }

    /// Of a member with a default, `null` is the default. Built-in kinds, which have protobuf, have none.
    fn read(&self, field: &Field, member: &Ident) -> TokenStream {
        if !self.json {
            return quote_spanned!(field.span()=> __lib::Read::read_into(&mut self.#member, r));
        }
        let (whole, known) = (self.whole, self.known(field));
        quote_spanned! {field.span()=> {
            static FILLED: __lib::Filled =
                __lib::Filled::new(#known.json, <#whole as __lib::Described>::schema);
            FILLED.read(&mut self.#member, r)
        }}
    }

    fn message(&self) -> TokenStream {
        let (ident, count) = (self.ident, self.fields.len());
        let members = self.fields.iter().enumerate().map(|(index, field)| {
            // A struct has fewer fields.
            let index = u8::try_from(index + self.head()).unwrap_or(u8::MAX);
            let known = self.known(field);
            quote!(__lib::pb::Member::new(#known.numbers, #index, #known.rule))
        });
        let named =
            if self.is_kind { quote!(WHOLE.named) } else { quote!(::core::option::Option::None) };
        let arms = |call: fn(TokenStream) -> TokenStream| {
            let arms = self.fields.iter().enumerate().map(|(index, field)| {
                let (index, member) = (index + self.head(), &field.ident);
                let call = call(quote_spanned!(field.span()=> self.#member));
                quote!(#index => #call,)
            });
            quote!(#(#arms)*)
        };
        let merge = arms(|member| quote!(__lib::pb::Field::merge(&mut #member, r, tag, rule)));
        let put = arms(|member| quote!(__lib::pb::Field::put(&#member, w, number, rule)));
        let field = self.field();
        quote! {
            #[automatically_derived]
            impl __lib::pb::Message for #ident {
                fn members(&self) -> &'static __lib::pb::Members {
                    static SORTED: [__lib::pb::Member; #count] =
                        __lib::pb::Member::sorted([#(#members),*]);
                    static MEMBERS: __lib::pb::Members =
                        __lib::pb::Members::new(&NAMES, &SORTED, #named);
                    &MEMBERS
                }

                fn merge_member(
                    &mut self,
                    r: &mut __lib::pb::Reader<'_>,
                    tag: __lib::pb::Tag,
                    rule: __lib::pb::Rule,
                    index: usize,
                ) -> ::core::result::Result<(), __lib::ReadError> {
                    match index {
                        #merge
                        _ => r.skip(tag),
                    }
                }

                fn put_members(&self, w: &mut __lib::pb::Writer) {
                    w.by_table(self.members(), &mut |w, number, rule, index| match index {
                        #put
                        _ => {}
                    });
                }
            }

            #field
        }
    }

    /// A message within another one.
    fn field(&self) -> TokenStream {
        let ident = self.ident;
        quote! {
            #[automatically_derived]
            impl __lib::pb::Field for #ident {
                fn merge(
                    &mut self,
                    r: &mut __lib::pb::Reader<'_>,
                    tag: __lib::pb::Tag,
                    _: __lib::pb::Rule,
                ) -> ::core::result::Result<(), __lib::pb::ReadError> {
                    r.nested(tag, self)
                }

                fn put(&self, w: &mut __lib::pb::Writer, number: u32, _: __lib::pb::Rule) {
                    w.nested(number, self);
                }
            }
        }
    }

    /// Each field holds what the whole type's field holds, or a projection of it.
    fn stands_for(&self) -> TokenStream {
        let Self { ident, whole, .. } = self;
        let checks = self.fields.iter().map(|field| {
            let (part, whole) = (&field.ident, self.whole_field(field));
            let whole = quote_spanned!(whole.span()=> &whole.#whole);
            quote_spanned!(field.ty.span()=> __lib::stands_for(&part.#part, #whole);)
        });
        quote! {
            const _: fn(&#ident, &#whole) = |part, whole| {
                #(#checks)*
            };

            impl __lib::Projects<#whole> for #ident {}
            impl __lib::Projects<__lib::Shared<#whole>> for #ident {}
        }
    }
}
