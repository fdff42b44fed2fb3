//! Tags to the parts of statements, one at a time and each within a limit.

use std::io::{self, BufRead};

use quick_xml::escape::unescape;
use quick_xml::events::BytesStart;

use super::node::CamtNode;
use crate::readers::markup::{Markup, MarkupContent, Scanner, TEXT_BYTES_MAX};

/// Elements of one entry: a batch of some thousand payments.
const NODES_MAX: usize = 200_000;
/// Elements that may stand in one another.
const NESTING_MAX: usize = 64;
/// How far into a file the message is looked for.
const HEAD_BYTES_MAX: u64 = 64 * 1024;

/// The elements that are statements, and what holds them: of camt.052, .053 and .054.
const STATEMENTS: [(&str, &str); 3] = [
    ("Rpt", "BkToCstmrAcctRpt"),
    ("Stmt", "BkToCstmrStmt"),
    ("Ntfctn", "BkToCstmrDbtCdtNtfctn"),
];
const ROOT: &str = "Document";
const ENTRY: &str = "Ntry";
/// The parts of a statement that say whose it is, what there is, and when it was made.
const HEADS: [&str; 3] = ["Acct", "Bal", "CreDtTm"];
/// What a message says of all of its statements: when they were made.
const GROUP: &str = "GrpHdr";

/// A part of a statement.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CamtItem {
    /// One begins.
    Statement { line: u64 },
    /// Its account, one of its balances, or when it was made; before the first, when all were.
    Head(CamtNode),
    /// An entry, or why it cannot be read.
    Entry {
        line: u64,
        node: Result<CamtNode, String>,
    },
}

/// Whether it is such a message, perhaps in an envelope.
pub(super) fn is_message(mut reader: impl BufRead) -> io::Result<bool> {
    let head = reader.fill_buf()?;
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    if !head.trim_ascii_start().starts_with(b"<") {
        return Ok(false);
    }
    let mut parent = String::new();
    for markup in Scanner::new(reader.take(HEAD_BYTES_MAX)) {
        if let MarkupContent::Start(tag) = markup?.content {
            let name = local_name(&tag);
            if parent == ROOT && STATEMENTS.iter().any(|(_, held)| *held == name) {
                return Ok(true);
            }
            name.clone_into(&mut parent);
        }
    }
    Ok(false)
}

/// Iterates over the parts of all statements. Ends with an error if the file ends before its root does.
pub(super) struct CamtItems<R> {
    markup: Scanner<R>,
    /// Names of what is open.
    path: Vec<String>,
    is_over: bool,
}

impl<R: BufRead> CamtItems<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            markup: Scanner::new(reader),
            path: Vec::new(),
            is_over: false,
        }
    }

    fn read(&mut self) -> io::Result<Option<CamtItem>> {
        loop {
            let Some(markup) = self.markup.next().transpose()? else {
                return match self.path.is_empty() {
                    true => Ok(None),
                    false => Err(cut_off()),
                };
            };
            if let Some(item) = self.read_markup(markup)? {
                return Ok(Some(item));
            }
        }
    }

    fn read_markup(&mut self, markup: Markup) -> io::Result<Option<CamtItem>> {
        let line = markup.line;
        match markup.content {
            MarkupContent::Start(tag) => self.begin(line, &tag),
            MarkupContent::End(name) => {
                // An end without a beginning is passed over.
                if self.path.last().map(String::as_str) == Some(local_name(&name)) {
                    self.path.pop();
                }
                Ok(None)
            }
            MarkupContent::Text(_) => Ok(None),
            MarkupContent::Broken(_, fault) => Err(broken(&fault.reason())),
        }
    }

    fn begin(&mut self, line: u64, tag: &str) -> io::Result<Option<CamtItem>> {
        let name = local_name(tag).to_owned();
        let parent = self.path.last().map(String::as_str).unwrap_or_default();
        let begins = STATEMENTS.contains(&(&*name, parent));
        let is_in_statement = STATEMENTS.iter().any(|(statement, _)| *statement == parent);
        if is_in_statement && name == ENTRY {
            let node = self.node(tag)?;
            return Ok(Some(CamtItem::Entry { line, node }));
        }
        if (is_in_statement || parent == GROUP) && HEADS.contains(&&*name) {
            return Ok(self.node(tag)?.ok().map(CamtItem::Head));
        }
        if !is_empty(tag) {
            if self.path.len() >= NESTING_MAX {
                return Err(broken("its elements stand too deep in one another"));
            }
            self.path.push(name);
        }
        Ok(begins.then_some(CamtItem::Statement { line }))
    }

    /// The whole element that begins with this tag, or why there is none.
    fn node(&mut self, tag: &str) -> io::Result<Result<CamtNode, String>> {
        let mut open = OpenNodes::new(tag);
        while !open.is_done() {
            let Some(markup) = self.markup.next().transpose()? else {
                return Err(cut_off());
            };
            match markup.content {
                MarkupContent::Start(tag) => open.begin(&tag),
                MarkupContent::End(_) => open.end(),
                MarkupContent::Text(text) => open.add_text(&text),
                MarkupContent::Broken(_, fault) => return Err(broken(&fault.reason())),
            }
        }
        Ok(open.finish())
    }
}

