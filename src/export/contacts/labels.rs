//! The label of an address or number: the standard's own types as TYPE, any other as `X-ABLabel` in a group with it, as Apple's and
//! Google's address books do.

use serde_json::Value;

use crate::export::content_line::ContentLine;
use crate::export::document::text;

/// The words of a label, and the standard's TYPE for each.
const STANDARD_TYPES: [(&str, &str); 6] = [
    ("home", "HOME"),
    ("work", "WORK"),
    ("mobile", "CELL"),
    ("fax", "FAX"),
    ("pager", "PAGER"),
    ("car", "CAR"),
];

/// Numbers the groups of a card: one for each property with a custom label.
#[derive(Default)]
pub(super) struct Numbering(u32);

/// Writes a property with its label; `value` is escaped already.
pub(super) fn write_labelled(
    name: &str,
    types: &[&str],
    of: &Value,
    numbering: &mut Numbering,
    value: &str,
    out: &mut Vec<u8>,
) {
    let label = text(of, "label");
    // Without a label there is no type.
    let standard = label.map(standard_types).unwrap_or_default();
    let own = label.filter(|_| standard.is_empty());
    let group = own.map(|_| {
        numbering.0 += 1;
        format!("item{}.", numbering.0)
    });
    // A line without a label of its own is in no group.
    let group = group.unwrap_or_default();
    let types: Vec<&str> = types.iter().copied().chain(standard).collect();
    let mut line = ContentLine::new(&format!("{group}{name}"));
    for kind in types {
        line = line.with("TYPE", kind);
    }
    line.value(value, out);
    if let Some(own) = own {
        ContentLine::new(&format!("{group}X-ABLabel")).text(own, out);
    }
}

/// The types of a label's words, if the standard has all of them.
fn standard_types(label: &str) -> Vec<&'static str> {
    let words = label.split(' ').map(|word| {
        let found = STANDARD_TYPES.iter().find(|(plain, _)| *plain == word);
        found.map(|(_, kind)| *kind)
    });
    // Otherwise the label is written as `X-ABLabel`.
    words.collect::<Option<Vec<_>>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn known_words_are_types_and_others_labels() {
        let mut numbering = Numbering::default();
        let mut out = Vec::new();
        for label in ["work fax", "Ferienhaus", "mobile"] {
            write_labelled(
                "TEL",
                &[],
                &json!({ "label": label }),
                &mut numbering,
                "1",
                &mut out,
            );
        }
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "TEL;TYPE=WORK;TYPE=FAX:1\r\nitem1.TEL:1\r\nitem1.X-ABLabel:Ferienhaus\r\nTEL;TYPE=CELL:1\r\n"
        );
    }
}
