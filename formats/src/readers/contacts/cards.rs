//! Lines of a .vcf file to whole cards, one at a time, each within a limit.
//!
//! Lines are joined here as each version folds them: a leading blank, the `=` of quoted-printable, or the bare
//! lines of a base64 block. A card that was not closed ends where the next begins and says so. Cards of agents
//! and what is no card at all are kept out of the cards they stand in.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::iter::Peekable;

use super::property::{CardProperty, colon_of};
use super::value::unescaped;
use crate::entry::quoted as shown;
use crate::text::decode;
use crate::text::lines::{TextLine, TextLines};

/// The longest line that is read, unfolded.
pub(super) const LINE_BYTES_MAX: usize = 1024 * 1024;
/// How much of one card is kept; embedded pictures are not.
const CARD_BYTES_MAX: usize = 2 * 1024 * 1024;
const PROPERTIES_MAX: usize = 5_000;
/// The most faults of one card that are reported.
const PROBLEMS_MAX: usize = 20;
/// Properties that may be dropped for their length: what they carry is not stored.
const DISPENSABLE: [&str; 5] = ["PHOTO", "LOGO", "SOUND", "KEY", "X-"];

const CARD: &str = "VCARD";

#[derive(Debug, Default)]
pub(super) struct Card {
    /// The line of its BEGIN, counted from 1.
    pub line: u64,
    pub properties: Vec<CardProperty>,
    /// What was left out, in sentences.
    pub problems: Vec<String>,
    /// The kinds of content that was skipped because no table stores it.
    pub left_behind: Vec<&'static str>,
    /// Why it is refused.
    pub fault: Option<String>,
    is_version_2: bool,
    bytes: usize,
}

impl Card {
    /// The properties of this name that say something. Of alternatives (ALTID) only the first is one.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a CardProperty> {
        let mut alternatives = Vec::new();
        self.properties
            .iter()
            .filter(move |property| property.name == name && !property.value.trim().is_empty())
            .filter(move |property| match property.parameter("ALTID") {
                Some(known) if alternatives.contains(&known) => false,
                Some(new) => {
                    alternatives.push(new);
                    true
                }
                None => true,
            })
    }

    pub(super) fn first(&self, name: &str) -> Option<&CardProperty> {
        self.properties
            .iter()
            .find(|property| property.name == name && !property.value.trim().is_empty())
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.first(name)?.text()
    }

    /// The property of this name that is tied to another one.
    pub(super) fn companion(&self, of: &CardProperty, name: &str) -> Option<String> {
        let group = of.group.as_ref()?;
        let mut tied = self
            .properties
            .iter()
            .filter(|property| property.group.as_ref() == Some(group));
        tied.find(|property| property.name == name)?.text()
    }

    fn add(&mut self, property: CardProperty) {
        self.bytes += property.value.len();
        if self.bytes > CARD_BYTES_MAX || self.properties.len() >= PROPERTIES_MAX {
            return self.report(format!(
                "{} was left out: the card is too long",
                shown(&property.name)
            ));
        }
        self.is_version_2 |= property.name == "VERSION" && property.value.trim().starts_with('2');
        self.properties.push(property);
    }

    fn leave(&mut self, kind: &'static str) {
        if self.left_behind.len() < PROPERTIES_MAX {
            self.left_behind.push(kind);
        }
    }

    fn report(&mut self, problem: String) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem);
        }
    }
}

#[derive(Debug)]
pub(super) enum CardPiece {
    Card(Card),
    /// A component that is no card.
    Foreign {
        line: u64,
        kind: String,
    },
    /// `END:VCARD` without a beginning.
    StrayEnd {
        line: u64,
    },
}

pub(super) struct Cards<R: BufRead> {
    lines: Peekable<TextLines<R>>,
    card: Option<Card>,
    /// The agents' cards that are open within the card.
    agents: usize,
    /// The component that is open and no card.
    foreign: Option<String>,
    ready: VecDeque<CardPiece>,
    is_ended: bool,
}

