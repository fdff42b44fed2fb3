//! Google: calendars (Calendar v3) and contacts (People v1) of one sign-in.
//!
//! ```text
//! calendar_feed.rs the calendars, in rounds            people_feed.rs  the contacts, in rounds
//! calendars.rs     the calendars there are             groups.rs       groups and their members
//! reading.rs       one calendar's pages                person.rs       a person, and card.rs: as a vCard
//! series.rs        an event with its exceptions        contact_parts.rs what of a person has a type
//! held.rs          parts of series until a list ends
//! event.rs         an event, and component.rs: as iCalendar
//! when.rs          days and times                      records.rs      a text into the columns of a file import
//! client.rs        requests and what refusals mean     listing.rs      answers that come in pages
//! position.rs      what a list goes on from            telling.rs      what of a page is stored already
//! content_text.rs  the lines of both formats
//! ```
//!
//! Events and people become the texts in which files and servers of WebDAV have them (RFC 5545, RFC 6350) and are read from there,
//! so that their columns are the same by whatever way they come.

mod calendar_feed;
mod calendars;
mod card;
mod client;
mod component;
mod contact_parts;
mod content_text;
mod event;
mod groups;
mod held;
mod listing;
mod people_feed;
mod person;
mod position;
mod reading;
mod records;
mod series;
mod telling;
mod when;

pub use calendar_feed::GoogleCalendarFeed;
pub use people_feed::GooglePeopleFeed;
