//! `.ics`: iCalendar (RFC 5545, and what of RFC 7986 calendars carry), as records of `calendar.series`.
//!
//! ```text
//! components.rs  what is a component of its own     outline.rs   first pass: calendars and their time zones
//! zones.rs       TZID -> IANA zone                  vtimezone.rs the offsets a VTIMEZONE defines
//! times.rs       DTSTART, DTEND, DURATION           recurrence.rs RRULE, RDATE, EXDATE as lines
//! people.rs      organizer and attendees            reminders.rs VALARM
//! moment.rs      one date or time                    parsed.rs    what calcard makes of a component
//! description.rs texts and state                     event.rs     VEVENT -> record
//! ```
//!
//! The entries of a file are the components that stand in no other but a VCALENDAR, time zones aside: alarms
//! are parts of theirs. Only events have a table; to-dos, journals and the rest are refused by name. Each
//! exception of a series is an entry of its own. The file is read twice, since a time zone may be defined after
//! its use, and never held. Components are parsed by calcard; what a calendar means is decided here.

mod components;
mod description;
mod event;
mod moment;
mod outline;
mod parsed;
mod people;
mod recurrence;
mod recurrence_dates;
mod reminders;
mod times;
mod vtimezone;
mod zones;

use std::io::BufRead;

pub use self::zones::zone_named;

use self::components::{IcsComponent, IcsComponents};
use self::outline::IcsOutline;
use crate::entry::identity::Identities;
use crate::entry::{Entries, EntryPlace, FileEntry, LeftBehind};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::source::FileSource;

pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    let components = IcsComponents::new(source.open()?);
    let outline = IcsOutline::read(components, &source.stem(), reader.options.zone)?;
    Ok(Box::new(IcsEntries {
        outline,
        components: IcsComponents::new(source.open()?),
        left_behind: reader.left_behind.clone(),
        identities: Identities::default(),
    }))
}

/// The second pass.
struct IcsEntries<R: BufRead> {
    outline: IcsOutline,
    components: IcsComponents<R>,
    left_behind: LeftBehind,
    identities: Identities,
}

impl<R: BufRead> Iterator for IcsEntries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.components.next()? {
                Err(error) => return Some(Err(error.into())),
                Ok(component) if component.is_entry() => return Some(Ok(self.entry(&component))),
                Ok(_) => {}
            }
        }
    }
}

impl<R: BufRead> IcsEntries<R> {
    fn entry(&mut self, component: &IcsComponent) -> FileEntry {
        let place = EntryPlace::new(component.line, &component.kind, component.uid());
        let calendar = self.outline.calendar(component.calendar);
        match event::map(component, calendar, &mut self.identities, &self.left_behind) {
            Ok(fields) => FileEntry::Record {
                target: Some("calendar.series".to_owned()),
                place,
                fields,
            },
            Err(reason) => FileEntry::Refused { place, reason },
        }
    }
}
