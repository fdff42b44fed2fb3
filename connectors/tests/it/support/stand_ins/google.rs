//! Google: the calendars and contacts of one person, and every request that came.

pub mod agenda;
pub mod book;
pub mod calendar;

use reqwest::Url;
use serde_json::{Value, json};

use self::agenda::Agenda;
use self::book::Book;
use super::bearers::Bearers;
use super::contracts::Contract;
use super::faults::Faults;
use super::{Account, wire};

/// A body, or a status with one.
type Answer = Result<Value, (u16, Value)>;

/// What Google holds of one person.
pub struct Google {
    pub agenda: Agenda,
    pub book: Book,
    /// Seconds since 1970.
    pub clock: i64,
    pub bearers: Bearers,
    /// Scopes that were granted, each as the end of its address.
    pub scopes: Vec<&'static str>,
    pub faults: Faults,
    /// Paths and queries that came.
    pub asked: Vec<String>,
}

/// A request's query.
struct Asked(Vec<(String, String)>);

impl Asked {
    fn get(&self, name: &str) -> Option<String> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.clone())
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.get(name).as_deref() == Some(value)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.get(name).map(|value| value.parse().unwrap())
    }

    fn all(&self, name: &str) -> Vec<String> {
        let found = self.0.iter().filter(|(own, _)| own == name);
        found.map(|(_, value)| value.clone()).collect()
    }

    /// The others, as a text.
    fn without(&self, names: &[&str]) -> String {
        let others = self.0.iter();
        let others = others.filter(|(own, _)| !names.contains(&own.as_str()));
        let mut others: Vec<_> = others
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        others.sort();
        others.join("&")
    }
}

/// A refusal as Google writes it.
fn refused(status: u16, reason: &str, message: &str) -> (u16, Value) {
    let errors = json!([{"domain": "global", "reason": reason, "message": message}]);
    (
        status,
        json!({"error": {"code": status, "message": message, "errors": errors}}),
    )
}

/// The same as an answer to any request; `headers` are whole lines.
pub fn refusal(
    status: u16,
    reason: &str,
    headers: &'static str,
) -> impl Fn(&str) -> Vec<u8> + Send + use<> {
    let (status, body) = refused(status, reason, "seeded words");
    move |_| wire::json(status, headers, &body)
}

impl Default for Google {
    /// One calendar with nothing in it, and nobody.
    fn default() -> Self {
        let mut agenda = Agenda {
            page_max: usize::MAX,
            ..Agenda::default()
        };
        agenda.add("op@x.test", "Op");
        let book = Book {
            page_max: usize::MAX,
            ..Book::default()
        };
        Self {
            agenda,
            book,
            clock: 1_767_000_000,
            bearers: Bearers::default(),
            scopes: vec!["calendar.readonly", "contacts.readonly"],
            faults: Faults::default(),
            asked: Vec::new(),
        }
    }
}

impl Account for Google {
    fn contract(&self, target: &str) -> Contract {
        match target.starts_with("/calendar/") {
            true => Contract::GoogleCalendar,
            false => Contract::GooglePeople,
        }
    }

    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn answer(&mut self, request: &str) -> Vec<u8> {
        match self.route(request) {
            Ok(body) => wire::json(200, "", &body),
            Err((status, body)) => wire::json(status, "", &body),
        }
    }

    fn note(&mut self, request: &str, _answer: &[u8]) {
        self.asked.push(wire::target(request).to_owned());
    }
}

impl Google {
    fn route(&mut self, request: &str) -> Answer {
        if !self.bearers.take(request) {
            return Err(refused(401, "authError", "Invalid Credentials"));
        }
        let address: Url = wire::address(request);
        let asked = Asked(address.query_pairs().into_owned().collect());
        let segments = address.path_segments().unwrap();
        let segments: Vec<_> = segments.map(wire::unescaped).collect();
        let segments: Vec<_> = segments.iter().map(String::as_str).collect();
        let scope = match segments[0] {
            "calendar" => "calendar.readonly",
            _ => "contacts.readonly",
        };
        if !self.scopes.contains(&scope) {
            let message = "Request had insufficient authentication scopes.";
            return Err(refused(403, "insufficientPermissions", message));
        }
        match segments[..] {
            ["calendar", "v3", "users", "me", "calendarList"] => self.agenda.list_calendars(&asked),
            ["calendar", "v3", "calendars", id, "events"] => self.agenda.list_events(id, &asked),
            ["calendar", "v3", "calendars", id, "events", event] => {
                self.agenda.get_event(id, event)
            }
            ["v1", "people", "me", "connections"] => self.book.list_people(&asked, self.clock),
            ["v1", "contactGroups"] => self.book.list_groups(),
            ["v1", "contactGroups:batchGet"] => self.book.get_groups(&asked),
            _ => Err(refused(404, "notFound", "Not Found")),
        }
    }
}
