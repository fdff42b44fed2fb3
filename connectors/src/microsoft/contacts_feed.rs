//! The contacts of a Microsoft account, in rounds.

use std::sync::Arc;

use async_trait::async_trait;

use super::client::{GraphClient, address_of_mine, segment};
use super::contact;
use super::delta::ListedObject;
use super::folder_tree::{FolderKind, FolderTree};
use super::folders_round::Containers;
use super::object::{GraphObject, text};
use super::position::{GraphPass, GraphPosition, ReadingDepth};
use super::reading::GraphItems;
use super::telling::{GraphObjectReader, ReadObject, key_of, row_id, tell_each, version_of};
use crate::bearer::BearerClient;
use crate::failure::SourceFailure;
use crate::limits::GRAPH_CONTACTS_LOT;
use crate::round::{
    CONTAINERS, Feed, KnownItems, Page, Round, RoundRequest, SourceItem, SourceRecord,
};

/// The scope of the folder that every account has, which Graph does not list among the others.
const OWN_SCOPE: &str = "contacts";

const FOLDERS: FolderKind = FolderKind {
    path: "contactFolders",
    roles: &[("contacts", OWN_SCOPE)],
    target: None,
};

/// The contacts of one person. Needs the scope `Contacts.Read`.
pub struct GraphContactsFeed {
    client: GraphClient,
}

impl GraphContactsFeed {
    /// Reads as the person of a sign-in.
    pub const fn new(bearer: BearerClient) -> Self {
        Self {
            client: GraphClient::new(bearer),
        }
    }
}

#[async_trait]
impl Feed for GraphContactsFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        let one = self.client.of_mine("contacts?$top=1&$select=id").await;
        one.map(drop)
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let tree = FolderTree::parse(request.positions.get(CONTAINERS));
        let tree = tree.brought_up(&self.client, FOLDERS).await?;
        let items = Arc::new(ContactItems {
            client: self.client.clone(),
        });
        let containers = containers(tree);
        let round = containers.into_round(self.client.clone(), items, request);
        Ok(Box::new(round))
    }
}

/// The own folder, then those beside it. Where Graph lists the own one too it is one all the same.
fn containers(mut tree: FolderTree) -> Containers {
    let position = tree.to_value();
    let roles = std::mem::take(&mut tree.roles);
    tree.folders.retain(|id, _| !roles.contains_key(id));
    let mut containers = Containers::of_tree(&tree, FOLDERS);
    containers.position = position;
    let own = SourceItem {
        key: OWN_SCOPE.to_owned(),
        version: String::from("1"),
        at: None,
        holds: Some(OWN_SCOPE.to_owned()),
        records: Vec::new(),
    };
    containers.items.insert(0, own);
    containers
}

/// Contacts of any folder.
struct ContactItems {
    client: GraphClient,
}

#[async_trait]
impl GraphItems for ContactItems {
    fn page_items(&self) -> usize {
        GRAPH_CONTACTS_LOT
    }

    fn pass_due(&self, _: &GraphPosition, _: &RoundRequest) -> bool {
        false
    }

    fn pass(&self, request: &RoundRequest) -> GraphPass {
        // A contact has no time: all are wanted.
        GraphPass {
            begun_at: request.now,
            since: None,
        }
    }

    fn first_link(&self, scope: &str, reading: ReadingDepth, _: GraphPass) -> String {
        let list = match scope {
            OWN_SCOPE => "contacts".to_owned(),
            folder => format!("contactFolders/{}/contacts", segment(folder)),
        };
        address_of_mine(&match reading {
            ReadingDepth::Plain => list,
            ReadingDepth::Usual | ReadingDepth::Light => format!("{list}/delta"),
        })
    }

    fn when_too_long(&self) -> Option<ReadingDepth> {
        None
    }

    async fn tell(
        &self,
        listed: Vec<ListedObject>,
        page: &mut Page,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        tell_each(self, listed, page, known).await
    }
}

#[async_trait]
impl GraphObjectReader for ContactItems {
    async fn read(
        &self,
        scope: &str,
        object: GraphObject,
        _: bool,
    ) -> Result<ReadObject, SourceFailure> {
        let id = text(&object, "id").unwrap_or_default().to_owned();
        // A changed object need not have more than what changed.
        let is_whole = ["displayName", "emailAddresses"]
            .iter()
            .all(|name| object.contains_key(*name));
        let object = match is_whole {
            true => object,
            false => {
                let path = format!("contacts/{}", segment(&id));
                self.client.of_mine(&path).await?
            }
        };
        let Some(fields) = contact::fields(&object) else {
            return Ok(ReadObject::Unread("it names nobody".to_owned()));
        };
        let key = key_of(&id);
        Ok(ReadObject::Item(SourceItem {
            version: version_of(&object),
            at: None,
            holds: None,
            records: vec![SourceRecord {
                target: "contacts.people",
                source_id: row_id(scope, &id),
                fields,
            }],
            key,
        }))
    }
}
