//! Mail: threads of messages and replies, and half a year of regular messages.

use chrono::{DateTime, Duration, NaiveDate, Utc, Weekday};
use serde::Deserialize;
use serde_json::{Value, json};

use super::contacts::{People, SELF};
use super::when::{Days, stamp};
use super::{SampleError, TableRecords, parse_template};

/// How far back regular messages go: weekly ones in weeks, monthly ones in months.
const WEEKS: i64 = 26;
const MONTHS: i32 = 6;
/// Regular messages of the last days are unread.
const READ_AFTER_DAYS: i64 = 2;
/// The least time between a message and its reply: their days may be the same when a weekend is skipped.
const ANSWER_WAIT: Duration = Duration::minutes(11);
const PREVIEW_CHARS: usize = 256;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    thread: Vec<Thread>,
    regular: Vec<RegularMessage>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Thread {
    id: String,
    subject: String,
    message: Vec<MessageTemplate>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageTemplate {
    /// A contact's id.
    from: String,
    /// Contacts' ids; empty for the household's person.
    #[serde(default)]
    to: Vec<String>,
    #[serde(default)]
    cc: Vec<String>,
    day: String,
    at: String,
    body: String,
    #[serde(default)]
    attached: Vec<Attached>,
    #[serde(default)]
    unread: bool,
    #[serde(default)]
    flagged: bool,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attached {
    name: String,
    r#type: String,
    size: u64,
}

/// A message of every week or every month.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegularMessage {
    id: String,
    name: String,
    email: String,
    subject: String,
    /// The texts, used in turn.
    bodies: Vec<String>,
    weekday: Option<Weekday>,
    day_of_month: Option<u32>,
    at: String,
    /// A mailing list's name.
    list: Option<String>,
    attached: Option<Attached>,
}

/// One message of the result.
struct SampleMessage<'a> {
    id: String,
    thread: &'a str,
    answers: Option<String>,
    subject: String,
    from: Value,
    to: Vec<Value>,
    cc: Vec<Value>,
    at: DateTime<Utc>,
    body: String,
    attached: &'a [Attached],
    list: Option<&'a str>,
    is_own: bool,
    is_unread: bool,
    is_flagged: bool,
    is_answered: bool,
}

pub(super) fn share(people: &People, days: &Days) -> Result<TableRecords, SampleError> {
    let template: Template = parse_template("mail", include_str!("mail.toml"))?;
    let mut records = Vec::new();
    for thread in &template.thread {
        let letters = thread.letters(people, days)?;
        records.extend(letters.iter().map(SampleMessage::record));
    }
    for regular in &template.regular {
        let letters = regular.letters(people, days)?;
        records.extend(letters.iter().map(SampleMessage::record));
    }
    Ok(TableRecords {
        target: "mail.messages",
        records,
    })
}

impl Thread {
    fn letters(&self, people: &People, days: &Days) -> Result<Vec<SampleMessage<'_>>, SampleError> {
        let mut letters: Vec<SampleMessage<'_>> = Vec::new();
        for message in &self.message {
            let written = days.clock(days.day(&message.day)?, &message.at)?;
            let at = letters
                .last()
                .map_or(written, |last| written.max(last.at + ANSWER_WAIT));
            if at > days.now {
                break;
            }
            let is_own = message.from == SELF;
            let answered = letters.last_mut().map(|last| {
                last.is_answered = is_own && !last.is_own;
                last.id.clone()
            });
            let subject = days.fill_in(&self.subject)?;
            letters.push(SampleMessage {
                id: format!("sample-{}-{}@mail.example.org", self.id, letters.len() + 1),
                thread: &self.id,
                subject: if answered.is_some() {
                    format!("Re: {subject}")
                } else {
                    subject
                },
                answers: answered,
                from: people.mailbox(&message.from)?,
                to: message.recipients(people)?,
                cc: mailboxes(people, &message.cc)?,
                at,
                body: days.fill_in(message.body.trim())?,
                attached: &message.attached,
                list: None,
                is_own,
                is_unread: message.unread,
                is_flagged: message.flagged,
                is_answered: false,
            });
        }
        Ok(letters)
    }
}

const ME: [&str; 1] = [SELF];

