//! `X-ANDROID-CUSTOM`: rows of Android's own contact store, as its exporter writes what 2.1 has no words for.

use super::card::Card;
use super::value::{split, unescape};

const NICKNAME: &str = "vnd.android.cursor.item/nickname";
const EVENT: &str = "vnd.android.cursor.item/contact_event";
/// The types of an event (`ContactsContract.CommonDataKinds.Event`).
const ANNIVERSARY: &str = "1";
const BIRTHDAY: &str = "3";

pub(super) fn nicknames(card: &Card) -> Vec<String> {
    rows(card, NICKNAME)
        .filter_map(|row| row.into_iter().next())
        .collect()
}

pub(super) fn anniversary(card: &Card) -> Option<String> {
    event(card, ANNIVERSARY)
}

pub(super) fn birthday(card: &Card) -> Option<String> {
    event(card, BIRTHDAY)
}

fn event(card: &Card, kind: &str) -> Option<String> {
    rows(card, EVENT).find_map(|row| {
        let is_it = row.get(1).is_some_and(|written| written == kind);
        row.into_iter().next().filter(|_| is_it)
    })
}

/// The columns of each row of a kind, without the kind.
fn rows<'a>(card: &'a Card, kind: &'a str) -> impl Iterator<Item = Vec<String>> + 'a {
    card.all("X-ANDROID-CUSTOM").filter_map(move |property| {
        let mut columns = split(&property.value, ';').into_iter().map(unescape);
        let is_it = columns.next()? == kind;
        is_it.then(|| columns.collect())
    })
}
