//! Mail, calendars and contacts of a Microsoft account, by Microsoft Graph 1.0 (<https://learn.microsoft.com/graph/api/overview>).
//!
//! ```text
//! contacts_feed.rs  contacts in rounds               contact.rs       a contact as a vCard
//! mail_feed.rs      mail in rounds                   mail.rs, mail_headers.rs   a message as a mail
//! calendar_feed.rs  calendars in rounds              calendar_items.rs   what a view of one tells
//! calendar_page.rs  what follows from a page         series.rs        an event or a series as records
//! event.rs, event_parts.rs   an event as a component
//! event_times.rs    zones and days                   recurrence.rs    how a series repeats, as a rule
//! folders_round.rs  folders, then what lies in each  folder_tree.rs   folders as records
//! reading.rs        one collection's pages           telling.rs       its objects, told one by one
//! delta.rs          a page of an answer              position.rs      what a collection goes on from
//! trail.rs          pages that go in a circle
//! client.rs         requests, and which links are followed            failure.rs   what an answer refuses
//! object.rs         fields of an object              content_lines.rs lines of vCard and iCalendar
//! account.rs        whose sign-in it is
//! ```
//!
//! What Graph says as JSON becomes the text of the open format first, which the reader of files reads: so the columns are those
//! of the same thing by file, IMAP or DAV. What Graph said is kept beside them, as `raw`.

mod account;
mod calendar_feed;
mod calendar_items;
mod calendar_page;
mod client;
mod contact;
mod contacts_feed;
mod content_lines;
mod delta;
mod event;
mod event_parts;
mod event_times;
mod failure;
mod folder_tree;
mod folders_round;
mod mail;
mod mail_feed;
mod mail_headers;
mod object;
mod position;
mod reading;
mod recurrence;
mod series;
mod telling;
mod trail;

pub use account::{GraphAccount, account_of};
pub use calendar_feed::GraphCalendarFeed;
pub use contacts_feed::GraphContactsFeed;
pub use mail_feed::GraphMailFeed;
