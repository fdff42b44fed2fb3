//! The visible text of an HTML text, and how many letters are hidden.
//!
//! All HTML becomes text here. Hidden text is written for machines, to fill a preview or to instruct an agent, so it is
//! dropped and its letters are counted. Scripts, styles, comments, titles and templates are no text and are not counted.
//! Text that only a style sheet hides is kept, because style sheets are not read: nothing that a browser shows is dropped.
//! The tree is the one that browsers build, so that malformed HTML is read as browsers read it. Pure.
//!
//! | file | what it knows |
//! |---|---|
//! | `parser` | a text to its tree, of bounded size |
//! | `tree` | the nodes of a tree |
//! | `style` | the declarations of a `style` attribute |
//! | `colour` | colours, and which are alike |
//! | `look` | what an element's attributes make of how its text looks |
//! | `words` | how visible text is written down |

mod colour;
mod look;
mod parser;
mod style;
mod tree;
mod words;

use self::look::Look;
use self::tree::Content;
use self::words::VisibleText;

/// Elements whose content is no text of the page.
const MACHINERY: [&str; 13] = [
    "head",
    "script",
    "style",
    "title",
    "template",
    "noframes",
    "noembed",
    "iframe",
    "desc",
    "defs",
    "metadata",
    "annotation",
    "datalist",
];

/// The visible text of an HTML text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderedText {
    /// The visible text, lines and blanks as a browser lays them out.
    pub text: String,
    /// The number of letters of hidden text.
    pub hidden: usize,
    /// Whether the HTML was too long and only its beginning was read.
    pub is_cut: bool,
}

impl RenderedText {
    /// The text, after a mark that says how many letters were dropped, if any were.
    pub fn into_marked_text(self) -> String {
        match mark(self.hidden) {
            Some(mark) if self.text.is_empty() => mark,
            Some(mark) => format!("{mark}\n{}", self.text),
            None => self.text,
        }
    }
}

/// The mark before a text of which `hidden` letters were dropped; `None` for 0.
pub fn mark(hidden: usize) -> Option<String> {
    (hidden > 0).then(|| format!("[hidden text dropped: {hidden} characters]"))
}

/// Extracts the visible text of an HTML text.
pub fn read(html: &str) -> RenderedText {
    let tree = parser::parse(html);
    let mut words = VisibleText::default();
    let mut hidden = 0;
    let mut steps = vec![Visit::Enter(tree::ROOT, Look::default())];
    while let Some(step) = steps.pop() {
        let (index, look) = match step {
            Visit::Enter(index, look) => (index, look),
            Visit::Leave(index) => {
                words.leave(tree.name(index));
                continue;
            }
        };
        let inner = match tree.content(index) {
            Content::Text(text) if look.is_seen() => {
                words.add(text, look.is_preformatted);
                continue;
            }
            Content::Text(text) => {
                hidden += text.chars().filter(|letter| is_letter(*letter)).count();
                continue;
            }
            Content::Element(element) if MACHINERY.contains(&element.name.as_str()) => continue,
            Content::Element(element) => look.within(element, tree.is_quirky),
            Content::Nothing => look,
        };
        if inner.is_seen() {
            words.enter(tree.name(index));
        }
        steps.extend(inner.is_seen().then_some(Visit::Leave(index)));
        let children = tree.children(index).iter().rev();
        steps.extend(children.map(|child| Visit::Enter(*child, inner)));
    }
    RenderedText {
        text: words.finish(),
        hidden,
        is_cut: tree.is_cut,
    }
}

enum Visit {
    Enter(usize, Look),
    Leave(usize),
}

/// Whether it would be read: mails fill their previews with what takes no room.
fn is_letter(letter: char) -> bool {
    let takes_no_room = matches!(
        letter,
        '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    !letter.is_whitespace() && !letter.is_control() && !takes_no_room
}

#[cfg(test)]
mod tests;
