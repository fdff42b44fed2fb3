//! The calendars of a Microsoft account, in rounds.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use sextant_formats::RecordFields;

use super::calendar_items::CalendarItems;
use super::client::{GraphClient, address_of_mine};
use super::delta::{GraphPage, ListedObject, PageEnd};
use super::folders_round::Containers;
use super::object::{GraphObject, flag, text};
use super::telling::key_of;
use crate::bearer::BearerClient;
use crate::digest_key::digest;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{GRAPH_CALENDARS_MAX, GRAPH_PAGES_MAX};
use crate::round::{Feed, Round, RoundRequest, SourceItem, SourceRecord};

/// The calendars of one person. Needs the scope `Calendars.Read`.
pub struct GraphCalendarFeed {
    client: GraphClient,
}

impl GraphCalendarFeed {
    /// Reads as the person of a sign-in.
    pub const fn new(bearer: BearerClient) -> Self {
        Self {
            client: GraphClient::new(bearer),
        }
    }

    /// The calendars there are. Graph tells no changes of these.
    async fn calendars(&self) -> Result<Vec<SourceItem>, SourceFailure> {
        let mut link = address_of_mine("calendars?$top=100");
        let mut calendars = Vec::new();
        for _ in 0..GRAPH_PAGES_MAX {
            let page = GraphPage::of_answer(self.client.follow(&link, None).await?)?;
            calendars.extend(page.objects.iter().filter_map(|one| match one {
                ListedObject::There { id, object } => Some(container(id, object)),
                ListedObject::Removed { .. } => None,
            }));
            match page.end {
                PageEnd::More(next) if next != link && calendars.len() <= GRAPH_CALENDARS_MAX => {
                    link = next;
                }
                PageEnd::More(_) => break,
                PageEnd::Told(_) | PageEnd::Listed => return Ok(calendars),
            }
        }
        let message = "the source's list of calendars does not end";
        Err(SourceFailure::new(FailureKind::Malformed, message))
    }
}

#[async_trait]
impl Feed for GraphCalendarFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        self.client.of_mine("calendar?$select=id").await.map(drop)
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let calendars = self.calendars().await?;
        let nested = calendars
            .iter()
            .map(|calendar| (calendar.key.clone(), nested(calendar)));
        let nested: HashMap<_, _> = nested.collect();
        let items = CalendarItems::new(self.client.clone(), nested, request.now);
        let containers = Containers {
            items: calendars,
            position: json!({}),
        };
        let round = containers.into_round(self.client.clone(), Arc::new(items), request);
        Ok(Box::new(round))
    }
}

/// A calendar as an item, which holds the scope of its own key.
fn container(id: &str, calendar: &GraphObject) -> SourceItem {
    let key = key_of(id);
    let name = text(calendar, "name").unwrap_or("Calendar");
    let color = text(calendar, "hexColor").map(Value::from);
    let is_primary = flag(calendar, "isDefaultCalendar").map(Value::from);
    let fields = [
        ("name", Some(Value::from(name))),
        ("color", color),
        ("is_primary", is_primary),
    ];
    let fields = fields.into_iter();
    let fields: RecordFields = fields
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect();
    SourceItem {
        version: digest(Value::Object(fields.clone()).to_string()),
        at: None,
        holds: Some(key.clone()),
        records: vec![SourceRecord {
            target: "calendar.calendars",
            source_id: key.clone(),
            fields,
        }],
        key,
    }
}

/// The calendar as a push nests it.
fn nested(calendar: &SourceItem) -> Value {
    let fields = calendar.records.first().map(|record| record.fields.clone());
    let mut fields = fields.unwrap_or_default();
    fields.insert("id".to_owned(), Value::from(calendar.key.as_str()));
    Value::Object(fields)
}
