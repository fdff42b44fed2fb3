//! Files people have, read into the records that a push takes.
//!
//! # The rooms
//!
//! A room may use those below it, never those above.
//!
//! | room | what lives there |
//! |---|---|
//! | `walk` | from the paths a person names to the files in them, through folders, `.zip` and `.tar`: [`FileWalk`] |
//! | `readers` | one reader for each kind of file: `calendar` (`.ics`), `contacts` (`.vcf`), `mail` (`.eml`, `.emlx`, `.mbox`, Maildir), `bank_csv`, `bank_ofx` (`.ofx`, `.qfx`), `bank_qif`, `bank_mt940`, `bank_camt` (camt.052 to .054), `health` (Apple Health), and `json`, `jsonl` (records as a push takes them): [`FileReader`] |
//! | `source` | where a file's bytes come from, opened as often as a reader needs: a disk, a member of a `.zip`, a `.gz`, memory: [`FileSource`]. The one bounded unzip of the house: [`ZipDirectory`], [`BoundedFile`] |
//! | `entry` | what a file becomes: records and refusals, each with its place, ids from the file's own keys, and counts of what no table holds: [`FileEntry`] |
//! | `error` | why a file cannot be read, or no further: [`FileError`] |
//! | `text` | bytes to text and to lines, whatever the file claims of them |
//! | [`html`] | HTML to what a person sees of it; hidden text is dropped and counted |
//! | [`recurrence`] | calendar series expanded into occurrences, in their own zone |
//!
//! # What never happens
//!
//! - Nothing here reads the clock, draws randomness, looks at the environment or opens a connection; what depends on the time is
//!   given it. A test of the service holds the manifest to that. Only `walk` and `source` touch the disk: files are opened for
//!   reading, and what can be read only once is kept in a temporary file without a name.
//! - No room knows a connection, a request or a row of a database. A reader knows its format and the names of the fields that it
//!   fills, as the catalogue has them; the service checks every record again.
//! - No file is held whole in memory, and no line, component, member or archive is longer than a named limit.
//! - Nothing is guessed: what a file leaves open is decided by the rest of the file, by [`Options`], or refused with a reason.
//! - The unit of taking or refusing is the entry (an event, a card, a message, a booking), never the file.
//!
//! A further format is one module of `readers` with a function from a [`FileSource`] and a [`FileReader`] to [`Entries`], and one
//! line in its table of formats.

#![deny(missing_docs, unreachable_pub)]

mod entry;
mod error;
pub mod html;
mod readers;
pub mod recurrence;
mod source;
mod text;
mod walk;

pub use entry::{
    Entries, EntryPlace, FileEntry, KindCounts, LeftBehind, PROBLEMS, RecordFields, quoted,
};
pub use error::{FileError, OpenQuestion};
pub use readers::calendar::zone_named;
pub use readers::mail::maildir::is_maildir;
pub use readers::{DateOrder, FileReader, MoneyFlow, Options};
pub use source::{BoundedFile, FileSource, Member, MemberFault, Watcher, ZipDirectory};
pub use walk::{FileWalk, FoundFile, PassedOver};
