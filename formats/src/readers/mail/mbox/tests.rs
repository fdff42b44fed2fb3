//! Where messages of a mailbox begin and end.

use super::*;

fn messages(text: &str) -> Vec<(u64, String)> {
    let lines = MailLines::new(text.as_bytes()).unwrap();
    let messages = MboxMessages::begin(lines).unwrap().unwrap();
    messages
        .map(|message| message.unwrap())
        .map(|message| (message.line, String::from_utf8(message.held.bytes).unwrap()))
        .collect()
}

const FROM: &str = "From ann@example.com Sat Nov 21 06:44:56 2026";

#[test]
fn messages_end_where_the_next_begins_and_the_last_needs_no_end() {
    for end in ["\n", "\r\n"] {
        let text = format!("{FROM}\nA: 1\n\nx\n\n{FROM}\nA: 2\n\ny").replace('\n', end);
        let expected = ["A: 1\n\nx\n", "A: 2\n\ny"].map(|text| text.replace('\n', end));
        let found = messages(&text);
        assert_eq!(found[0], (1, expected[0].clone()));
        assert_eq!(found[1], (6, expected[1].clone()));
    }
}

#[test]
fn a_from_in_a_text_is_no_separator() {
    let texts = [
        "x\nFrom ann Sat Nov 21 06:44:56 2026\nA: 1\n",
        "\nFrom here it goes on: at 10:30 in 2026\nwe met\n",
        "\nFrom here on\nNote: all is well\n",
    ];
    for text in texts {
        let whole = format!("{FROM}\nA: 1\n\n{text}");
        assert_eq!(messages(&whole), [(1, format!("A: 1\n\n{text}"))]);
    }
}

#[test]
fn a_separator_that_nothing_else_can_be_needs_no_empty_line() {
    let text = format!("{FROM}\nA: 1\n\nx\n{FROM}\nReturn-Path: <a@b>\n\ny\n");
    let whole: Vec<_> = messages(&text).into_iter().map(|(_, text)| text).collect();
    assert_eq!(whole, ["A: 1\n\nx\n", "Return-Path: <a@b>\n\ny\n"]);
    for near in [
        "From ann at noon\nDate: 1\n",
        ">From ann@b.c Sat Nov 21 06:44:56 2026\nDate: 1\n",
    ] {
        assert_eq!(messages(&format!("{FROM}\nA: 1\n\nx\n{near}")).len(), 1);
    }
}

#[test]
fn quoted_lines_lose_one_mark() {
    let text = format!("{FROM}\nA: 1\n\n>From x\n>>From y\n> From z\n>Fromage\n");
    let expected = "A: 1\n\nFrom x\n>From y\n> From z\n>Fromage\n";
    assert_eq!(messages(&text)[0].1, expected);
}

#[test]
fn a_separator_may_be_bare() {
    let text = "From \r\nA: 1\r\n\r\nx\r\n\r\nFrom \r\nA: 2\r\n\r\ny\r\n";
    assert_eq!(messages(text).len(), 2);
}

#[test]
fn a_length_that_is_right_holds_separators_and_a_wrong_one_holds_nothing() {
    let inner = format!("x\n\n{FROM}\nB: 2\n\n>From y\n");
    for (length, count) in [(inner.len(), 2), (inner.len() + 2, 3), (3, 3), (9999, 3)] {
        let text = format!("{FROM}\nContent-Length: {length}\n\n{inner}\n{FROM}\nC: 3\n\nz\n");
        let found = messages(&text);
        assert_eq!(found.len(), count, "{length}: {found:?}");
        if count == 2 {
            assert!(found[0].1.ends_with(&inner), "{found:?}");
        }
    }
}

#[test]
fn a_message_may_be_empty() {
    let text = format!("{FROM}\n\n{FROM}\nA: 1\n\n");
    assert_eq!(messages(&text).len(), 2);
}
