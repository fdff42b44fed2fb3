//! Details that name their parts: `/EREF/…/NAME/…`, and `EREF+…SVWZ+…` within a purpose.

/// What a named part is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DetailPart {
    Title,
    Purpose,
    Name,
    Account,
    /// `IBAN/BIC/name/place`.
    Counterparty,
    Reference,
    /// Known, and of no use here.
    Other,
}

/// The names between slashes, as Dutch and Belgian banks write them.
const SLASHED: [(&str, DetailPart); 20] = [
    ("TRTP", DetailPart::Title),
    ("TRCD", DetailPart::Other),
    ("EREF", DetailPart::Reference),
    ("PREF", DetailPart::Other),
    ("MARF", DetailPart::Other),
    ("CSID", DetailPart::Other),
    ("IBAN", DetailPart::Account),
    ("BIC", DetailPart::Other),
    ("NAME", DetailPart::Name),
    ("CNTP", DetailPart::Counterparty),
    ("REMI", DetailPart::Purpose),
    ("ORDP", DetailPart::Other),
    ("BENM", DetailPart::Other),
    ("ADDR", DetailPart::Other),
    ("ISDT", DetailPart::Other),
    ("PURP", DetailPart::Other),
    ("RTRN", DetailPart::Other),
    ("ULTB", DetailPart::Other),
    ("ULTC", DetailPart::Other),
    ("ULTD", DetailPart::Other),
];

/// The names before a plus, as German banks write them (Deutsche Kreditwirtschaft, DFÜ agreement, appendix 3).
const WITH_PLUS: [(&str, DetailPart); 13] = [
    ("EREF", DetailPart::Reference),
    ("KREF", DetailPart::Other),
    ("MREF", DetailPart::Other),
    ("CRED", DetailPart::Other),
    ("DEBT", DetailPart::Other),
    ("COAM", DetailPart::Other),
    ("OAMT", DetailPart::Other),
    ("PURP", DetailPart::Other),
    ("SVWZ", DetailPart::Purpose),
    ("ABWA", DetailPart::Other),
    ("ABWE", DetailPart::Other),
    ("IBAN", DetailPart::Account),
    ("BIC", DetailPart::Other),
];

/// How a bank writes that a purpose is words, or a reference of the payee's.
const PURPOSE_KINDS: [&str; 2] = ["USTD/", "STRD/"];

/// The parts of a text that begins with one; empty when it does not.
pub(super) fn slashed(text: &str) -> Vec<(DetailPart, String)> {
    let parts = parts(text, &SLASHED, |name| format!("/{name}/"));
    let tidy = |(part, value): (DetailPart, &str)| {
        let value = value.trim_matches('/');
        let kind = PURPOSE_KINDS
            .iter()
            .find_map(|kind| value.strip_prefix(kind));
        let value = match part {
            DetailPart::Purpose => kind.unwrap_or(value),
            _ => value,
        };
        (part, value.trim_matches('/').to_owned())
    };
    parts.into_iter().map(tidy).collect()
}

/// The same of a purpose.
pub(super) fn with_plus(text: &str) -> Vec<(DetailPart, String)> {
    let parts = parts(text, &WITH_PLUS, |name| format!("{name}+"));
    let owned = |(part, value): (DetailPart, &str)| (part, value.to_owned());
    parts.into_iter().map(owned).collect()
}

/// The parts in their order. Nothing, unless the text begins with the first.
fn parts<'a>(
    text: &'a str,
    names: &[(&str, DetailPart)],
    written: impl Fn(&str) -> String,
) -> Vec<(DetailPart, &'a str)> {
    let mut found: Vec<(usize, usize, DetailPart)> = names
        .iter()
        .flat_map(|(name, part)| {
            let written = written(name);
            let places = text.match_indices(&written).map(|(at, _)| at);
            places
                .map(|at| (at, at + written.len(), *part))
                .collect::<Vec<_>>()
        })
        .collect();
    found.sort_by_key(|(at, ..)| *at);
    if found.first().is_none_or(|(at, ..)| *at != 0) {
        return Vec::new();
    }
    let ends = found.iter().skip(1).map(|(at, ..)| *at);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    found
        .iter()
        .zip(ends)
        // Two names may share the slash between them; what lies between is nothing then.
        .map(|((_, begin, part), end)| (*part, text.get(*begin..end).unwrap_or_default()))
        .collect()
}
