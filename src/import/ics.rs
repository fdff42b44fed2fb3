use super::{Entries, ImportError, Source};
pub fn entries(_: &Source) -> Result<Entries, ImportError> {
    todo!()
}
