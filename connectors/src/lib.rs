//! The protocols and providers by which data comes in: values in, values out.
//!
//! # The rooms
//!
//! A room may use those below it, never those above.
//!
//! | room | what lives there |
//! |---|---|
//! | [`providers`] | the providers there are, each one file: what is entered, what is sealed, where it may lead |
//! | [`provider`] | what a provider is: a form, an exchange, and the way to each of its sectors |
//! | [`dav`] | calendars (CalDAV) and contacts (CardDAV), of iCloud or of a server of one's own |
//! | [`imap`] | mail: a session, its mailboxes, and rounds over them |
//! | [`google`] | calendars and contacts of Google |
//! | [`home_assistant`] | a home: what it has, as it changes, and what can be done there |
//! | [`whoop`] | recovery, sleep and exercise, of a WHOOP |
//! | [`microsoft`] | mail, calendars and contacts of a Microsoft account |
//! | [`simplefin`] | banks by SimpleFIN |
//! | [`enable_banking`] | banks by Enable Banking, through an application of the operator's |
//! | `payments` | which booked payment took over which pending one |
//! | `collections` | rounds over calendars, folders and address books: what there is, then what lies in each |
//! | [`bearer`] | requests that carry the access token of a sign-in |
//! | `basic` | a name and a password in a header |
//! | [`request_ledger`] | how many requests a source was sent, where it allows a number a day |
//! | [`oauth`] | OAuth as a client: a person consents once, tokens are had from then on |
//! | [`round`] | what a source is to the service: one sector of a sign-in, read in rounds of pages or watched |
//! | [`action`] | what a source can be made to do: a catalogue, parameters judged before anything is sent, outcomes |
//! | `record_fields` | the fields of a record |
//! | `digest_key` | keys that are too long, as digests |
//! | [`guard`] | the one way out: no request, stream or password leaves but to an address that was judged |
//! | [`failure`] | how a source can fail, as values; what is kept of a source's own words |
//! | [`secret`] | a password or token that no log or error can show |
//! | [`limits`] | every limit by name |
//!
//! # What never happens
//!
//! - Nothing here knows a database, an actor, a grant or an agent: the manifest names none, and a test holds it to that. What a page
//!   becomes, and when the next is asked for, is the service's to decide.
//! - No address is connected to that [`guard`] has not judged, the first one and each one a server names (a redirect, an `href`, a
//!   next link), and nothing secret is attached before.
//! - Nothing is taken from the environment, no proxy either.
//! - A failing source is a [`failure::SourceFailure`], never a panic; what it said is cut and cleaned before anybody sees it.

#![deny(missing_docs, unreachable_pub)]

pub mod action;
mod basic;
pub mod bearer;
mod collections;
pub mod dav;
mod digest_key;
pub mod enable_banking;
pub mod failure;
pub mod google;
pub mod guard;
pub mod home_assistant;
pub mod imap;
pub mod limits;
pub mod microsoft;
pub mod oauth;
mod payments;
pub mod provider;
pub mod providers;
mod record_fields;
pub mod request_ledger;
pub mod round;
pub mod secret;
pub mod simplefin;
pub mod whoop;
