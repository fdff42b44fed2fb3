//! What an element's attributes make of how its text looks, as far as it decides whether the text is seen.

use super::colour::Colour;
use super::style::{Style, length};
use super::tree::HtmlElement;
use super::words::is_block;

/// Content this many pixels left of the page or above it cannot be scrolled to.
const OUTSIDE_PIXELS: f64 = 999.0;
/// Elements that have colours of their own.
const COLOURED: [&str; 6] = ["mark", "button", "input", "select", "textarea", "option"];
const DISPLAYS: [&str; 19] = [
    "none",
    "block",
    "inline",
    "inline-block",
    "flex",
    "inline-flex",
    "grid",
    "inline-grid",
    "list-item",
    "flow-root",
    "table",
    "inline-table",
    "table-row",
    "table-cell",
    "table-row-group",
    "table-caption",
    "contents",
    "initial",
    "inherit",
];
/// Those of which width and height hold.
const BOXES: [&str; 8] = [
    "block",
    "inline-block",
    "flex",
    "inline-flex",
    "grid",
    "inline-grid",
    "list-item",
    "flow-root",
];

/// How the text within an element looks. Whatever is not known is taken to be seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    /// Nothing within can be seen, whatever it says of itself.
    is_gone: bool,
    is_invisible: bool,
    has_no_size: bool,
    /// The colour of the text, if an attribute gave it.
    colour: Option<Colour>,
    /// The colour behind it, if an attribute gave it.
    behind: Option<Colour>,
    pub(super) is_preformatted: bool,
}

impl Look {
    pub(super) fn is_seen(&self) -> bool {
        let is_covered = match (self.colour, self.behind) {
            (Some(Colour::Clear), _) => true,
            (Some(colour), Some(behind)) => colour.is_like(behind),
            _ => false,
        };
        !(self.is_gone || self.is_invisible || self.has_no_size || is_covered)
    }

    /// How the text within `element` looks, which stands in text that looks so.
    pub(super) fn within(self, element: &HtmlElement, is_quirky: bool) -> Self {
        let style = Style::parse(element.attribute("style").unwrap_or_default());
        let mut look = self;
        look.is_gone |= is_gone(element, &style);
        let visibility = style.last("visibility", |value| match value {
            "hidden" | "collapse" => Some(true),
            "visible" | "initial" => Some(false),
            _ => None,
        });
        look.is_invisible = visibility.unwrap_or(self.is_invisible);
        if element.name == "table" && is_quirky {
            look.has_no_size = false;
            look.colour = None;
        }
        look.has_no_size = size(&style).unwrap_or(look.has_no_size);
        look.paint(element, &style);
        look.is_preformatted =
            match style.last("white-space", |value| Some(value.starts_with("pre"))) {
                Some(is_preformatted) => is_preformatted,
                None => {
                    self.is_preformatted
                        || matches!(element.name.as_str(), "pre" | "textarea" | "listing")
                }
            };
        look
    }

    fn paint(&mut self, element: &HtmlElement, style: &Style) {
        let is_link = element.name == "a" && element.attribute("href").is_some();
        if is_link || COLOURED.contains(&element.name.as_str()) {
            self.colour = None;
        }
        let own = match element.name.as_str() {
            "font" => element.attribute("color"),
            "body" => element.attribute("text"),
            _ => None,
        };
        if let Some(colour) = own {
            self.colour = Colour::parse(colour);
        }
        if let Some(colour) = style.last("color", |value| {
            (value != "inherit").then(|| Colour::parse(value))
        }) {
            self.colour = colour;
        }
        if COLOURED.contains(&element.name.as_str()) || element.attribute("background").is_some() {
            self.behind = None;
        }
        if let Some(colour) = element.attribute("bgcolor") {
            self.behind = Colour::parse(colour);
        }
        for name in ["background", "background-color", "background-image"] {
            if let Some(colour) = style.last(name, |value| Some(Colour::parse(value)))
                && colour != Some(Colour::Clear)
            {
                self.behind = colour;
            }
        }
        // A colour may be drawn through the letters, and a shadow around them.
        if style.has("background-clip", |value| value == "text")
            || style.has("-webkit-background-clip", |value| value == "text")
            || style.has("text-shadow", |value| value != "none")
        {
            self.colour = None;
        }
    }
}

