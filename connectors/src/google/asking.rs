//! Questions for events: a list of them, and a series whole.

use std::collections::HashSet;

use super::calendars::GoogleCalendar;
use super::client::{GoogleClient, GoogleService};
use super::event::GoogleEvent;
use super::listing::{EmptyList, GooglePage, ListPages, NextPage};
use crate::failure::{FailureKind, SourceFailure};

/// Events on a page of a list.
const LIST_PAGE: &str = "250";

/// A page of events. Masters and exceptions, not what the rules make of them: occurrences are made here.
pub(super) async fn ask_events(
    client: &GoogleClient,
    calendar: &GoogleCalendar,
    pages: &mut ListPages,
    mut query: Vec<(&str, &str)>,
) -> Result<GooglePage, SourceFailure> {
    query.extend([("maxResults", LIST_PAGE), ("singleEvents", "false")]);
    query.extend(pages.token().map(|token| ("pageToken", token)));
    let path = ["calendars", &calendar.id, "events"];
    let answer = client.ask(GoogleService::Calendar, &path, &query).await?;
    pages.read(answer, "items", EmptyList::Written)
}

/// All parts of a series. They share a UID, which a cancelled exception need not say: then the master does.
///
/// # Errors
/// [`FailureKind::PositionLost`] if nothing says the UID: a list of everything names the parts.
pub(super) async fn ask_series(
    client: &GoogleClient,
    calendar: &GoogleCalendar,
    master: &str,
    uid: Option<String>,
) -> Result<Vec<GoogleEvent>, SourceFailure> {
    let uid = match uid {
        Some(uid) => uid,
        None => match ask_uid(client, calendar, master).await? {
            Some(uid) => uid,
            None => return Ok(Vec::new()),
        },
    };
    let mut pages = ListPages::default();
    let (mut parts, mut ids) = (Vec::new(), HashSet::new());
    loop {
        let query = vec![("iCalUID", uid.as_str())];
        let list = ask_events(client, calendar, &mut pages, query).await?;
        let events = list.items.into_iter().filter_map(GoogleEvent::read);
        // The master too if it does not repeat any more.
        let own = events.filter(|event| event.master() == master);
        parts.extend(own.filter(|event| ids.insert(event.id.clone())));
        if let NextPage::End(_) = list.next {
            return Ok(parts);
        }
    }
}

/// The UID of a series by its master; `None` if the series was deleted.
async fn ask_uid(
    client: &GoogleClient,
    calendar: &GoogleCalendar,
    master: &str,
) -> Result<Option<String>, SourceFailure> {
    let path = ["calendars", &calendar.id, "events", master];
    let answer = client.ask(GoogleService::Calendar, &path, &[]).await;
    let event = match answer {
        Ok(answer) => GoogleEvent::read(answer),
        Err(failure) if failure.kind == FailureKind::NotFound => None,
        Err(failure) => return Err(failure),
    };
    match event {
        Some(event) if event.is_cancelled() => Ok(None),
        Some(GoogleEvent { uid: Some(uid), .. }) => Ok(Some(uid)),
        _ => {
            let message = "the source does not say to what an event belongs";
            Err(SourceFailure::new(FailureKind::PositionLost, message))
        }
    }
}
