//! When a document is another one.

use std::sync::Arc;

use super::*;
use crate::resource::Resource;

#[test]
fn a_document_has_another_hash_as_soon_as_what_is_in_it_differs() {
    let registry = Registry::builtin();
    let of = |registry: &Registry| hash(registry, "apps", "v1");
    assert_eq!(of(&registry), of(&Registry::builtin()));
    assert_ne!(of(&registry), hash(&registry, "batch", "v1"));
    let deployments = registry.find("apps", "v1", "deployments").expect("deployments");
    let resource = Resource::clone(deployments);
    for changed in [
        Resource { kind: "Other".to_owned(), ..resource.clone() },
        Resource { namespaced: false, ..resource.clone() },
        Resource { subresources: Vec::new(), ..resource.clone() },
        Resource { plural: "others".to_owned(), ..resource },
    ] {
        let mut other = Registry::builtin();
        let told = format!("{changed:?}");
        other.insert(Arc::new(changed));
        assert_ne!(of(&other), of(&registry), "{told}");
        assert_eq!(hash(&other, "batch", "v1"), hash(&registry, "batch", "v1"), "{told}");
    }
}

#[test]
fn a_document_has_the_paths_of_one_group_in_one_version() {
    let mut registry = Registry::builtin();
    let deployments = registry.find("apps", "v1", "deployments").expect("deployments");
    let other = Resource { version: "v2".to_owned(), ..Resource::clone(deployments) };
    registry.insert(Arc::new(other));
    for (group, version) in [("apps", "v1"), ("apps", "v2"), ("batch", "v1")] {
        let document = document(&registry, group, version);
        let paths = document["paths"].as_object().expect("paths");
        assert!(!paths.is_empty());
        let base = format!("/apis/{group}/{version}/");
        let others: Vec<&String> = paths.keys().filter(|path| !path.starts_with(&base)).collect();
        assert_eq!(others, Vec::<&String>::new());
    }
}

fn answered(registry: &Registry, rest: &str, query: &str) -> (u16, String, String) {
    let uri = format!("/openapi/{rest}{query}");
    let request = Request::builder().uri(uri).body(Bytes::new()).expect("a request");
    match answer(registry, rest, &request) {
        Err(error) => (error.code, error.message, String::new()),
        Ok(response) => {
            let head = |name| {
                let value = response.headers().get(name).map(HeaderValue::to_str);
                value.map_or(String::new(), |value| value.expect("text").to_owned())
            };
            let (location, caching) = (head(header::LOCATION), head(header::CACHE_CONTROL));
            (response.status().as_u16(), location, caching)
        }
    }
}

#[test]
fn a_document_is_kept_for_ever_under_its_hash_and_another_hash_leads_to_it() {
    let registry = Registry::builtin();
    let told = |path: &str, query: &str| answered(&registry, &format!("v3/{path}"), query);
    let (none, again) = (String::new, "no-cache, private");
    for (path, group) in [("apis/apps/v1", "apps"), ("api/v1", "")] {
        let url = url(&registry, path, group, "v1");
        let hash = hash(&registry, group, "v1");
        assert_eq!(url, format!("/openapi/v3/{path}?hash={hash}"));
        assert_eq!(index(&registry)["paths"][path]["serverRelativeURL"], url);
        assert_eq!(told(path, ""), (200, none(), again.to_owned()));
        assert_eq!(told(path, "?hash="), (200, none(), again.to_owned()));
        assert_eq!(told(path, &format!("?hash={hash}")), (200, none(), KEEP.to_owned()));
        assert_eq!(told(path, "?hash=0"), (301, url, again.to_owned()));
    }
    for path in
        ["api/v2", "api/v1/more", "api", "apis/apps", "apis/apps/v9", "apis/apps/v1/x", "x/v1"]
    {
        assert_eq!(told(path, "").0, 404, "{path}");
    }
    assert_eq!(answered(&registry, "v1", "").0, 404);
    assert_eq!(answered(&registry, "v3", "").0, 200);
}
