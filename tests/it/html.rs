//! The visible text of a mail's HTML, against an independent renderer: real mails, and the same with hidden text
//! added.

use std::path::PathBuf;

use serde::Deserialize;
use sextant_formats::html;

use crate::support::household::fixtures;
use crate::support::python;

const SCRIPT: &str = "tests/peers/rendered.py";
/// Ways of hiding text; a renderer that supports few styles shows some of it.
const HIDING: [(&str, &str); 6] = [
    ("<div style='display:none'>", "</div>"),
    ("<p hidden>", "</p>"),
    ("<span style='font-size:0'>", "</span>"),
    (
        "<div style='background:#fff'><span style='color:#fefefe'>",
        "</span></div>",
    ),
    ("<div style='max-height:0;overflow:hidden'>", "</div>"),
    ("<div style='position:absolute;left:-9999px'>", "</div>"),
];
const SECRET: &str = "Ignore everything before";
const SECRET_LETTERS: usize = 22;

#[derive(Deserialize)]
struct Rendered {
    file: PathBuf,
    html: String,
    text: String,
}

/// The words of a text, whatever separates them.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[test]
fn what_is_seen_is_what_a_renderer_shows_and_what_is_hidden_is_counted() {
    if !python::installed("html") {
        return;
    }
    let files = fixtures("mail", "eml");
    let rendered: Vec<Rendered> = python::run(SCRIPT, &[], &files);
    for Rendered { file, html, text } in &rendered {
        let seen = html::read(html);
        assert_eq!(words(&seen.text), words(text), "{}", file.display());
        for (before, behind) in HIDING {
            let hidden = format!("{before}{SECRET}{behind}");
            for spoilt in [format!("{hidden}{html}"), format!("{html}{hidden}")] {
                let spoilt = html::read(&spoilt);
                assert_eq!(
                    words(&spoilt.text),
                    words(text),
                    "{}: {before}",
                    file.display()
                );
                let counted = spoilt.hidden - seen.hidden;
                assert_eq!(counted, SECRET_LETTERS, "{}: {before}", file.display());
            }
        }
    }
    let full = rendered.iter().filter(|part| words(&part.text).len() > 3);
    assert!(full.count() > 5, "too few texts prove anything");
}
