//! stub
use super::document::Document;
use sextant_actors::domain::Sector;
pub const DOCUMENT: Document = Document {
    name: "mail.mbox",
    sector: Sector::Mail,
    head: |_| Vec::new(),
    sections: &[],
    foot: "",
};
