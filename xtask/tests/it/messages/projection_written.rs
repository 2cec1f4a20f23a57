//! A projection holds a part of an object: it cannot take the place of the whole.
//@ shows: `PodName` holds only part of an object, so it cannot be written as a whole
//@ shows: `PartialObject` holds only part of an object, so it cannot be written as a whole
//@ shows: `watchkeeper_api::Metadata<Pod>` holds only part of an object, so it cannot be written as a whole

use watchkeeper::Metadata;
use watchkeeper::core::v1::Pod;
use watchkeeper::meta::v1::ObjectMeta;
use watchkeeper_client::{ApplyOptions, Client, CreateOptions, PartialObject};
use watchkeeper_controller::Context;
use watchkeeper_derive::Object;

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(like = Pod)]
struct PodName {
    metadata: ObjectMeta,
}

async fn write(ctx: &Context, client: &Client, partial: PartialObject) {
    let _ = ctx.apply(&partial).await;
    let _ = client.metadata(Pod::KIND).update(&partial).await;
    let _ = ctx.apply(&PodName::default()).await;
    let _ = ctx.create(&Metadata::<Pod>::default()).await;
    let _ = client.api::<PodName>().update(&PodName::default()).await;
    let _ = client.api::<Metadata<Pod>>().update_status(&Metadata::default()).await;
    let _ = client.api::<PodName>().apply(&PodName::default(), &ApplyOptions::default()).await;
    let _ = client.api::<PodName>().create(&PodName::default(), &CreateOptions::default()).await;
}

fn main() {}
