//! Mails fetched as they are, small ones together, large ones without what is attached to them.

use std::collections::HashMap;

use super::message::MailBytes;
use super::outline::fetch_outline;
use super::place::MailPlace;
use super::requests::{MailMarks, fetch};
use super::session::ImapSession;
use super::value::ImapValue;
use crate::failure::SourceFailure;
use crate::limits::MAIL_WHOLE_BYTES_MAX;
use crate::round::{SkippedItem, SourceItem};

/// A mail as an item, or why it is left out.
pub(super) type ReadMail = Result<SourceItem, SkippedItem>;

const NOT_GIVEN: &str = "the mail server does not give it";

/// Fetches mails, by UID. One that has gone meanwhile is missing.
pub(super) async fn fetch_mails(
    session: &mut ImapSession,
    place: &MailPlace,
    mails: &[&MailMarks],
) -> Result<HashMap<u32, ReadMail>, SourceFailure> {
    let mut read = HashMap::new();
    let is_large = |mail: &&&MailMarks| mail.size > MAIL_WHOLE_BYTES_MAX as u64;
    let whole: Vec<&MailMarks> = mails
        .iter()
        .filter(|mail| !is_large(mail))
        .copied()
        .collect();
    let mut rest = whole.as_slice();
    while !rest.is_empty() {
        let (group, behind) = rest.split_at(group_length(rest));
        rest = behind;
        if !fetch_group(session, place, group, &mut read).await? {
            // One of them may be the reason.
            for mail in group {
                if !fetch_group(session, place, &[mail], &mut read).await? {
                    read.insert(mail.uid, Err(place.skip(mail.uid, NOT_GIVEN)));
                }
            }
        }
    }
    for mail in mails.iter().filter(is_large) {
        let outline = fetch_outline(session, mail.uid).await?;
        let item = match outline {
            Some(outline) => place.item(mail, outline),
            None => Err(place.skip(mail.uid, NOT_GIVEN)),
        };
        read.insert(mail.uid, item);
    }
    Ok(read)
}

/// How many of the first are asked for together.
fn group_length(mails: &[&MailMarks]) -> usize {
    let mut bytes = 0_u64;
    let fits = |mail: &&&MailMarks| {
        bytes = bytes.saturating_add(mail.size);
        bytes <= MAIL_WHOLE_BYTES_MAX as u64
    };
    mails.iter().take_while(fits).count().max(1)
}

/// Whether the server gave them.
async fn fetch_group(
    session: &mut ImapSession,
    place: &MailPlace,
    group: &[&MailMarks],
    read: &mut HashMap<u32, ReadMail>,
) -> Result<bool, SourceFailure> {
    let uids: Vec<u32> = group.iter().map(|mail| mail.uid).collect();
    let Some(given) = fetch(session, &uids, "BODY.PEEK[]").await? else {
        return Ok(false);
    };
    let given: HashMap<u32, _> = given.into_iter().map(|mail| (mail.uid, mail)).collect();
    for mail in group {
        let body = given.get(&mail.uid).and_then(|given| given.get("BODY[]"));
        if let Some(bytes) = body.and_then(ImapValue::text) {
            read.insert(mail.uid, place.item(mail, MailBytes::whole(bytes)));
        }
    }
    Ok(true)
}
