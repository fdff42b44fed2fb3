//! The mail of a Microsoft account, in rounds.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::client::{GraphClient, address_of_mine, segment};
use super::delta::{GraphPage, ListedObject, PageEnd};
use super::folder_tree::{FolderKind, FolderTree};
use super::folders_round::Containers;
use super::mail;
use super::object::{GraphObject, text};
use super::position::{GraphPass, GraphPosition, ReadingDepth};
use super::reading::GraphItems;
use super::telling::{GraphObjectReader, ReadObject, key_of, row_id, tell_each, version_of};
use crate::bearer::BearerClient;
use crate::failure::SourceFailure;
use crate::limits::{GRAPH_ATTACHMENTS_MAX, GRAPH_MAILS_LOT};
use crate::round::{
    CONTAINERS, Feed, KnownItems, Page, Round, RoundRequest, SourceItem, SourceRecord,
};

const MESSAGES: &str = "mail.messages";

/// The folders that every account has (<https://learn.microsoft.com/graph/api/resources/mailfolder>).
const FOLDERS: FolderKind = FolderKind {
    path: "mailFolders",
    roles: &[
        ("inbox", "inbox"),
        ("sentitems", "sent"),
        ("drafts", "drafts"),
        ("deleteditems", "trash"),
        ("junkemail", "junk"),
        ("archive", "archive"),
    ],
    target: Some("mail.mailboxes"),
};

/// What is asked of a message, without what makes it long.
const SELECTED: &str = "id,internetMessageId,conversationId,subject,from,sender,toRecipients,ccRecipients,bccRecipients,\
replyTo,sentDateTime,receivedDateTime,isRead,isDraft,flag,importance,hasAttachments,categories,parentFolderId,\
inferenceClassification,webLink";

/// What makes it long.
const SELECTED_LONG: &str = "body,internetMessageHeaders";

/// Properties that a message that was told whole has.
const OF_WHOLE: [&str; 4] = ["body", "isRead", "receivedDateTime", "hasAttachments"];

/// The mail of one person. Needs the scope `Mail.Read`.
pub struct GraphMailFeed {
    client: GraphClient,
}

impl GraphMailFeed {
    /// Reads as the person of a sign-in.
    pub const fn new(bearer: BearerClient) -> Self {
        Self {
            client: GraphClient::new(bearer),
        }
    }
}

#[async_trait]
impl Feed for GraphMailFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        let inbox = self.client.of_mine("mailFolders/inbox?$select=id").await;
        inbox.map(drop)
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let tree = FolderTree::parse(request.positions.get(CONTAINERS));
        let tree = tree.brought_up(&self.client, FOLDERS).await?;
        let items = Arc::new(MailItems {
            client: self.client.clone(),
            since: request.since,
        });
        let containers = Containers::of_tree(&tree, FOLDERS);
        let round = containers.into_round(self.client.clone(), items, request);
        Ok(Box::new(round))
    }
}

/// Mails of any folder.
struct MailItems {
    client: GraphClient,
    since: Option<DateTime<Utc>>,
}

#[async_trait]
impl GraphItems for MailItems {
    fn page_items(&self) -> usize {
        GRAPH_MAILS_LOT
    }

    fn pass_due(&self, _: &GraphPosition, _: &RoundRequest) -> bool {
        false
    }

    fn pass(&self, request: &RoundRequest) -> GraphPass {
        GraphPass {
            begun_at: request.now,
            since: request.since,
        }
    }

    /// No `$filter` by time: with one, Graph keeps track of 5,000 mails only.
    fn first_link(&self, scope: &str, reading: ReadingDepth, _: GraphPass) -> String {
        let list = format!("mailFolders/{}/messages", segment(scope));
        address_of_mine(&match reading {
            ReadingDepth::Usual => format!("{list}/delta?$select={SELECTED},{SELECTED_LONG}"),
            ReadingDepth::Light => format!("{list}/delta?$select={SELECTED}"),
            ReadingDepth::Plain => format!("{list}?$select={SELECTED}"),
        })
    }

    fn when_too_long(&self) -> Option<ReadingDepth> {
        Some(ReadingDepth::Light)
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
impl GraphObjectReader for MailItems {
    async fn read(
        &self,
        scope: &str,
        object: GraphObject,
        is_stored: bool,
    ) -> Result<ReadObject, SourceFailure> {
        let id = text(&object, "id").unwrap_or_default().to_owned();
        let record = |fields| SourceRecord {
            target: MESSAGES,
            source_id: row_id(scope, &id),
            fields,
        };
        if let Some(marks) = mail::marks_alone(&object).filter(|_| is_stored) {
            return Ok(ReadObject::Amended(vec![record(marks)]));
        }
        if self.is_unwanted(received_at(&object), is_stored) {
            return Ok(ReadObject::Unwanted);
        }
        let object = self.whole(&id, object).await?;
        let at = received_at(&object);
        if self.is_unwanted(at, is_stored) {
            return Ok(ReadObject::Unwanted);
        }
        let attachments = match mail::has_attachments(&object) {
            true => self.attachments(&id).await?,
            false => Vec::new(),
        };
        let Some(fields) = mail::fields(&object, scope, &attachments) else {
            return Ok(ReadObject::Unread("the mail cannot be read".to_owned()));
        };
        Ok(ReadObject::Item(SourceItem {
            key: key_of(&id),
            version: version_of(&object),
            at,
            holds: None,
            records: vec![record(fields)],
        }))
    }
}

impl MailItems {
    /// Whether it lies before the window. What is stored already stays: a narrower window takes nothing away.
    fn is_unwanted(&self, at: Option<DateTime<Utc>>, is_stored: bool) -> bool {
        !is_stored && at.zip(self.since).is_some_and(|(at, since)| at < since)
    }

    /// A changed message need not have more than what changed.
    async fn whole(&self, id: &str, object: GraphObject) -> Result<GraphObject, SourceFailure> {
        if OF_WHOLE.iter().all(|name| object.contains_key(*name)) {
            return Ok(object);
        }
        let id = segment(id);
        let path = format!("messages/{id}?$select={SELECTED},{SELECTED_LONG}");
        self.client.of_mine(&path).await
    }

    async fn attachments(&self, id: &str) -> Result<Vec<GraphObject>, SourceFailure> {
        let id = segment(id);
        let path = format!("messages/{id}/attachments?$select=id,name,contentType,size,isInline");
        let mut link = address_of_mine(&path);
        let mut attachments = Vec::new();
        loop {
            let answer = self.client.follow(&link, None).await?;
            let page = GraphPage::of_answer(answer)?;
            let had = attachments.len();
            attachments.extend(page.objects.into_iter().filter_map(|one| match one {
                ListedObject::There { object, .. } => Some(object),
                ListedObject::Removed { .. } => None,
            }));
            attachments.truncate(GRAPH_ATTACHMENTS_MAX);
            match page.end {
                PageEnd::More(next) if attachments.len() > had => link = next,
                _ => return Ok(attachments),
            }
        }
    }
}

fn received_at(message: &GraphObject) -> Option<DateTime<Utc>> {
    let written = text(message, "receivedDateTime")?;
    let at = DateTime::parse_from_rfc3339(written).ok()?;
    Some(at.to_utc())
}
