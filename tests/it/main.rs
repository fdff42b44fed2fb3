//! The integration tests, in one binary: a folder per surface, and `tidy` for the architecture itself.

mod import;
mod tidy;
