//! Who asks, and what they may.

use k8s_openapi::api::authentication::v1::{
    SelfSubjectReview, TokenReview, TokenReviewSpec, UserInfo,
};
use k8s_openapi::api::authorization::v1::{
    NonResourceAttributes, ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec,
};
use kube::api::PostParams;
use kube::{Api, Client};

use crate::told::{Outcome, Story};

pub async fn tell(story: &Story) -> Outcome {
    let user = who(&story.client).await?;
    let groups = user.groups.unwrap_or_default();
    story.say("a group of mine", groups.iter().any(|group| group == "system:authenticated"));

    let mut config = story.config.clone();
    config.auth_info.impersonate = Some("jane".to_owned());
    config.auth_info.impersonate_groups = Some(vec!["gardeners".to_owned()]);
    let jane = who(&Client::try_from(config)?).await?;
    let groups = jane.groups.unwrap_or_default();
    story.say("impersonated", format!("{:?} {groups:?}", jane.username));

    let resource = ResourceAttributes {
        verb: Some("create".to_owned()),
        resource: Some("deployments".to_owned()),
        group: Some("apps".to_owned()),
        namespace: Some("story".to_owned()),
        ..ResourceAttributes::default()
    };
    let of_resource = SelfSubjectAccessReviewSpec {
        resource_attributes: Some(resource),
        ..SelfSubjectAccessReviewSpec::default()
    };
    story.say("may create deployments", may(story, of_resource).await?);
    let path =
        NonResourceAttributes { path: Some("/metrics".to_owned()), verb: Some("get".to_owned()) };
    let of_path = SelfSubjectAccessReviewSpec {
        non_resource_attributes: Some(path),
        ..SelfSubjectAccessReviewSpec::default()
    };
    story.say("may get a path", may(story, of_path).await?);

    let spec = TokenReviewSpec { token: "no token".to_owned(), ..TokenReviewSpec::default() };
    let review = TokenReview { spec, ..TokenReview::default() };
    let review = Api::all(story.client.clone()).create(&PostParams::default(), &review).await?;
    let known = review.status.and_then(|status| status.authenticated).unwrap_or_default();
    story.say("no token is known", known);
    Ok(())
}

async fn who(client: &Client) -> Outcome<UserInfo> {
    let reviews = Api::<SelfSubjectReview>::all(client.clone());
    let review = reviews.create(&PostParams::default(), &SelfSubjectReview::default()).await?;
    let user = review.status.and_then(|status| status.user_info);
    Ok(user.ok_or("the review has no user")?)
}

async fn may(story: &Story, spec: SelfSubjectAccessReviewSpec) -> Outcome<bool> {
    let reviews = Api::<SelfSubjectAccessReview>::all(story.client.clone());
    let review = SelfSubjectAccessReview { spec, ..SelfSubjectAccessReview::default() };
    let review = reviews.create(&PostParams::default(), &review).await?;
    Ok(review.status.is_some_and(|status| status.allowed))
}
