//! `.vcf`: vCard 2.1, 3.0 and 4.0 (RFC 2426, RFC 6350), as records of `contacts.people` and `contacts.groups`.
//!
//! ```text
//! cards.rs     components -> whole cards        card.rs      a card: its properties and problems
//! property.rs  one line -> name, parameters, value
//! quoted.rs    quoted-printable and charsets    value.rs     escapes, components and lists
//! labels.rs    TYPE, PREF, X-ABLabel            person.rs    VCARD -> contacts.people
//! channels.rs  emails, phones, urls             phone.rs     which numbers are certain (E.164)
//! addresses.rs ADR and LABEL                    dates.rs     birthday and anniversary
//! android.rs   X-ANDROID-CUSTOM                 group.rs     VCARD -> contacts.groups
//! record.rs    what both records have: id, lists   rest.rs      what no column holds
//! ```
//!
//! The entries of a file are its cards; the card of an AGENT is a part of the one it stands in. What is no card
//! is refused where it begins. A fault in a property does not cost the person: a birthday that does not exist, a line
//! without a colon or one too long is left out, and `import_problems` of the record says so. Read from
//! bytes and not with calcard, which parses text: each property of a 2.1 card may be in a charset of its own.

mod addresses;
mod android;
mod card;
mod cards;
mod channels;
mod dates;
mod group;
mod labels;
mod person;
mod phone;
mod property;
mod quoted;
mod record;
mod rest;
mod value;

use std::io::BufRead;

use serde_json::Value;

use self::card::Card;
use self::cards::{CardComponent, Cards};
use self::record::uid;
use crate::entry::identity::Identities;
use crate::entry::{
    Entries, EntryPlace, FileEntry, LeftBehind, RecordFields, put, quoted as shown,
};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::source::{FileSource, utf16};

/// The longest UID that serves as an id; the ingest route takes 512 bytes, and an ordinal may follow.
const UID_BYTES_MAX: usize = 480;

/// Properties whose content nothing stores, also where it lies elsewhere.
const UNSTORED: [&str; 4] = ["PHOTO", "LOGO", "SOUND", "KEY"];

pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let holds_none = Cards::new(utf16::open(source)?).next().is_none();
    if holds_none {
        return Err(FileError::NotThisFormat(
            "this is no address book: it holds no BEGIN:VCARD",
        ));
    }
    Ok(Box::new(CardEntries {
        cards: Cards::new(utf16::open(source)?),
        left_behind: reader.left_behind.clone(),
        identities: Identities::default(),
    }))
}

struct CardEntries<R: BufRead> {
    cards: Cards<R>,
    left_behind: LeftBehind,
    identities: Identities,
}

impl<R: BufRead> Iterator for CardEntries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let component = self.cards.next()?;
        Some(
            component
                .map(|component| self.entry(component))
                .map_err(Into::into),
        )
    }
}

impl<R: BufRead> CardEntries<R> {
    fn entry(&mut self, component: CardComponent) -> FileEntry {
        match component {
            CardComponent::Card(card) => self.card(&card),
            CardComponent::Foreign { line, kind } => FileEntry::Refused {
                place: EntryPlace::new(line, &kind, ""),
                reason: foreign(&kind),
            },
            CardComponent::StrayEnd { line } => FileEntry::Refused {
                place: EntryPlace::new(line, "END:VCARD", ""),
                reason: "the card that ends here has no BEGIN:VCARD".to_owned(),
            },
        }
    }

    fn card(&mut self, card: &Card) -> FileEntry {
        let place = EntryPlace::new(card.line, "VCARD", &person::display_name(card));
        let mapped = match &card.fault {
            Some(fault) => Err(fault.to_string()),
            None if group::is_group(card) => group::map(card),
            None => person::map(card),
        };
        match mapped {
            Ok((table, mut fields)) => {
                let id = self.identify(card, &fields);
                fields.insert("id".to_owned(), Value::from(id));
                let updated_at = dates::instant(card.text("REV"));
                put(&mut fields, "updated_at", updated_at);
                self.count_left_behind(card, &fields);
                FileEntry::Record {
                    target: Some(table.to_owned()),
                    place,
                    fields,
                }
            }
            Err(reason) => FileEntry::Refused { place, reason },
        }
    }

    fn count_left_behind(&self, card: &Card, fields: &RecordFields) {
        card.left_behind
            .iter()
            .for_each(|kind| self.left_behind.add(kind));
        for name in UNSTORED {
            let linked = card.properties.iter().filter(|one| one.name == name);
            let is_kept = name == "PHOTO" && fields.contains_key("photo_url");
            let count = (linked.count() as u64).saturating_sub(u64::from(is_kept));
            self.left_behind.add_many(card::kind_of(name), count);
        }
    }

    fn identify(&mut self, card: &Card, fields: &RecordFields) -> String {
        match uid(card).filter(|uid| uid.len() <= UID_BYTES_MAX) {
            Some(uid) => self.identities.id_from_key(&uid, fields),
            None => self.identities.id_from_content("", fields),
        }
    }
}

fn foreign(kind: &str) -> String {
    let is_calendar = ["VCALENDAR", "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"].contains(&kind)
        || ["VTIMEZONE", "VALARM"].contains(&kind);
    match is_calendar {
        true => "this is part of a calendar; calendars are read from .ics files".to_owned(),
        false => format!("a component {} has no table", shown(kind)),
    }
}