impl<R: BufRead> Iterator for CamtItems<R> {
    type Item = io::Result<CamtItem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let item = self.read().transpose();
        self.is_over = !matches!(item, Some(Ok(_)));
        item
    }
}

/// Elements in one another, of which the first is not at its end.
struct OpenNodes {
    open: Vec<CamtNode>,
    done: Option<CamtNode>,
    /// How many there were.
    nodes: usize,
    /// How many are open within what is not kept.
    skipped: usize,
    fault: Option<String>,
}

impl OpenNodes {
    fn new(tag: &str) -> Self {
        let mut own = Self {
            open: Vec::new(),
            done: None,
            nodes: 0,
            skipped: 0,
            fault: None,
        };
        own.begin(tag);
        own
    }

    const fn is_done(&self) -> bool {
        self.done.is_some()
    }

    fn begin(&mut self, tag: &str) {
        self.nodes += 1;
        let has_room = self.nodes <= NODES_MAX && self.open.len() < NESTING_MAX;
        if self.skipped > 0 || !has_room {
            self.fault.get_or_insert_with(|| {
                format!("it holds more than {NODES_MAX} elements, or more than {NESTING_MAX} in one another")
            });
            self.skipped += usize::from(!is_empty(tag));
            return;
        }
        self.open
            .push(CamtNode::new(local_name(tag), currency_of(tag)));
        if is_empty(tag) {
            self.end();
        }
    }

    fn end(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let ended = self.open.pop();
        match (self.open.last_mut(), ended) {
            (Some(parent), Some(ended)) => parent.add_child(ended),
            (None, ended) => self.done = ended,
            (Some(_), None) => {}
        }
    }

    fn add_text(&mut self, raw: &str) {
        let text = unescape(raw);
        match (text, self.open.last_mut()) {
            (Ok(text), Some(open)) if raw.len() < TEXT_BYTES_MAX => open.add_text(&text),
            (Ok(_), _) => {
                self.fault.get_or_insert_with(|| {
                    format!("a text in it is longer than {TEXT_BYTES_MAX} bytes")
                });
            }
            (Err(error), _) => {
                self.fault
                    .get_or_insert_with(|| format!("a text in it cannot be read: {error}"));
            }
        }
    }

    fn finish(self) -> Result<CamtNode, String> {
        match (self.fault, self.done) {
            (None, Some(node)) => Ok(node),
            (fault, _) => Err(fault.unwrap_or_else(|| "it does not end".to_owned())),
        }
    }
}

/// The name of a tag, or of its end, without its namespace.
fn local_name(tag: &str) -> &str {
    let end = tag.find(|char: char| char.is_whitespace() || char == '/');
    let name = tag.get(..end.unwrap_or(tag.len())).unwrap_or_default();
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Whether nothing stands in it, so that no tag ends it.
fn is_empty(tag: &str) -> bool {
    tag.trim_end().ends_with('/')
}

fn currency_of(tag: &str) -> Option<String> {
    let name_bytes = tag.find(char::is_whitespace)?;
    let content = tag.trim_end().trim_end_matches('/');
    let start = BytesStart::from_content(content, name_bytes);
    let attribute = start.try_get_attribute("Ccy").ok()??;
    Some(attribute.value.into_owned())
}

fn cut_off() -> io::Error {
    broken("the file ends before its root does")
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
