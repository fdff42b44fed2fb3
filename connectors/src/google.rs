//! Google: calendars (Calendar v3) and contacts (People v1) of one sign-in.
//!
//! ```text
//! calendar_feed.rs the calendars, in rounds      people_feed.rs   the contacts, in rounds
//! calendars.rs     the calendars there are       groups.rs        groups and their members
//! reading.rs       one calendar's pages          person.rs        a person
//! asking.rs        questions for events          card.rs          as a vCard
//! held.rs          series until a list ends      contact_parts.rs what of a person has a type
//! series.rs        an event with its exceptions  client.rs        requests, and what refusals mean
//! event.rs         an event                      listing.rs       answers that come in pages
//! component.rs     as iCalendar                  position.rs      what a list goes on from
//! when.rs          days and times                telling.rs       what of a page is stored already
//! content_text.rs  the lines of both formats     records.rs       a text into the columns of a file import
//! ```
//!
//! Events and people become the texts in which files and servers of WebDAV have them (RFC 5545, RFC 6350) and are read from there,
//! so that their columns are the same by whatever way they come.

mod asking;
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
