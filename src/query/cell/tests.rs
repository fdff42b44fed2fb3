use super::*;
use serde_json::json;

fn column(kind: Kind) -> AnswerColumn<'static> {
    AnswerColumn {
        name: "field",
        kind,
        untrusted: true,
        is_html: false,
    }
}

#[test]
fn of_html_only_what_is_seen_is_shown_clipped_or_not() {
    let column = AnswerColumn {
        is_html: true,
        ..column(Kind::Text)
    };
    let html = json!("<p hidden>abc</p><style>x</style><p>Hello &amp; on</p>");
    let show_in = |text_chars| DisplayOptions {
        text_chars,
        nonce: "n",
    };
    let whole = "[hidden text dropped: 3 characters]\nHello & on";
    assert_eq!(*show(&html, &column, show_in(None)), whole);
    let clipped = format!("[hidden text dropped: 3 characters]\nHel{}", text::CLIPPED);
    assert_eq!(*show(&html, &column, show_in(Some(39))), clipped);
    let within = format!("[hidden text dropped: 2 characters]{}", text::CLIPPED);
    assert_eq!(*show(&html, &column, show_in(Some(12))), within);
}

#[test]
fn decimals_keep_their_digits() {
    assert_eq!(digits("-12.5000".into()).to_string(), "-12.5000");
    assert_eq!(
        digits("123456789012345.6789".into()).to_string(),
        "123456789012345.6789"
    );
    assert_eq!(digits("NaN".into()), Value::Null);
}

#[test]
fn long_lists_keep_whole_elements() {
    let people = json!([{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}]);
    let show_in = |chars| DisplayOptions {
        text_chars: Some(chars),
        nonce: "n",
    };
    assert_eq!(*show(&people, &column(Kind::Json), show_in(100)), people);
    let clipped = show(&people, &column(Kind::Json), show_in(20));
    assert_eq!(*clipped, json!([{"name": "Ann"}, text::CLIPPED]));
}

#[test]
fn a_clipped_text_is_marked_however_much_of_it_was_removed() {
    let hidden = json!("\u{200b}".repeat(50) + "seen");
    let clipped = show(
        &hidden,
        &column(Kind::Text),
        DisplayOptions {
            text_chars: Some(20),
            nonce: "n",
        },
    );
    assert_eq!(*clipped, text::CLIPPED);
}

#[test]
fn what_others_wrote_is_cleaned_inside_of_json_too() {
    let value = json!({"na\u{200b}me": ["x\u{202e}y"]});
    let shown = show(
        &value,
        &column(Kind::Json),
        DisplayOptions {
            text_chars: None,
            nonce: "n",
        },
    );
    assert_eq!(*shown, json!({"name": ["xy"]}));
}
