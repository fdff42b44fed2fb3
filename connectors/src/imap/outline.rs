//! Large mails, without what is attached to them: their structure is asked for, then the header, the headers of all parts, and the
//! texts. What is put together of that is a mail in which the contents of attachments are missing.

use std::collections::HashMap;
use std::fmt::Write as _;

use bytes::Bytes;

use super::message::MailBytes;
use super::requests::{FetchedMail, fetch};
use super::session::ImapSession;
use super::structure::MailPart;
use super::value::ImapValue;
use crate::failure::SourceFailure;
use crate::limits::{MAIL_PARTS_MAX, MAIL_WHOLE_BYTES_MAX};

/// Fetches what of a large mail is kept. `None` if the server does not give it.
pub(super) async fn fetch_outline(
    session: &mut ImapSession,
    uid: u32,
) -> Result<Option<MailBytes>, SourceFailure> {
    let structure = fetch_one(session, uid, "BODYSTRUCTURE").await?;
    let structure = structure.and_then(|mail| MailPart::of_value(mail.get("BODYSTRUCTURE")?));
    let Some(structure) = structure.filter(|mail| mail.leaves().len() <= MAIL_PARTS_MAX) else {
        return fetch_beginning(session, uid).await;
    };
    let outline = Outline::of(&structure);
    let Some(mail) = fetch_one(session, uid, &outline.what()).await? else {
        return fetch_beginning(session, uid).await;
    };
    let bytes = outline.put_together(&mail, &structure);
    Ok(bytes.map(|bytes| MailBytes {
        bytes,
        is_text_cut: outline.is_text_cut,
        left_out: Some(outline.left_out),
    }))
}

/// A mail whose structure cannot be made out is cut where the limit is.
async fn fetch_beginning(
    session: &mut ImapSession,
    uid: u32,
) -> Result<Option<MailBytes>, SourceFailure> {
    let what = format!("BODY.PEEK[]<0.{MAIL_WHOLE_BYTES_MAX}>");
    let mail = fetch_one(session, uid, &what).await?;
    let bytes = mail.as_ref().and_then(|mail| section(mail, ""));
    Ok(bytes.map(|bytes| MailBytes {
        is_text_cut: true,
        left_out: Some(Vec::new()),
        ..MailBytes::whole(&bytes)
    }))
}

async fn fetch_one(
    session: &mut ImapSession,
    uid: u32,
    what: &str,
) -> Result<Option<FetchedMail>, SourceFailure> {
    let given = fetch(session, &[uid], what).await?.unwrap_or_default();
    Ok(given.into_iter().find(|mail| mail.uid == uid))
}

fn section(mail: &FetchedMail, name: &str) -> Option<Bytes> {
    mail.get(&format!("BODY[{name}]"))
        .and_then(ImapValue::text)
        .cloned()
}

/// What is asked of a large mail.
struct Outline {
    /// How much of each part, by its number; of what is not here, only the header.
    texts: HashMap<String, u64>,
    headers: Vec<String>,
    is_text_cut: bool,
    /// The sizes of what is not asked for.
    left_out: Vec<(String, u64)>,
}

impl Outline {
    fn of(structure: &MailPart) -> Self {
        let mut outline = Self {
            texts: HashMap::new(),
            headers: structure.numbers(),
            is_text_cut: false,
            left_out: Vec::new(),
        };
        let mut room = MAIL_WHOLE_BYTES_MAX as u64;
        for leaf in structure.leaves() {
            if !leaf.is_text {
                outline
                    .left_out
                    .push((leaf.number.clone(), leaf.content_bytes()));
                continue;
            }
            let kept = leaf.bytes.min(room);
            room -= kept;
            outline.is_text_cut |= kept < leaf.bytes;
            outline.texts.insert(leaf.number.clone(), kept);
        }
        outline
    }

    fn what(&self) -> String {
        let mut what = "BODY.PEEK[HEADER]".to_owned();
        // Writing to a text does not fail.
        for number in &self.headers {
            let _ = write!(what, " BODY.PEEK[{number}.MIME]");
        }
        for (number, bytes) in self.texts.iter().filter(|(_, bytes)| **bytes > 0) {
            let _ = write!(what, " BODY.PEEK[{number}]<0.{bytes}>");
        }
        what
    }

    fn put_together(&self, mail: &FetchedMail, structure: &MailPart) -> Option<Vec<u8>> {
        let mut bytes = section(mail, "HEADER")?.to_vec();
        self.add_content(&mut bytes, mail, structure);
        Some(bytes)
    }

    fn add_content(&self, bytes: &mut Vec<u8>, mail: &FetchedMail, part: &MailPart) {
        let Some(boundary) = &part.boundary else {
            if self.texts.contains_key(&part.number) {
                bytes.extend(section(mail, &part.number).unwrap_or_default());
            }
            return;
        };
        for inner in &part.parts {
            bytes.extend(format!("\r\n--{boundary}\r\n").into_bytes());
            let header = section(mail, &format!("{}.MIME", inner.number));
            bytes.extend(header.unwrap_or_else(|| Bytes::from_static(b"\r\n")));
            self.add_content(bytes, mail, inner);
        }
        bytes.extend(format!("\r\n--{boundary}--\r\n").into_bytes());
    }
}
