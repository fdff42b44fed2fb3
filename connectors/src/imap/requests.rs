//! The commands, by what they answer.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use bytes::Bytes;
use chrono::{DateTime, Utc};

use super::answer::AnswerCondition;
use super::flags::MailFlags;
use super::session::{CommandAnswer, ImapSession, malformed};
use super::uid_set::{parse_uid_set, write_uids};
use super::value::{ImapValue, parse_values};
use crate::failure::SourceFailure;

/// A mailbox that is open for reading.
pub(super) struct ExaminedMailbox {
    pub(super) uid_validity: u32,
    pub(super) uid_next: u32,
    pub(super) exists: u32,
    pub(super) highest_modseq: Option<u64>,
}

/// What is told of a mail: the names in capitals, each with its value.
pub(super) struct FetchedMail {
    pub(super) uid: u32,
    items: Vec<(String, ImapValue)>,
}

/// What is told of a mail before it is fetched.
pub(super) struct MailMarks {
    pub(super) uid: u32,
    pub(super) flags: MailFlags,
    pub(super) at: Option<DateTime<Utc>>,
    pub(super) size: u64,
}

impl FetchedMail {
    pub(super) fn get(&self, name: &str) -> Option<&ImapValue> {
        let mut found = self.items.iter().filter(|(own, _)| own == name);
        found.next().map(|(_, value)| value)
    }

    /// The flags, where they are told.
    pub(super) fn flags(&self) -> Option<MailFlags> {
        Some(MailFlags::of_list(self.get("FLAGS")?.list()?))
    }

    /// What is not told of it is taken as nothing, so that no mail is missed.
    fn marks(&self) -> MailMarks {
        let size = self.get("RFC822.SIZE").and_then(ImapValue::number);
        MailMarks {
            uid: self.uid,
            flags: self.flags().unwrap_or_default(),
            at: self.get("INTERNALDATE").and_then(internal_date),
            size: size.unwrap_or_default(),
        }
    }
}

pub(super) async fn ask_capabilities(session: &mut ImapSession) -> Result<(), SourceFailure> {
    let answer = session.ask("CAPABILITY").await?;
    let mut capabilities = HashSet::new();
    for data in answer.of_kind("CAPABILITY") {
        let words = String::from_utf8_lossy(&data.rest).to_ascii_uppercase();
        capabilities.extend(words.split_ascii_whitespace().map(str::to_owned));
    }
    session.set_capabilities(capabilities);
    Ok(())
}

/// Opens a mailbox for reading only: nothing of it can be changed, `\Recent` neither.
pub(super) async fn examine(
    session: &mut ImapSession,
    mailbox: &Bytes,
) -> Result<ExaminedMailbox, SourceFailure> {
    let with = if session.is_able("CONDSTORE") {
        " (CONDSTORE)"
    } else {
        ""
    };
    let pieces = with_mailbox("EXAMINE ", mailbox, with);
    let answer = session.run_pieces(&pieces).await?.succeeded()?;
    let code = |name: &str| {
        let mut numbers = answer.said.iter().filter_map(|said| said.code_number(name));
        numbers.next()
    };
    let exists = answer
        .of_kind("EXISTS")
        .filter_map(|data| data.number)
        .last();
    let uid_validity = code("UIDVALIDITY").and_then(|number| u32::try_from(number).ok());
    let uid_next = code("UIDNEXT").and_then(|number| u32::try_from(number).ok());
    let highest_modseq = code("HIGHESTMODSEQ").filter(|modseq| *modseq > 0);
    let (exists, uid_validity) = (
        exists.ok_or_else(malformed)?,
        uid_validity.ok_or_else(malformed)?,
    );
    let uid_next = match uid_next {
        Some(uid_next) => uid_next,
        // Servers of before RFC 3501 do not tell it.
        None => search(session, "ALL")
            .await?
            .last()
            .map_or(1, |last| last.saturating_add(1)),
    };
    let highest_modseq = highest_modseq.filter(|_| session.is_able("CONDSTORE"));
    Ok(ExaminedMailbox {
        uid_validity,
        uid_next,
        exists,
        highest_modseq,
    })
}

/// The UIDs that fit, the lowest first.
pub(super) async fn search(
    session: &mut ImapSession,
    what: &str,
) -> Result<Vec<u32>, SourceFailure> {
    let answer = session.ask(&format!("UID SEARCH {what}")).await?;
    let mut uids = Vec::new();
    for data in answer.of_kind("SEARCH") {
        let text = std::str::from_utf8(&data.rest).map_err(|_| malformed())?;
        let words = text.split_ascii_whitespace();
        // Behind the numbers there may be `(MODSEQ …)`.
        for word in words.take_while(|word| !word.starts_with('(')) {
            uids.push(word.parse().map_err(|_| malformed())?);
        }
    }
    uids.sort_unstable();
    uids.dedup();
    Ok(uids)
}

