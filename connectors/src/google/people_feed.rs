//! The contacts of a sign-in, in rounds: the groups, then the people.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::card;
use super::client::{GoogleClient, GoogleService};
use super::groups::{GroupNames, ask_groups, list_groups, own_groups};
use super::listing::{EmptyList, GooglePage, ListPages, NextPage};
use super::person::{GooglePerson, PERSON_FIELDS};
use super::position::GooglePosition;
use super::records::PEOPLE;
use super::telling::{ToldItem, tell};
use crate::bearer::BearerClient;
use crate::digest_key::{digest, within_limit};
use crate::failure::{FailureKind, SourceFailure};
use crate::round::{
    Feed, KnownItems, Page, Pass, Round, RoundRequest, SkippedItem, SourceItem, SourceRecord,
};

/// The scope of groups.
const GROUPS_SCOPE: &str = "groups";
/// The scope of people.
const PEOPLE_SCOPE: &str = "people";
/// People on a page of a list.
const LIST_PAGE: &str = "250";

/// The contacts of the one who signed in. Its requests go to `people.googleapis.com`.
pub struct GooglePeopleFeed {
    client: Arc<GoogleClient>,
}

impl GooglePeopleFeed {
    /// Asks with the tokens of a sign-in whose scopes hold `contacts.readonly`.
    pub fn new(bearer: BearerClient) -> Self {
        Self {
            client: Arc::new(GoogleClient::new(bearer)),
        }
    }
}

#[async_trait]
impl Feed for GooglePeopleFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        let query = [("pageSize", "1")];
        let answer = self
            .client
            .ask(GoogleService::People, &["contactGroups"], &query);
        answer.await.map(drop)
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let groups = list_groups(&self.client).await?;
        let names = GroupNames::of(&groups);
        let stored = request.positions.get(PEOPLE_SCOPE);
        let position = GooglePosition::parse(stored, &names.basis());
        Ok(Box::new(PeopleRound {
            client: Arc::clone(&self.client),
            groups: Some(own_groups(&groups)),
            is_pass: position.token.is_none(),
            position,
            names,
            request,
            pages: ListPages::default(),
            is_over: false,
        }))
    }
}

struct PeopleRound {
    client: Arc<GoogleClient>,
    request: RoundRequest,
    /// The groups that are to be told.
    groups: Option<Vec<String>>,
    names: GroupNames,
    /// What is stored of the people before their last page.
    position: GooglePosition,
    is_pass: bool,
    pages: ListPages,
    is_over: bool,
}

#[async_trait]
impl Round for PeopleRound {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        if let Some(groups) = self.groups.take() {
            return self.tell_groups(&groups, known).await.map(Some);
        }
        loop {
            if self.is_over {
                return Ok(None);
            }
            match self.tell_people(known).await {
                Err(lost) if lost.kind == FailureKind::PositionLost && !self.is_pass => {
                    self.begin_anew();
                }
                Ok(page) if page.changes.is_empty() && page.skipped.is_empty() => {
                    let is_said = page.position == self.position.to_value();
                    if self.is_over && (self.is_pass || !is_said) {
                        return Ok(Some(page));
                    }
                }
                page => return page.map(Some),
            }
        }
    }
}

impl PeopleRound {
    /// The groups, all of them: a pass.
    async fn tell_groups(
        &self,
        groups: &[String],
        known: &dyn KnownItems,
    ) -> Result<Page, SourceFailure> {
        let mut page = Page::new(GROUPS_SCOPE, json!({}));
        page.pass = Some(self.pass(true));
        let told = ask_groups(&self.client, groups).await?;
        tell(&mut page, told, known).await?;
        Ok(page)
    }

    /// The token was that of a list of seven days ago, or longer.
    fn begin_anew(&mut self) {
        self.position = GooglePosition::default();
        self.is_pass = true;
        self.pages = ListPages::default();
    }

    const fn pass(&self, is_complete: bool) -> Pass {
        Pass {
            begun_at: self.request.now,
            since: None,
            is_complete,
        }
    }

    async fn tell_people(&mut self, known: &dyn KnownItems) -> Result<Page, SourceFailure> {
        let list = self.ask_list().await?;
        let mut page = Page::new(PEOPLE_SCOPE, self.position.to_value());
        page.pass = self.is_pass.then_some(self.pass(false));
        let mut told = Vec::new();
        for item in list.items {
            told.extend(self.read(item, &mut page));
        }
        tell(&mut page, told, known).await?;
        if let NextPage::End(token) = list.next {
            let token = NextPage::sync_token(token)?;
            page.position = GooglePosition::at_token(token, &self.names.basis()).to_value();
            page.pass = self.is_pass.then_some(self.pass(true));
            self.is_over = true;
        }
        Ok(page)
    }

    /// What an item says: names that it had before are gone, then what it is now.
    fn read(&self, item: Value, page: &mut Page) -> Vec<ToldItem> {
        let name = item.get("resourceName").and_then(Value::as_str);
        let name = name.filter(|name| !name.is_empty()).map(within_limit);
        let Some(person) = GooglePerson::read(item) else {
            match name {
                Some(key) => return vec![ToldItem::Unread(key, "it cannot be read")],
                None => page.skipped.push(SkippedItem {
                    key: PEOPLE_SCOPE.to_owned(),
                    reason: "a contact in it has no name".to_owned(),
                }),
            }
            return Vec::new();
        };
        let former = person.metadata.previous_resource_names.iter();
        let former = former.filter(|former| **former != person.resource_name && !former.is_empty());
        let former = former.map(|former| ToldItem::Gone(within_limit(former)));
        former.chain([self.now(&person)]).collect()
    }

    fn now(&self, person: &GooglePerson) -> ToldItem {
        let key = within_limit(person.resource_name.as_str());
        if person.metadata.deleted {
            return ToldItem::Gone(key);
        }
        let Some(fields) = card::person(person, &self.names) else {
            return ToldItem::Unread(key, "it names nobody");
        };
        let record = SourceRecord {
            target: PEOPLE,
            source_id: key.clone(),
            fields,
        };
        let parts = json!([self.names.basis(), person.version()]);
        let item = SourceItem {
            key,
            version: digest(parts.to_string()),
            at: None,
            holds: None,
            records: vec![record],
        };
        ToldItem::There(item, None)
    }

    /// A page of the list. Only the person's own contacts, not what others say of themselves, as in every other address book.
    async fn ask_list(&mut self) -> Result<GooglePage, SourceFailure> {
        let mut query = vec![
            ("personFields", PERSON_FIELDS),
            ("pageSize", LIST_PAGE),
            ("requestSyncToken", "true"),
            ("sources", "READ_SOURCE_TYPE_CONTACT"),
        ];
        let sync = self.position.token.as_deref();
        query.extend(sync.map(|token| ("syncToken", token)));
        query.extend(self.pages.token().map(|token| ("pageToken", token)));
        let path = ["people", "me", "connections"];
        let answer = self
            .client
            .ask(GoogleService::People, &path, &query)
            .await?;
        self.pages.read(answer, "connections", EmptyList::LeftOut)
    }
}
