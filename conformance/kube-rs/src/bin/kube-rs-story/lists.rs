//! Lists: by pages, by selectors, of a version.

use k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use kube::ResourceExt;
use kube::api::{ListParams, PostParams, VersionMatch};
use kube::core::{Expression, Selector};

use crate::told::{Outcome, Story, map, names, refusal};

/// What the objects of this chapter have in common.
const OURS: &str = "chapter=lists";

pub async fn tell(story: &Story) -> Outcome {
    let maps = story.api::<ConfigMap>();
    for number in 0..7 {
        let (color, count) = (["red", "green", "blue"][number % 3], number.to_string());
        let labels = [("chapter", "lists"), ("color", color), ("count", &count)];
        maps.create(&PostParams::default(), &map(&format!("m{number}"), &labels)).await?;
    }
    pages(story, &maps).await?;
    selected(story, &maps).await?;
    versions(story, &maps).await?;
    let listed = maps.list_metadata(&ListParams::default().labels(OURS)).await?;
    let kind = listed.items.first().and_then(|item| item.types.clone());
    story.say("metadata alone", format!("{} {kind:?}", names(&listed.items)));
    let all = Api::<ConfigMap>::all(story.client.clone());
    let everywhere = all.list(&ListParams::default().labels(OURS)).await?;
    story.say("of all namespaces", names(&everywhere));
    Ok(())
}

async fn pages(story: &Story, maps: &Api<ConfigMap>) -> Outcome {
    // What remains is not told of a selection.
    let mut asked = ListParams::default().labels(OURS).limit(3);
    loop {
        let page = maps.list(&asked).await?;
        story.say(
            "a page",
            format!("{}, {:?} more", names(&page), page.metadata.remaining_item_count),
        );
        let Some(token) = page.metadata.continue_.filter(|token| !token.is_empty()) else { break };
        asked = asked.continue_token(&token);
    }
    let first = maps.list(&ListParams::default().limit(1)).await?;
    let all = maps.list(&ListParams::default()).await?.items.len();
    let remain = first.metadata.remaining_item_count.unwrap_or_default();
    story.say("what remains is all but one", usize::try_from(remain)? + 1 == all);
    let wrong = ListParams::default().limit(1).continue_token("wrong");
    story.say("a wrong token", refusal(maps.list(&wrong).await));
    Ok(())
}

async fn selected(story: &Story, maps: &Api<ConfigMap>) -> Outcome {
    let labels =
        ["color=red", "color!=red", "color in (red,blue),count notin (0)", "!color", "count"];
    for labels in labels {
        let asked = ListParams::default().labels(&format!("{OURS},{labels}"));
        story.say(labels, names(&maps.list(&asked).await?));
    }
    let by_value: Selector = [
        Expression::Equal("chapter".to_owned(), "lists".to_owned()),
        Expression::In("color".to_owned(), ["green".to_owned()].into()),
    ]
    .into_iter()
    .collect();
    let asked = ListParams::default().labels_from(&by_value);
    story.say("a selector as a value", names(&maps.list(&asked).await?));
    for fields in ["metadata.name=m3", "metadata.name!=m3,metadata.namespace=story", "data.key=a"] {
        let asked = ListParams::default().labels(OURS).fields(fields);
        let told = maps.list(&asked).await.map(|list| names(&list));
        story.say(fields, told.unwrap_or_else(|error| refusal::<()>(Err(error))));
    }
    let wrong = ListParams::default().labels("a in b");
    story.say("a wrong selector", refusal(maps.list(&wrong).await));
    Ok(())
}

async fn versions(story: &Story, maps: &Api<ConfigMap>) -> Outcome {
    let then = maps.list(&ListParams::default()).await?;
    let version = then.metadata.resource_version.ok_or("a list without version")?;
    maps.create(&PostParams::default(), &map("later", &[("chapter", "lists")])).await?;
    let asked = ListParams::default().labels(OURS);
    let exact = asked.clone().at(&version).matching(VersionMatch::Exact);
    let exact = maps.list(&exact).await?;
    let same = exact.metadata.resource_version.as_ref() == Some(&version);
    story.say("exactly then", format!("{}, of that version: {same}", names(&exact)));
    let newer = asked.clone().at(&version).matching(VersionMatch::NotOlderThan);
    let count = maps.list(&newer).await?.items.len();
    story.say("not older", count >= exact.items.len());
    let any = maps.list(&asked.match_any()).await?;
    story.say("any", any.iter().any(|map| map.name_any() == "m0"));
    Ok(())
}
