//! A round over folders: first the folders themselves, then what lies in each.

use std::collections::VecDeque;
use std::sync::Arc;

use async_trait::async_trait;

use super::client::GraphClient;
use super::folder_tree::{FolderKind, FolderTree};
use super::position::GraphPass;
use super::reading::{DeltaReading, GraphItems};
use super::telling::keep;
use crate::failure::{FailureKind, SourceFailure};
use crate::round::{CONTAINERS, ItemChange, KnownItems, Page, Round, RoundRequest, SourceItem};

/// The containers first, then one collection after the other.
pub(super) struct CollectionsRound {
    client: GraphClient,
    items: Arc<dyn GraphItems>,
    request: RoundRequest,
    containers: Option<Containers>,
    scopes: VecDeque<String>,
    reading: Option<DeltaReading>,
    /// What kept a collection from being read; told when the others were.
    failure: Option<SourceFailure>,
}

/// All there are, and what is stored with them.
pub(super) struct Containers {
    pub(super) items: Vec<SourceItem>,
    pub(super) position: serde_json::Value,
}

impl Containers {
    /// The folders of a tree.
    pub(super) fn of_tree(tree: &FolderTree, kind: FolderKind) -> Self {
        let folders = tree.folders.iter();
        Self {
            items: folders
                .map(|(id, folder)| tree.item(id, folder, kind))
                .collect(),
            position: tree.to_value(),
        }
    }
}

impl CollectionsRound {
    pub(super) fn new(
        client: GraphClient,
        items: Arc<dyn GraphItems>,
        containers: Containers,
        request: RoundRequest,
    ) -> Self {
        let scopes = containers.items.iter();
        let scopes = scopes.filter_map(|item| item.holds.clone()).collect();
        Self {
            client,
            items,
            request,
            containers: Some(containers),
            scopes,
            reading: None,
            failure: None,
        }
    }

    fn next_reading(&mut self) -> Option<DeltaReading> {
        let scope = self.scopes.pop_front()?;
        Some(DeltaReading::new(
            self.client.clone(),
            Arc::clone(&self.items),
            scope,
            self.request.clone(),
        ))
    }

    /// All containers, as a pass: one that is not named any more ends with its rows.
    async fn containers_page(
        &self,
        containers: Containers,
        known: &dyn KnownItems,
    ) -> Result<Page, SourceFailure> {
        let mut page = Page::new(CONTAINERS, containers.position);
        let pass = GraphPass {
            begun_at: self.request.now,
            since: None,
        };
        page.pass = Some(pass.page(true));
        let keys = containers.items.iter().map(|item| item.key.clone());
        let versions = known
            .versions(CONTAINERS, &keys.collect::<Vec<_>>())
            .await?;
        for item in containers.items {
            match versions.get(&item.key) == Some(&item.version) {
                true => keep(&mut page, item.key),
                false => page.changes.push(ItemChange::Put(item)),
            }
        }
        Ok(page)
    }
}

#[async_trait]
impl Round for CollectionsRound {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        if let Some(containers) = self.containers.take() {
            return self.containers_page(containers, known).await.map(Some);
        }
        while let Some(mut reading) = self.reading.take().or_else(|| self.next_reading()) {
            match reading.next_page(known).await {
                Ok(Some(page)) => {
                    self.reading = Some(reading);
                    return Ok(Some(page));
                }
                Ok(None) => {}
                Err(failure) if is_of_one_collection(&failure) => {
                    self.failure.get_or_insert(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        self.failure.take().map_or(Ok(None), Err)
    }
}

/// Whether the other collections may answer better: one that is broken does not keep them from being read.
const fn is_of_one_collection(failure: &SourceFailure) -> bool {
    use FailureKind::{Malformed, NotFound, Rejected, TooLarge};
    matches!(failure.kind, Malformed | NotFound | Rejected | TooLarge)
}
