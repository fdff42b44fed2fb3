//! From XML to a multistatus. Never recursive: how deep a document nests costs no stack.

use std::mem;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::NsReader;

use super::{DavResponse, Multistatus, malformed};
use crate::dav::names::DavElement;
use crate::failure::SourceFailure;

impl Multistatus {
    /// Reads an answer of status 207.
    pub(in crate::dav) fn parse(body: &[u8]) -> Result<Self, SourceFailure> {
        let (root, answer, _) = MultistatusReader::read(body)?;
        match root {
            Some(DavElement::Multistatus) => Ok(answer),
            _ => Err(malformed()),
        }
    }
}

/// Whether the body of a refusal says that a token is none any more (RFC 6578 §3.2).
pub(in crate::dav) fn is_token_refused(body: &[u8]) -> bool {
    matches!(
        MultistatusReader::read(body),
        Ok((Some(DavElement::Error), _, true))
    )
}

/// What was read so far.
#[derive(Default)]
struct MultistatusReader {
    open: Vec<DavElement>,
    root: Option<DavElement>,
    text: String,
    /// Of the `propstat` that is open.
    found: Vec<(DavElement, String)>,
    found_status: Option<u16>,
    response: DavResponse,
    answer: Multistatus,
    is_token_refused: bool,
}

impl MultistatusReader {
    /// The root of a document, what it answers, and whether it refuses a token.
    fn read(body: &[u8]) -> Result<(Option<DavElement>, Multistatus, bool), SourceFailure> {
        let text = String::from_utf8_lossy(body);
        let mut xml = NsReader::from_str(&text);
        xml.config_mut().expand_empty_elements = true;
        let mut reader = Self::default();
        loop {
            let (namespace, event) = xml.read_resolved_event().map_err(|_| malformed())?;
            match event {
                Event::Start(start) => {
                    let element = DavElement::of(&namespace, start.local_name().as_ref());
                    reader.begin(element, &start);
                }
                Event::End(_) => reader.end(),
                Event::Text(text) => reader.text.push_str(&text.xml10_content()),
                Event::CData(text) => reader.text.push_str(&text.xml10_content()),
                Event::GeneralRef(reference) => reader.add_reference(&reference),
                Event::Eof => return reader.finish(),
                _ => {}
            }
        }
    }

    fn finish(self) -> Result<(Option<DavElement>, Multistatus, bool), SourceFailure> {
        match self.open.is_empty() {
            true => Ok((self.root, self.answer, self.is_token_refused)),
            false => Err(malformed()),
        }
    }

    fn begin(&mut self, element: DavElement, start: &BytesStart<'_>) {
        self.text.clear();
        match (self.open.last(), element) {
            (None, root) => {
                self.root.get_or_insert(root);
            }
            (Some(DavElement::ComponentSet), DavElement::Component) => {
                let name = start.try_get_attribute("name").ok().flatten();
                let name = name.and_then(|name| {
                    let value = name.normalized_value(XmlVersion::Implicit1_0).ok()?;
                    Some(value.to_ascii_uppercase())
                });
                self.found.push((element, name.unwrap_or_default()));
            }
            _ => {}
        }
        self.open.push(element);
    }

    fn end(&mut self) {
        let (Some(element), parent) = (self.open.pop(), self.open.last().copied()) else {
            return;
        };
        let text = mem::take(&mut self.text);
        let text = text.trim();
        match (parent.unwrap_or(DavElement::Other), element) {
            (DavElement::Multistatus, DavElement::Response) => {
                let response = mem::take(&mut self.response);
                self.answer.responses.push(response);
            }
            (DavElement::Multistatus, DavElement::SyncToken) => {
                self.answer.sync_token = Some(text.to_owned()).filter(|token| !token.is_empty());
            }
            (DavElement::Response, DavElement::Href) => self.response.hrefs.push(text.to_owned()),
            (DavElement::Response, DavElement::Status) => self.response.status = status(text),
            (DavElement::Response, DavElement::PropStat) => self.end_properties(),
            (DavElement::PropStat, DavElement::Status) => self.found_status = status(text),
            (DavElement::Error, DavElement::ValidSyncToken) => self.is_token_refused = true,
            (parent, element) => self.end_value(parent, element, text),
        }
    }

    fn end_value(&mut self, parent: DavElement, element: DavElement, text: &str) {
        match (parent, element) {
            (DavElement::Prop, property) if property.is_text() => {
                self.found.push((property, text.to_owned()));
            }
            (DavElement::ResourceType, kind) => self.found.push((kind, String::new())),
            (property, DavElement::Href) if property.is_addresses() => {
                self.found.push((property, text.to_owned()));
            }
            _ => {}
        }
    }

    /// Properties of a status other than success are those that are not there.
    fn end_properties(&mut self) {
        let found = mem::take(&mut self.found);
        if self.found_status.take().is_some_and(is_success) {
            self.response.properties.extend(found);
        }
    }

    fn add_reference(&mut self, reference: &BytesRef<'_>) {
        let character = match reference.as_ref() {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => reference.resolve_char_ref().ok().flatten(),
        };
        match character {
            Some(character) => self.text.push(character),
            None => self.text.push_str(&format!("&{};", reference.as_ref())),
        }
    }
}

/// The number in `HTTP/1.1 404 Not Found`.
fn status(line: &str) -> Option<u16> {
    line.split_whitespace().nth(1)?.parse().ok()
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}
