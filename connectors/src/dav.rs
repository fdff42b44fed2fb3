//! Calendars (CalDAV, RFC 4791) and contacts (CardDAV, RFC 6352), of iCloud or of a server of one's own.
//!
//! ```text
//! feed.rs        one sector of a sign-in, in rounds          reading.rs      one collection's pages
//! discovery.rs   the collections there are, found each round  listing.rs      what of a collection changed
//! position.rs    what a collection goes on from               multiget.rs     the bodies of resources
//! records.rs     a body into records                          kind.rs         in what calendars and contacts differ
//! client.rs      requests and addresses                       resource_key.rs a resource's key
//! requests.rs    bodies of requests                           multistatus.rs  answers, and names.rs their elements
//! window.rs      which events are wanted
//! ```
//!
//! Nothing of a server's layout is stored but keys, which bear no host: a partition that moves changes nothing.

mod client;
mod discovery;
mod feed;
mod kind;
mod listing;
mod multiget;
mod multistatus;
mod names;
mod position;
mod reading;
mod records;
mod requests;
mod resource_key;
mod window;

pub use feed::DavFeed;
pub use kind::DavKind;
