//! The folders of mail or of contacts, kept up by their changes: a folder's path depends on folders that did not change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sextant_formats::RecordFields;

use super::client::{GraphClient, address_of_mine, judge_link};
use super::delta::{GraphPage, ListedObject, PageEnd};
use super::object::{GraphObject, flag, text};
use super::telling::key_of;
use crate::digest_key::digest;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{GRAPH_FOLDERS_MAX, GRAPH_PAGES_MAX};
use crate::round::{SourceItem, SourceRecord};

/// Folders above one another that a path names.
const PATH_DEPTH_MAX: usize = 50;

/// The folders as they were told last, and what changes are asked for by: the position of the containers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FolderTree {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    #[serde(default)]
    pub(super) folders: BTreeMap<String, GraphFolder>,
    /// What folders of these ids are for.
    #[serde(default)]
    pub(super) roles: BTreeMap<String, String>,
}

/// A folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GraphFolder {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unread: Option<u64>,
}

/// Which folders, and what some of them are for.
#[derive(Clone, Copy)]
pub(super) struct FolderKind {
    /// `mailFolders` or `contactFolders`.
    pub(super) path: &'static str,
    /// Names by which Graph knows folders, and the role each has here.
    pub(super) roles: &'static [(&'static str, &'static str)],
    /// The table of their rows, if they have one.
    pub(super) target: Option<&'static str>,
}

