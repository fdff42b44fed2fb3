//! A round over folders: first the folders themselves, then what lies in each.

use std::sync::Arc;

use async_trait::async_trait;

use super::client::GraphClient;
use super::folder_tree::{FolderKind, FolderTree};
use super::position::GraphPass;
use super::reading::{DeltaReading, GraphItems};
use super::telling::keep;
use crate::collections::CollectionsRound;
use crate::failure::SourceFailure;
use crate::round::{CONTAINERS, ItemChange, KnownItems, Page, Round, RoundRequest, SourceItem};

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

    /// The round over them.
    pub(super) fn into_round(
        self,
        client: GraphClient,
        items: Arc<dyn GraphItems>,
        request: RoundRequest,
    ) -> CollectionsRound {
        let held = self.items.iter().filter_map(|item| item.holds.clone());
        let scopes: Vec<String> = held.collect();
        let told = ContainersReading {
            containers: Some(self),
            request: request.clone(),
        };
        let readings = scopes.into_iter().map(move |scope| {
            DeltaReading::new(client.clone(), Arc::clone(&items), scope, request.clone())
        });
        CollectionsRound::new(told, readings)
    }
}

/// All containers, as a pass: one that is not named any more ends with its rows.
struct ContainersReading {
    containers: Option<Containers>,
    request: RoundRequest,
}

#[async_trait]
impl Round for ContainersReading {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        let Some(containers) = self.containers.take() else {
            return Ok(None);
        };
        let mut page = Page::new(CONTAINERS, containers.position);
        let pass = GraphPass {
            begun_at: self.request.now,
            since: None,
        };
        page.pass = Some(pass.page(true));
        let keys = containers.items.iter().map(|item| item.key.clone());
        let keys: Vec<String> = keys.collect();
        let versions = known.versions(CONTAINERS, &keys).await?;
        for item in containers.items {
            match versions.get(&item.key) == Some(&item.version) {
                true => keep(&mut page, item.key),
                false => page.changes.push(ItemChange::Put(item)),
            }
        }
        Ok(Some(page))
    }
}