fn is_gone(element: &HtmlElement, style: &Style) -> bool {
    let display = style.last("display", |value| {
        DISPLAYS.iter().find(|known| **known == value)
    });
    let is_undisplayed = match display {
        Some(display) => *display == "none",
        None => {
            let is_closed = element.name == "dialog" && element.attribute("open").is_none();
            is_closed || element.attribute("hidden").is_some()
        }
    };
    let opacity = style.last("opacity", |value| {
        let number: f64 = value.trim_end_matches('%').parse().ok()?;
        Some(number)
    });
    let display = display.copied();
    is_undisplayed
        || opacity.is_some_and(|opacity| opacity <= 0.0)
        || is_outside(style)
        || is_squeezed(element, style, display)
}

/// Whether it is positioned outside the page, or clipped to nothing.
fn is_outside(style: &Style) -> bool {
    let is_taken_out = is_taken_out(style);
    let is_beyond = |name: &str| {
        let length = style.length(name);
        length.is_some_and(|pixels| pixels <= -OUTSIDE_PIXELS)
    };
    let is_clipped = style.has("clip", |value| {
        let inner = value
            .strip_prefix("rect(")
            .and_then(|value| value.strip_suffix(')'));
        inner.is_some_and(|inner| {
            let mut words = inner.split([',', ' ']).filter(|word| !word.is_empty());
            words.all(|word| length(word).is_some_and(|length| length.number == 0.0))
        })
    });
    is_taken_out && (is_beyond("left") || is_beyond("top") || is_clipped)
}

fn is_taken_out(style: &Style) -> bool {
    let position = style.last("position", |value| match value {
        "absolute" | "fixed" => Some(true),
        "static" | "relative" | "sticky" => Some(false),
        _ => None,
    });
    position == Some(true)
}

/// A box of no width or no height whose overflow is not shown.
fn is_squeezed(element: &HtmlElement, style: &Style, display: Option<&str>) -> bool {
    let floats = style.has("float", |value| matches!(value, "left" | "right"));
    let is_box = match display {
        Some(display) => BOXES.contains(&display),
        None => is_block(&element.name) || floats || is_taken_out(style),
    };
    let clips = |name: &str| {
        let is_clip = |word: &str| matches!(word, "hidden" | "clip" | "scroll" | "auto");
        let clip = style.last(name, |value| Some(value.split_whitespace().all(is_clip)));
        clip == Some(true)
    };
    let is_zero = |name: &str| style.length(name) == Some(0.0);
    let is_more = |name: &str| style.length(name).is_some_and(|pixels| pixels > 0.0);
    let is_flat = (is_zero("height") || is_zero("max-height")) && !is_more("min-height");
    let is_narrow = (is_zero("width") || is_zero("max-width")) && !is_more("min-width");
    is_box && clips("overflow") && (is_flat || is_narrow) && !style.is_roomy("padding")
}

/// Whether the letters have no size; a part of no size is none either.
fn size(style: &Style) -> Option<bool> {
    let own = style.last("font-size", |value| match length(value) {
        Some(length) if length.number == 0.0 => Some(Some(true)),
        Some(length) if length.is_relative => Some(None),
        Some(_) => Some(Some(false)),
        None => match value {
            "larger" | "smaller" | "inherit" => Some(None),
            word if word.ends_with("small") || word.ends_with("large") || word == "medium" => {
                Some(Some(false))
            }
            _ => None,
        },
    });
    let short = || {
        style.last("font", |value| {
            let words = value.split_whitespace();
            let mut sizes = words.filter_map(|word| word.split('/').next());
            let is_size =
                |word: &&str| *word == "0" || word.ends_with(|last: char| !last.is_ascii_digit());
            let size = sizes.find_map(|word| length(word).filter(|_| is_size(&word)))?;
            Some((!size.is_relative || size.number == 0.0).then_some(size.number == 0.0))
        })
    };
    own.or_else(short).flatten()
}