impl<R: BufRead> Cards<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            lines: TextLines::new(reader, LINE_BYTES_MAX).peekable(),
            card: None,
            agents: 0,
            foreign: None,
            ready: VecDeque::new(),
            is_ended: false,
        }
    }

    /// The next line with all that belongs to it.
    fn next_unfolded(&mut self) -> Option<io::Result<TextLine>> {
        let mut line = match self.lines.next()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let head = PropertyHead::of(&line.bytes);
        if head.is_quoted {
            self.join_soft_breaks(&mut line);
        }
        self.join_folds(&mut line);
        if head.is_base64 {
            while self.lines.next_if(is_base64).is_some() {}
        }
        Some(Ok(line))
    }

    /// A line that ends with `=` goes on in the next one, unless that ends the card.
    fn join_soft_breaks(&mut self, line: &mut TextLine) {
        while line.bytes.trim_ascii_end().ends_with(b"=") {
            let Some(Ok(next)) = self
                .lines
                .next_if(|next| next.as_ref().is_ok_and(|next| !is_end(&next.bytes)))
            else {
                return;
            };
            let length = line.bytes.trim_ascii_end().len();
            line.bytes.truncate(length.saturating_sub(1));
            append(line, &next.bytes, next.is_cut);
        }
    }

    /// A blank at the beginning continues a line; version 2.1 folds between words and keeps the blank.
    fn join_folds(&mut self, line: &mut TextLine) {
        let keeps_blank = self.card.as_ref().is_some_and(|card| card.is_version_2);
        while let Some(Ok(next)) = self.lines.next_if(is_continuation) {
            let kept = next
                .bytes
                .get(usize::from(!keeps_blank)..)
                .unwrap_or_default();
            append(line, kept, next.is_cut);
        }
    }

    fn take(&mut self, line: &TextLine) {
        let text = line
            .bytes
            .get(..line.bytes.len().min(80))
            .map(|start| decode(start, None));
        let text = text.unwrap_or_default();
        let (name, kind) = text.split_once(':').unwrap_or_default();
        let (name, kind) = (
            name.trim().to_ascii_uppercase(),
            kind.trim().to_ascii_uppercase(),
        );
        match name.as_str() {
            "BEGIN" => self.begin(line.number, kind),
            "END" => self.end(line.number, &kind),
            "AGENT" if kind == "BEGIN:VCARD" && self.card.is_some() => self.agents += 1,
            _ if self.foreign.is_some() => {}
            "FN" if self.agents > 0 => self.agent(line),
            _ if self.agents > 0 => {}
            _ => self.property(line),
        }
    }

    fn begin(&mut self, line: u64, kind: String) {
        if kind == CARD {
            self.foreign = None;
            match self.expects_agent() {
                true => self.agents += 1,
                false => {
                    self.abandon();
                    self.card = Some(Card {
                        line,
                        ..Card::default()
                    });
                }
            }
        } else if self.foreign.is_none() {
            self.ready.push_back(CardPiece::Foreign {
                line,
                kind: kind.clone(),
            });
            self.foreign = Some(kind);
        }
    }

    fn end(&mut self, line: u64, kind: &str) {
        if self.foreign.as_deref() == Some(kind) {
            self.foreign = None;
        } else if kind == CARD {
            self.foreign = None;
            match (self.agents, self.card.take()) {
                (0, Some(card)) => self.ready.push_back(CardPiece::Card(card)),
                (0, None) => self.ready.push_back(CardPiece::StrayEnd { line }),
                (_, mut card) => {
                    self.agents -= 1;
                    card.iter_mut()
                        .for_each(|card| card.leave("cards within cards, but for the name"));
                    self.card = card;
                }
            }
        }
    }

    /// An agent's card stands right after the AGENT without a value, or within another agent's.
    fn expects_agent(&self) -> bool {
        let last = self.card.as_ref().and_then(|card| card.properties.last());
        last.is_some_and(|last| last.name == "AGENT" && last.value.trim().is_empty())
            && self.agents == 0
    }

    /// Of an agent's card the name is kept, as if the AGENT had been written as a text.
    fn agent(&mut self, line: &TextLine) {
        let Some(card) = self.card.as_mut() else {
            return;
        };
        if let Some(mut agent) = CardProperty::parse(&line.bytes, !card.is_version_2) {
            agent.name = "AGENT".to_owned();
            card.add(agent);
        }
    }

    fn property(&mut self, line: &TextLine) {
        let Some(card) = self.card.as_mut() else {
            return;
        };
        match CardProperty::parse(&line.bytes, !card.is_version_2) {
            Some(property) if property.is_embedded() => card.leave(kind_of(&property.name)),
            Some(property) if line.is_cut => {
                if DISPENSABLE
                    .iter()
                    .any(|known| property.name.starts_with(known))
                {
                    card.leave(kind_of(&property.name));
                } else {
                    card.report(format!(
                        "{} on line {} is longer than {LINE_BYTES_MAX} bytes and was left out",
                        shown(&property.name),
                        line.number
                    ));
                }
            }
            Some(property) => card.add(property),
            None if line.bytes.trim_ascii().is_empty() => {}
            None => card.report(format!(
                "line {}, {}, is no property: it has no colon",
                line.number,
                shown(&unescaped(&decode(&line.bytes, None)))
            )),
        }
    }

    /// Gives up on the open card, if there is one.
    fn abandon(&mut self) {
        self.agents = 0;
        if let Some(mut card) = self.card.take() {
            card.fault = Some("it has no END:VCARD".to_owned());
            self.ready.push_back(CardPiece::Card(card));
        }
    }
}