impl FolderTree {
    /// Reads what was stored; what means nothing here is a beginning.
    pub(super) fn parse(stored: Option<&Value>) -> Self {
        let parsed = stored.map(|stored| serde_json::from_value(stored.clone()));
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    /// As it is stored.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }

    /// The folders as they are now.
    pub(super) async fn brought_up(
        self,
        client: &GraphClient,
        kind: FolderKind,
    ) -> Result<Self, SourceFailure> {
        if self.link.is_some() {
            match self.clone().follow(client, kind).await {
                Err(lost) if lost.kind == FailureKind::PositionLost => {}
                brought => return brought,
            }
        }
        let mut anew = Self::default().follow(client, kind).await?;
        for (name, role) in kind.roles {
            let path = format!("{}/{name}?$select=id", kind.path);
            match client.of_mine(&path).await {
                Ok(folder) => {
                    let id = text(&folder, "id").map(str::to_owned);
                    anew.roles.extend(id.map(|id| (id, (*role).to_owned())));
                }
                Err(none) if is_none(&none) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(anew)
    }

    async fn follow(
        mut self,
        client: &GraphClient,
        kind: FolderKind,
    ) -> Result<Self, SourceFailure> {
        let first = || address_of_mine(&format!("{}/delta", kind.path));
        let mut link = self.link.take().unwrap_or_else(first);
        for _ in 0..GRAPH_PAGES_MAX {
            let page = GraphPage::of_answer(client.follow(&link, None).await?)?;
            page.objects.into_iter().for_each(|one| self.change(one));
            if self.folders.len() > GRAPH_FOLDERS_MAX {
                break;
            }
            match page.end {
                PageEnd::More(next) if next != link => link = next,
                PageEnd::More(_) => break,
                PageEnd::Told(next) => {
                    judge_link(&next)?;
                    self.link = Some(next);
                    return Ok(self);
                }
                PageEnd::Listed => return Ok(self),
            }
        }
        let message = "the source's list of folders does not end";
        Err(SourceFailure::new(FailureKind::Malformed, message))
    }

    fn change(&mut self, listed: ListedObject) {
        match listed {
            ListedObject::Removed { id } => drop(self.folders.remove(&id)),
            ListedObject::There { id, object } if flag(&object, "isHidden") == Some(true) => {
                self.folders.remove(&id);
            }
            ListedObject::There { id, object } => {
                self.folders.entry(id).or_default().change(&object);
            }
        }
    }

    /// A folder as an item, which holds the scope of its own key.
    pub(super) fn item(&self, id: &str, folder: &GraphFolder, kind: FolderKind) -> SourceItem {
        let key = key_of(id);
        let fields = self.fields(id, folder);
        let record = kind.target.map(|target| SourceRecord {
            target,
            source_id: key.clone(),
            fields: fields.clone(),
        });
        SourceItem {
            version: digest(Value::Object(fields).to_string()),
            holds: Some(key.clone()),
            key,
            at: None,
            records: record.into_iter().collect(),
        }
    }

    fn fields(&self, id: &str, folder: &GraphFolder) -> RecordFields {
        let parent = folder.parent.as_deref();
        let parent = parent.filter(|parent| self.folders.contains_key(*parent));
        let role = self.roles.get(id);
        let fields = [
            ("name", Some(Value::from(folder.name.as_str()))),
            ("path", Some(Value::from(self.path(folder)))),
            ("role", role.map(|role| Value::from(role.as_str()))),
            (
                "parent_id",
                parent.map(|parent| Value::from(key_of(parent))),
            ),
            ("total", folder.total.map(Value::from)),
            ("unread", folder.unread.map(Value::from)),
        ];
        let fields = fields.into_iter();
        fields
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }

    fn path(&self, folder: &GraphFolder) -> String {
        let above = |folder: &&GraphFolder| self.folders.get(folder.parent.as_deref()?);
        let mut folders: Vec<_> = std::iter::successors(Some(folder), above)
            .take(PATH_DEPTH_MAX)
            .map(|folder| folder.name.as_str())
            .collect();
        folders.reverse();
        folders.join("/")
    }
}

impl GraphFolder {
    /// What is not said of it stays.
    fn change(&mut self, object: &GraphObject) {
        if let Some(name) = text(object, "displayName") {
            name.clone_into(&mut self.name);
        }
        if let Some(parent) = text(object, "parentFolderId") {
            self.parent = Some(parent.to_owned());
        }
        let count = |name: &str| object.get(name).and_then(Value::as_u64);
        self.total = count("totalItemCount").or(self.total);
        self.unread = count("unreadItemCount").or(self.unread);
    }
}

/// Whether there is no folder of that name.
const fn is_none(failure: &SourceFailure) -> bool {
    matches!(failure.kind, FailureKind::NotFound | FailureKind::Rejected)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIL: FolderKind = FolderKind {
        path: "mailFolders",
        roles: &[],
        target: Some("mail.mailboxes"),
    };

    fn there(object: Value) -> ListedObject {
        let object = object.as_object().unwrap().clone();
        let id = object["id"].as_str().unwrap().to_owned();
        ListedObject::There { id, object }
    }

    #[test]
    fn a_path_follows_the_folders_above() {
        let mut tree = FolderTree::default();
        tree.change(there(
            json!({"id": "a", "displayName": "Work", "parentFolderId": "root"}),
        ));
        let below = json!({"id": "b", "displayName": "Old", "parentFolderId": "a", "totalItemCount": 3, "unreadItemCount": 1});
        tree.change(there(below));
        tree.roles.insert("b".to_owned(), "archive".to_owned());
        let fields = |tree: &FolderTree| {
            let item = tree.item("b", &tree.folders["b"], MAIL);
            Value::Object(item.records[0].fields.clone())
        };
        let expected = json!({"name": "Old", "path": "Work/Old", "role": "archive", "parent_id": "a", "total": 3, "unread": 1});
        assert_eq!(fields(&tree), expected);
        tree.change(there(json!({"id": "a", "displayName": "Play"})));
        assert_eq!(fields(&tree)["path"], "Play/Old");
        assert_eq!(FolderTree::parse(Some(&tree.to_value())), tree);
        tree.change(ListedObject::Removed { id: "a".to_owned() });
        assert_eq!(fields(&tree)["path"], "Old");
    }

    #[test]
    fn folders_in_a_circle_have_a_path() {
        let mut tree = FolderTree::default();
        tree.change(there(
            json!({"id": "a", "displayName": "x", "parentFolderId": "a"}),
        ));
        assert!(tree.path(&tree.folders["a"]).len() < 200);
    }
}