impl MessageTemplate {
    fn recipients(&self, people: &People) -> Result<Vec<Value>, SampleError> {
        if self.to.is_empty() {
            return mailboxes(people, &ME);
        }
        mailboxes(people, &self.to)
    }
}

fn mailboxes(people: &People, ids: &[impl AsRef<str>]) -> Result<Vec<Value>, SampleError> {
    ids.iter().map(|id| people.mailbox(id.as_ref())).collect()
}

impl RegularMessage {
    fn letters(&self, people: &People, days: &Days) -> Result<Vec<SampleMessage<'_>>, SampleError> {
        let mut letters = Vec::new();
        for (turn, day) in self.days(days).into_iter().enumerate() {
            let at = days.clock(day, &self.at)?;
            let Some(body) = self.bodies.get(turn % self.bodies.len().max(1)) else {
                continue;
            };
            if at > days.now {
                continue;
            }
            let month = day.format("%B %Y").to_string();
            letters.push(SampleMessage {
                id: format!("sample-{}-{day}@mail.example.org", self.id),
                thread: &self.id,
                answers: None,
                subject: self.subject.replace("MONTH", &month),
                from: json!({ "name": self.name, "email": self.email }),
                to: mailboxes(people, &ME)?,
                cc: Vec::new(),
                at,
                body: body.trim().replace("MONTH", &month),
                attached: self.attached.as_slice(),
                list: self.list.as_deref(),
                is_own: false,
                is_unread: days.ago(READ_AFTER_DAYS) < day,
                is_flagged: false,
                is_answered: false,
            });
        }
        Ok(letters)
    }

    fn days(&self, days: &Days) -> Vec<NaiveDate> {
        let first = days.ago(WEEKS * 7);
        let weekly = self.weekday.into_iter().flat_map(|weekday| {
            let all = first.iter_days().take_while(|day| *day <= days.today);
            all.filter(move |day| chrono::Datelike::weekday(day) == weekday)
        });
        let monthly = self
            .day_of_month
            .into_iter()
            .flat_map(|day| (-MONTHS..=0).map(move |month| days.in_month(month, day)));
        weekly.chain(monthly).collect()
    }
}

impl SampleMessage<'_> {
    fn record(&self) -> Value {
        let attachments: Vec<Value> = self
            .attached
            .iter()
            .enumerate()
            .map(|(place, file)| file.record(place))
            .collect();
        let attached: u64 = self.attached.iter().map(|file| file.size).sum();
        json!({
            "id": self.id, "message_id": format!("<{}>", self.id), "thread_id": format!("sample-{}", self.thread_key()),
            "in_reply_to": self.answers.iter().map(|id| format!("<{id}>")).collect::<Vec<_>>(),
            "mailbox": self.mailbox(), "subject": self.subject,
            "from_name": self.from.get("name"), "from_email": self.from.get("email"), "to": self.to, "cc": self.cc,
            "sent_at": stamp(self.at), "received_at": stamp(self.at), "is_read": !self.is_unread,
            "is_flagged": self.is_flagged, "is_answered": self.is_answered, "is_draft": false, "importance": "normal",
            "size": self.body.len() as u64 + attached, "has_attachment": !attachments.is_empty(),
            "preview": self.body.chars().take(PREVIEW_CHARS).collect::<String>(), "body_text": self.body,
            "list_id": self.list, "attachments": attachments,
        })
    }

    /// Regular messages are no conversation: each is a thread of its own.
    fn thread_key(&self) -> &str {
        match self.list.is_some() || self.thread.starts_with("regular") {
            true => &self.id,
            false => self.thread,
        }
    }

    fn mailbox(&self) -> Value {
        let (name, role) = match (self.is_own, self.list.is_some()) {
            (true, _) => ("Sent", "sent"),
            (false, true) => ("Newsletters", "archive"),
            (false, false) => ("Inbox", "inbox"),
        };
        json!({ "id": format!("sample-mailbox-{}", name.to_lowercase()), "name": name, "path": name, "role": role })
    }
}

impl Attached {
    fn record(&self, place: usize) -> Value {
        json!({
            "part_id": (place + 2).to_string(), "filename": self.name, "content_type": self.r#type,
            "size": self.size, "is_inline": false,
        })
    }
}
