//! The stand-in as a server: routes, tokens, faults, and every request that came.

use std::collections::VecDeque;

use reqwest::Url;
use serde_json::{Value, json};

use super::agenda::Agenda;
use super::book::Book;

/// A body, or a status with one.
pub type Answer = Result<Value, (u16, Value)>;

/// What is answered to a path and query.
pub type Answers = dyn Fn(&str) -> Vec<u8> + Send;

/// What Google holds of one person.
pub struct Google {
    pub agenda: Agenda,
    pub book: Book,
    /// Seconds since 1970.
    pub clock: i64,
    /// The access token that is valid.
    pub token: String,
    /// Scopes that were granted, each as the end of its address.
    pub scopes: Vec<&'static str>,
    /// What is answered instead, to requests whose path holds a text; the first that fits, once or for ever.
    pub faults: VecDeque<Fault>,
    /// Paths and queries that came.
    pub asked: Vec<String>,
}

/// An answer that is none of the service's own.
pub struct Fault {
    pub path: &'static str,
    pub answer: Box<Answers>,
    pub is_once: bool,
}

/// A request's query.
pub struct Asked(Vec<(String, String)>);

impl Asked {
    pub fn get(&self, name: &str) -> Option<String> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.clone())
    }

    pub fn has(&self, name: &str, value: &str) -> bool {
        self.get(name).as_deref() == Some(value)
    }

    pub fn number(&self, name: &str) -> Option<usize> {
        self.get(name).map(|value| value.parse().unwrap())
    }

    pub fn all(&self, name: &str) -> Vec<String> {
        let found = self.0.iter().filter(|(own, _)| own == name);
        found.map(|(_, value)| value.clone()).collect()
    }

    /// The others, as a text.
    pub fn without(&self, names: &[&str]) -> String {
        let others = self
            .0
            .iter()
            .filter(|(own, _)| !names.contains(&own.as_str()));
        let mut others: Vec<_> = others
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        others.sort();
        others.join("&")
    }
}

/// A refusal as Google writes it.
pub fn refused(status: u16, reason: &str, message: &str) -> (u16, Value) {
    let errors = json!([{"domain": "global", "reason": reason, "message": message}]);
    (
        status,
        json!({"error": {"code": status, "message": message, "errors": errors}}),
    )
}

impl Google {
    pub fn new() -> Self {
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
            token: "token-1".to_owned(),
            scopes: vec!["calendar.readonly", "contacts.readonly"],
            faults: VecDeque::new(),
            asked: Vec::new(),
        }
    }

    /// What is answered instead of the service's own answer; notes that the request came.
    pub fn fault(&mut self, request: &str) -> Option<Vec<u8>> {
        let target = request.split(' ').nth(1).unwrap().to_owned();
        self.asked.push(target.clone());
        let fits = |fault: &Fault| target.contains(fault.path);
        let at = self.faults.iter().position(fits)?;
        let answer = (self.faults[at].answer)(&target);
        if self.faults[at].is_once {
            self.faults.remove(at);
        }
        Some(answer)
    }

    /// Answers a request's text.
    pub fn answer(&self, request: &str) -> Vec<u8> {
        let target = request.split(' ').nth(1).unwrap();
        match self.route(request, target) {
            Ok(body) => written(200, "", &body),
            Err((status, body)) => written(status, "", &body),
        }
    }

    fn route(&self, request: &str, target: &str) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        if header(request, "authorization") != Some(&bearer) {
            return Err(refused(401, "authError", "Invalid Credentials"));
        }
        let address = Url::parse(&format!("https://x{target}")).unwrap();
        let asked = Asked(address.query_pairs().into_owned().collect());
        let segments: Vec<_> = address.path_segments().unwrap().map(decoded).collect();
        let segments: Vec<_> = segments.iter().map(String::as_str).collect();
        let scope = match segments[0] {
            "calendar" => "calendar.readonly",
            _ => "contacts.readonly",
        };
        if !self.scopes.contains(&scope) {
            return Err(refused(
                403,
                "insufficientPermissions",
                "Request had insufficient authentication scopes.",
            ));
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

/// A header of a request's text.
pub fn header<'a>(request: &'a str, name: &str) -> Option<&'a str> {
    let lines = request.lines().skip(1).take_while(|line| !line.is_empty());
    let mut pairs = lines.filter_map(|line| line.split_once(':'));
    let found = pairs.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
    Some(found.1.trim())
}

/// A segment of a path, unescaped.
fn decoded(segment: &str) -> String {
    let query = format!("https://x/?s={}", segment.replace('+', "%2B"));
    let address = Url::parse(&query).unwrap();
    address.query_pairs().next().unwrap().1.into_owned()
}

/// An answer of HTTP; `headers` are whole lines.
pub fn written(status: u16, headers: &str, body: &Value) -> Vec<u8> {
    raw(status, headers, &body.to_string())
}

/// The same with any body.
pub fn raw(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json; charset=UTF-8\r\ncontent-length: {length}\r\n\
        connection: close\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}
