//! stub
use super::document::Document;
use sextant_actors::domain::Sector;
pub const DOCUMENT: Document = Document {
    name: "contacts.vcf",
    sector: Sector::Contacts,
    head: |_| Vec::new(),
    sections: &[],
    foot: "",
};