/// Flags, times and sizes. What has gone meanwhile is missing.
pub(super) async fn fetch_marks(
    session: &mut ImapSession,
    uids: &[u32],
) -> Result<Vec<MailMarks>, SourceFailure> {
    let set = write_uids(uids);
    let command = format!("UID FETCH {set} (UID FLAGS INTERNALDATE RFC822.SIZE)");
    let answer = session.ask(&command).await?;
    let asked: HashSet<u32> = uids.iter().copied().collect();
    let marks = fetched(&answer).ok_or_else(malformed)?;
    let marks = marks.iter().map(FetchedMail::marks);
    Ok(marks.filter(|mail| asked.contains(&mail.uid)).collect())
}

/// What changed since a state, and, where the server tells it (RFC 7162), which mails have gone since then.
pub(super) async fn fetch_changes(
    session: &mut ImapSession,
    since_modseq: u64,
    with_vanished: bool,
) -> Result<(Vec<(u32, MailFlags)>, Vec<RangeInclusive<u32>>), SourceFailure> {
    let vanished = if with_vanished { " VANISHED" } else { "" };
    let command = format!("UID FETCH 1:* (UID FLAGS) (CHANGEDSINCE {since_modseq}{vanished})");
    let answer = session.ask(&command).await?;
    let changed = fetched(&answer).ok_or_else(malformed)?;
    let changed = changed
        .iter()
        .filter_map(|mail| Some((mail.uid, mail.flags()?)));
    let mut gone = Vec::new();
    for data in answer.of_kind("VANISHED") {
        let text = String::from_utf8_lossy(&data.rest);
        let set = text.split_ascii_whitespace().last().unwrap_or_default();
        gone.extend(parse_uid_set(set).ok_or_else(malformed)?);
    }
    Ok((changed.collect(), gone))
}

/// Asks for parts of some mails, without marking them as read. `None` if the server does not give them in a way that can be read.
pub(super) async fn fetch(
    session: &mut ImapSession,
    uids: &[u32],
    what: &str,
) -> Result<Option<Vec<FetchedMail>>, SourceFailure> {
    let command = format!("UID FETCH {} (UID {what})", write_uids(uids));
    let answer = session.run(&command).await?;
    let is_given = answer.end.condition == AnswerCondition::Ok;
    Ok(fetched(&answer).filter(|_| is_given))
}

/// A command with the name of a mailbox in it: quoted where it can be, else as a literal.
pub(super) fn with_mailbox(before: &str, mailbox: &Bytes, behind: &str) -> Vec<Bytes> {
    let is_plain = mailbox.iter().all(|byte| matches!(byte, b' '..=b'~'));
    if !is_plain {
        let first = format!("{before}{{{}}}", mailbox.len());
        return vec![first.into(), [mailbox, behind.as_bytes()].concat().into()];
    }
    let name = String::from_utf8_lossy(mailbox);
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    vec![format!("{before}\"{name}\"{behind}").into()]
}

/// The mails of an answer; `None` if one cannot be read. News of flags that nobody asked for bear no UID.
fn fetched(answer: &CommandAnswer) -> Option<Vec<FetchedMail>> {
    let mut mails = Vec::new();
    for data in answer.of_kind("FETCH") {
        let values = parse_values(&data.rest)?;
        let items = values.first()?.list()?.chunks_exact(2);
        let items = items.filter_map(|pair| match pair {
            [name, value] => Some((item_name(name)?, value.clone())),
            _ => None,
        });
        let items: Vec<_> = items.collect();
        let uid = items.iter().find(|(name, _)| name == "UID");
        let uid = uid.and_then(|(_, value)| u32::try_from(value.number()?).ok());
        mails.extend(uid.map(|uid| FetchedMail { uid, items }));
    }
    Some(mails)
}

/// Without the place at which a partial answer begins: `BODY[]<0>`.
fn item_name(name: &ImapValue) -> Option<String> {
    let name = name.string()?.to_ascii_uppercase();
    Some(match name.split_once("]<") {
        Some((section, _)) => format!("{section}]"),
        None => name,
    })
}

/// ` 5-Nov-2026 06:44:56 +0100`.
fn internal_date(value: &ImapValue) -> Option<DateTime<Utc>> {
    let text = value.string()?;
    let read = DateTime::parse_from_str(text.trim(), "%d-%b-%Y %H:%M:%S %z").ok()?;
    Some(read.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_mailboxes_are_quoted_or_counted() {
        let pieces = with_mailbox("EXAMINE ", &Bytes::from_static(b"a \"b\\"), " (X)");
        assert_eq!(pieces, ["EXAMINE \"a \\\"b\\\\\" (X)"]);
        let pieces = with_mailbox("EXAMINE ", &Bytes::from_static("ü\r\nA2 x".as_bytes()), "");
        assert_eq!(pieces, ["EXAMINE {8}", "ü\r\nA2 x"]);
    }

    #[test]
    fn dates_of_the_server_are_read() {
        let date = |text: &'static str| internal_date(&ImapValue::Text(text.into()));
        let read = date(" 5-Nov-2026 06:44:56 +0100").unwrap();
        assert_eq!(read.to_rfc3339(), "2026-11-05T05:44:56+00:00");
        assert_eq!(date("yesterday"), None);
        assert_eq!(internal_date(&ImapValue::Word("NIL".into())), None);
    }
}
