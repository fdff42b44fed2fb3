//! The trial of a credential, while a person waits.

use sextant_connectors::round::Feed as _;

use super::stage::{Stage, discovery, multistatus};
use crate::support::store::Store;

/// Radicale reads all that a collection holds to tell where it stands: for a person who waits that is too long.
#[tokio::test]
async fn a_credential_is_tried_without_asking_where_collections_stand() {
    let Some(stage) = Stage::new("a_credential_is_tried") else {
        return;
    };
    let stands = |request: &String| request.contains("sync-token") || request.contains("getctag");
    let server = stage
        .serve(|request| {
            discovery(request, "1").unwrap_or_else(|| multistatus("<m:sync-token>1</m:sync-token>"))
        })
        .await;
    let led = [("*.icloud.test", &server)];
    stage.feed(&led).check().await.unwrap();
    let asked = server.received();
    assert_eq!(
        asked.len(),
        2,
        "where the calendars lie, and which there are"
    );
    assert!(!asked.iter().any(stands), "{asked:?}");
    stage.sync(&mut Store::default(), &led).await.unwrap();
    assert!(server.received().iter().any(stands));
}
