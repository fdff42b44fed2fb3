//! A VCARD that stands for a group, as a record of `contacts.groups`: KIND and MEMBER (RFC 6350), or what Apple
//! writes in version 3.0.

use serde_json::Value;

use super::cards::Card;
use super::record::{CardRecord, put_list, uid, without_scheme};
use crate::entry::{PROBLEMS, RecordFields, put};

const MEMBERS: [&str; 2] = ["MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"];

pub(super) fn is_group(card: &Card) -> bool {
    kind_of(card).as_deref() == Some("group")
}

/// What the card stands for, in the file's own word.
pub(super) fn kind_of(card: &Card) -> Option<String> {
    let kind = card
        .text("KIND")
        .or_else(|| card.text("X-ADDRESSBOOKSERVER-KIND"));
    kind.map(|kind| kind.to_lowercase())
}

pub(super) fn map(card: &Card) -> Result<CardRecord, String> {
    let surname = || card.first("N")?.components().into_iter().next()?;
    let name = card.text("FN").or_else(surname);
    let mut fields = RecordFields::new();
    fields.insert(
        "name".to_owned(),
        Value::from(name.ok_or("the group has no name (FN)")?),
    );
    put(&mut fields, "uid", uid(card));
    let members = MEMBERS.iter().flat_map(|name| card.all(name));
    let members = members.filter_map(|property| property.text());
    put_list(
        &mut fields,
        "member_uids",
        members
            .map(|member| Value::from(without_scheme(&member)))
            .collect(),
    );
    put(&mut fields, "notes", card.text("NOTE"));
    let problems = card.problems.iter().map(|problem| problem.as_str().into());
    put_list(&mut fields, PROBLEMS, problems.collect());
    Ok(("contacts.groups", fields))
}
