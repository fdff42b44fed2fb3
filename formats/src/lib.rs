//! Files people have, read into the records that a push takes. Pure but for reading files: no clock, no randomness, no environment,
//! no network, no database.
//!
//! | room | what lives there |
//! |---|---|
//! | [`import`] | the files people have, read into records: a reader for each kind of file, and the walk through folders and archives |
//! | [`html`] | HTML to what a person sees of it |
//! | [`occurrences`] | calendar series expanded in their own zone |

pub mod html;
pub mod import;
pub mod occurrences;
