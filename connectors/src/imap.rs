//! Mail over IMAP (RFC 3501), read only: `EXAMINE` and `BODY.PEEK`, so that nothing is ever marked as read.
//!
//! ```text
//! feed.rs          an account as a source                     round.rs        its rounds: the mailboxes, then each one's mails
//! visit.rs         what is to be told of one mailbox          plan.rs         which steps that takes
//! position.rs      from where a mailbox goes on               message.rs      a mail as a record
//! walk.rs          over mails, newest first                     place.rs        where they lie
//! mails.rs         mails fetched                              mailboxes.rs    mailboxes as records
//! outline.rs       large ones, without what is attached       structure.rs    of which parts a mail consists
//! requests.rs      the commands, by what they answer          flags.rs        read, flagged, answered, draft
//! session.rs       one command at a time                      login.rs        the first of them
//! answer.rs        what a line says                           value.rs        words, texts and lists
//! wire.rs          lines and literals off the stream          key.rs, uid_set.rs, mailbox_name.rs   notations
//! ```
//!
//! The parser is our own: of those there are, one quotes what it could not read in its errors and logs commands, and the other
//! panics at `INTERNALDATE NIL`. Nothing here logs, and a failure holds no word of the server but through
//! [`SourceFailure::with_words`](crate::failure::SourceFailure::with_words).

mod answer;
mod feed;
mod flags;
mod key;
mod login;
mod mailbox_name;
mod mailboxes;
mod mails;
mod message;
mod outline;
mod place;
mod plan;
mod position;
mod requests;
mod round;
mod session;
mod structure;
mod uid_set;
mod value;
mod visit;
mod walk;
mod wire;

pub use feed::MailFeed;