/// What a property is called whose content nothing stores.
pub(super) fn kind_of(name: &str) -> &'static str {
    match name {
        "PHOTO" => "pictures",
        "LOGO" => "logos",
        "SOUND" => "sounds",
        "KEY" => "keys",
        _ => "embedded files",
    }
}

/// What the head of a line says of the lines after it.
#[derive(Default)]
struct PropertyHead {
    is_quoted: bool,
    is_base64: bool,
}

impl PropertyHead {
    fn of(line: &[u8]) -> Self {
        let head = colon_of(line).and_then(|colon| line.get(..colon));
        let head = String::from_utf8_lossy(head.unwrap_or_default()).to_ascii_uppercase();
        let mut parameters = head.split(';').skip(1).map(str::trim);
        Self {
            is_quoted: head.contains("QUOTED-PRINTABLE"),
            is_base64: parameters
                .any(|one| matches!(one, "BASE64" | "ENCODING=BASE64" | "ENCODING=B")),
        }
    }
}

fn append(line: &mut TextLine, bytes: &[u8], is_cut: bool) {
    let room = LINE_BYTES_MAX.saturating_sub(line.bytes.len());
    line.is_cut |= is_cut || bytes.len() > room;
    line.bytes.extend(bytes.iter().take(room));
}

fn is_continuation(line: &io::Result<TextLine>) -> bool {
    line.as_ref()
        .is_ok_and(|line| matches!(line.bytes.first(), Some(b' ' | b'\t')))
}

/// A line of a base64 block as old phones write it, without the leading blank.
fn is_base64(line: &io::Result<TextLine>) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/= \t".contains(byte);
    line.as_ref()
        .is_ok_and(|line| !line.bytes.is_empty() && line.bytes.iter().all(is_digit))
}

fn is_end(line: &[u8]) -> bool {
    line.trim_ascii().eq_ignore_ascii_case(b"END:VCARD")
}

impl<R: BufRead> Iterator for Cards<R> {
    type Item = io::Result<CardPiece>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(Ok(piece));
            }
            if self.is_ended {
                return None;
            }
            match self.next_unfolded() {
                Some(Ok(line)) => self.take(&line),
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.is_ended = true;
                    self.abandon();
                }
            }
        }
    }
}
