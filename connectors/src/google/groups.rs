//! Groups of contacts and who is in them, listed anew each round: a person's own changes say nothing of a group's name.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use sextant_formats::RecordFields;

use super::client::{GoogleClient, GoogleService, malformed};
use super::contact_parts::CardLines;
use super::listing::{EmptyList, ListPages, NextPage};
use super::records::{self, GROUPS};
use super::telling::ToldItem;
use crate::digest_key::{digest, within_limit};
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{GOOGLE_GROUPS_LOT, GOOGLE_GROUPS_MAX};
use crate::round::{SourceItem, SourceRecord};

/// Everybody is in these: they sort nothing, and a card does not name them.
const EVERYBODY: [&str; 2] = ["contactGroups/myContacts", "contactGroups/all"];
/// Members of a group that are told; an account holds no more contacts.
const MEMBERS: &str = "25000";
/// What is asked of a group; who is in it is told beside.
const GROUP_FIELDS: &str = "clientData,groupType,memberCount,metadata,name";

/// `ContactGroup`, as far as it is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GoogleGroup {
    pub(super) resource_name: String,
    pub(super) name: String,
    group_type: String,
    metadata: GroupMetadata,
    #[serde(rename = "memberResourceNames")]
    pub(super) members: Vec<String>,
    /// As it came.
    #[serde(skip)]
    pub(super) sent: Value,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct GroupMetadata {
    update_time: Option<String>,
}

/// What groups are called.
pub(super) struct GroupNames(BTreeMap<String, String>);

impl GroupNames {
    pub(super) fn of(groups: &[GoogleGroup]) -> Self {
        let sorting = groups.iter().filter(|group| {
            !EVERYBODY.contains(&group.resource_name.as_str()) && !group.name.is_empty()
        });
        Self(
            sorting
                .map(|group| (group.resource_name.clone(), group.name.clone()))
                .collect(),
        )
    }

    /// The name of a group that sorts something.
    pub(super) fn name_of(&self, group: &str) -> Option<&str> {
        self.0.get(group).map(String::as_str)
    }

    /// What the rows of people are made of besides the people.
    pub(super) fn basis(&self) -> String {
        digest(json!(self.0).to_string())
    }
}

/// All groups, without their members.
pub(super) async fn list_groups(client: &GoogleClient) -> Result<Vec<GoogleGroup>, SourceFailure> {
    let mut pages = ListPages::default();
    let mut groups = Vec::new();
    loop {
        let mut query = vec![("pageSize", "1000"), ("groupFields", GROUP_FIELDS)];
        query.extend(pages.token().map(|token| ("pageToken", token)));
        let answer = client
            .ask(GoogleService::People, &["contactGroups"], &query)
            .await?;
        let page = pages.read(answer, "contactGroups", EmptyList::LeftOut)?;
        for item in page.items {
            // A list that is not understood whole would end groups that are there.
            let group = GoogleGroup::read(item);
            groups.push(group.ok_or_else(|| malformed("the source listed a group that is none"))?);
        }
        if groups.len() > GOOGLE_GROUPS_MAX {
            let message = format!("the source has more than {GOOGLE_GROUPS_MAX} groups");
            return Err(SourceFailure::new(FailureKind::TooLarge, message));
        }
        if let NextPage::End(_) = page.next {
            break;
        }
    }
    // Every account has those of the system.
    if groups.is_empty() {
        let message = "the source did not list all there is";
        return Err(SourceFailure::new(FailureKind::Unavailable, message));
    }
    Ok(groups)
}

/// The names at Google of the groups that the person made: those of the system are marks of people.
pub(super) fn own_groups(groups: &[GoogleGroup]) -> Vec<String> {
    let own = groups
        .iter()
        .filter(|group| group.group_type == "USER_CONTACT_GROUP");
    own.map(|group| group.resource_name.clone()).collect()
}

/// Some groups with their members. A group that went since the list is gone.
pub(super) async fn ask_groups(
    client: &GoogleClient,
    names: &[String],
) -> Result<Vec<ToldItem>, SourceFailure> {
    let mut told = Vec::new();
    let mut lots: Vec<&[String]> = names.chunks(GOOGLE_GROUPS_LOT).rev().collect();
    while let Some(lot) = lots.pop() {
        match ask_lot(client, lot).await {
            Ok(groups) => told.extend(groups),
            Err(failure) if failure.kind == FailureKind::TooLarge && lot.len() > 1 => {
                let (first, second) = lot.split_at(lot.len() / 2);
                lots.extend([second, first]);
            }
            Err(failure) if failure.kind == FailureKind::TooLarge => {
                let keys = lot.iter().map(within_limit);
                told.extend(keys.map(|key| ToldItem::Unread(key, "it has too many members")));
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(told)
}

async fn ask_lot(client: &GoogleClient, names: &[String]) -> Result<Vec<ToldItem>, SourceFailure> {
    let mut query = vec![("maxMembers", MEMBERS), ("groupFields", GROUP_FIELDS)];
    query.extend(names.iter().map(|name| ("resourceNames", name.as_str())));
    let path = ["contactGroups:batchGet"];
    let mut answer = client.ask(GoogleService::People, &path, &query).await?;
    let Some(Value::Array(responses)) = answer.get_mut("responses").map(Value::take) else {
        return Err(malformed("the source answered something that is no list"));
    };
    let mut told = Vec::new();
    let mut groups: BTreeMap<String, GoogleGroup> = responses
        .into_iter()
        .filter_map(|mut response| GoogleGroup::read(response.get_mut("contactGroup")?.take()))
        .map(|group| (group.resource_name.clone(), group))
        .collect();
    for name in names {
        told.push(match groups.remove(name) {
            Some(group) => group.told(),
            None => ToldItem::Gone(within_limit(name)),
        });
    }
    Ok(told)
}

impl GoogleGroup {
    /// Reads a group; `None` if it is none, or has no name by which to know it.
    pub(super) fn read(sent: Value) -> Option<Self> {
        let mut group = Self::deserialize(&sent).ok()?;
        group.members.sort_unstable();
        group.sent = sent;
        Some(group).filter(|group| !group.resource_name.is_empty())
    }

    pub(super) fn updated_at(&self) -> Option<&str> {
        self.metadata.update_time.as_deref()
    }

    /// Its columns, by way of a vCard (RFC 6350); `None` if it has no name.
    pub(super) fn columns(&self) -> Option<RecordFields> {
        let mut card = CardLines::begin();
        card.line("KIND", "group");
        card.text("UID", Some(&self.resource_name));
        card.text("FN", Some(&self.name));
        card.text("REV", self.updated_at());
        for member in &self.members {
            card.text("MEMBER", Some(member));
        }
        records::columns("contacts.vcf", card.end().as_str(), GROUPS, &self.sent)
    }

    fn told(&self) -> ToldItem {
        let key = within_limit(self.resource_name.as_str());
        let Some(fields) = self.columns() else {
            return ToldItem::Unread(key, "it has no name");
        };
        let record = SourceRecord {
            target: GROUPS,
            source_id: key.clone(),
            fields,
        };
        // Its own version says nothing of who is in it.
        let parts = json!([self.name, self.metadata.update_time, self.members]);
        let item = SourceItem {
            key,
            version: digest(parts.to_string()),
            at: None,
            holds: None,
            records: vec![record],
        };
        ToldItem::There(item, None)
    }
}
