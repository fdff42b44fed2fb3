//! What a name says of a file: an archive, a kind that may be something else.

use crate::readers::reader_by_name;
use crate::source::FileSource;

/// Kinds that other programs use for other things: such a file in a folder is no error.
const COMMON_KINDS: [&str; 2] = ["xml", "csv"];

/// What kind of archive a name says.
#[derive(Clone, Copy)]
pub(super) enum ArchiveKind {
    Zip,
    Tar { is_gzipped: bool },
}

/// What is known by its content alone, or by a name that means other things too.
pub(super) fn is_doubtful(source: &FileSource) -> bool {
    let extension = source.extension().to_ascii_lowercase();
    COMMON_KINDS.contains(&extension.as_str()) || reader_by_name(source).is_none()
}

/// What macOS packs beside a file for itself: it bears the file's name and ending, but is not of its kind.
pub(super) fn is_shadow(name: &str) -> bool {
    let mut parts = name.split('/');
    parts.clone().any(|part| part == "__MACOSX")
        || parts.next_back().is_some_and(|last| last.starts_with("._"))
}

/// The kind of archive that a file of this name is, if it is one.
pub(super) fn kind_of(name: &str) -> Option<ArchiveKind> {
    let name = name.to_ascii_lowercase();
    let is = |ending: &str| name.ends_with(ending);
    match () {
        () if is(".zip") => Some(ArchiveKind::Zip),
        () if is(".tar") => Some(ArchiveKind::Tar { is_gzipped: false }),
        () if is(".tgz") || is(".tar.gz") => Some(ArchiveKind::Tar { is_gzipped: true }),
        () => None,
    }
}
