//! The zip that an iPhone makes of a health export.
//!
//! The names in it are in the phone's language (`apple_health_export/export.xml`, `Exportieren.xml`), so the export is
//! known by its content. Beside it lie a clinical document that says the same, and routes and electrocardiograms,
//! which have no table.

use super::root_of;
use crate::import::archive::Archive;
use crate::import::{Entries, ImportError, Options, Source};

use super::items::ROOT;

pub fn entries(source: &Source, options: &Options) -> Result<Entries, ImportError> {
    let Source::File(path) = source else {
        return Err(ImportError::NotThisFormat(
            "it is an archive within an archive: unpack the outer one first",
        ));
    };
    let mut exports = Vec::new();
    for member in Archive::open(path)?.into_members() {
        if !member.name().to_ascii_lowercase().ends_with(".xml") {
            continue;
        }
        let member = Source::Member(member);
        if root_of(&member)?.as_deref() == Some(ROOT) {
            exports.push(super::entries(&member, options)?);
        }
    }
    match exports.is_empty() {
        true => Err(ImportError::NotThisFormat(
            "it is a zip, but holds no export of Apple Health",
        )),
        false => Ok(Box::new(exports.into_iter().flatten())),
    }
}
