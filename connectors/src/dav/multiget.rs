//! The bodies of some resources of a collection.

use std::collections::{HashMap, HashSet};

use super::client::{DavClient, DavDepth};
use super::discovery::DavCollection;
use super::kind::DavKind;
use super::listing::ListedResource;
use super::names::DavElement;
use super::requests::multiget;
use super::resource_key::resource_key;
use crate::failure::SourceFailure;
use crate::limits::ANSWER_BYTES_MAX;

/// What the server sent for one resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FetchedResource {
    Body { etag: Option<String>, body: String },
    Gone,
    Refused(u16),
}

/// Asks for these resources; what is not in the result, the server did not send.
pub(super) async fn fetch(
    client: &DavClient,
    kind: DavKind,
    collection: &DavCollection,
    lot: &[ListedResource],
) -> Result<HashMap<String, FetchedResource>, SourceFailure> {
    let body = multiget(kind, lot.iter().map(|resource| resource.href.as_str()));
    let (at, depth) = (&collection.address, DavDepth::Itself);
    let answer = client.report(at, depth, body, ANSWER_BYTES_MAX).await?;
    let mut fetched = HashMap::new();
    for response in answer.content.responses {
        let body = response.text(kind.data()).map(str::to_owned);
        let etag = response.text(DavElement::ETag).map(str::to_owned);
        let found = match (body, response.status) {
            (Some(body), _) => FetchedResource::Body { etag, body },
            (None, Some(404 | 410)) => FetchedResource::Gone,
            (None, Some(status)) if status >= 300 => FetchedResource::Refused(status),
            (None, _) => continue,
        };
        if let Some(href) = response.hrefs.first() {
            let address = client.resolve(&answer.from, href)?;
            fetched.insert(resource_key(address.url()), found);
        }
    }
    // What was not asked for is not taken.
    let asked: HashSet<_> = lot.iter().map(|resource| resource.key.as_str()).collect();
    fetched.retain(|key, _| asked.contains(key.as_str()));
    Ok(fetched)
}
