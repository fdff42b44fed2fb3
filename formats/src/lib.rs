//! Files people have, read into the records that a push takes. Pure but for reading files: no clock, no randomness, no environment,
//! no network, no database.
//!
//! | room | what lives there |
//! |---|---|
//! | `walk` | from the paths a person names to the files in them, through folders and archives |
//! | `readers` | one reader for each kind of file |
//! | `source` | where a file's bytes come from: a disk, an archive, memory |
//! | `entry`, `error` | what a file is read into |
//! | `text` | bytes to text |
//! | [`html`] | HTML to what a person sees of it |
//! | [`recurrence`] | calendar series expanded in their own zone |

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
pub use error::FileError;
pub use readers::mail::maildir::is_maildir;
pub use readers::{DateOrder, FileReader, Flow, Options};
pub use source::{BoundedFile, FileSource, Member, MemberFault, Watcher, ZipDirectory};
pub use walk::{FileWalk, FoundFile, PassedOver};
