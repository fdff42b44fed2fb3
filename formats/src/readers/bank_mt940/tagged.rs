//! Details that name their parts: `/EREF/…/NAME/…`, and `EREF+…SVWZ+…` within a purpose.

/// What a named part is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
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
const SLASHED: [(&str, Part); 20] = [
    ("TRTP", Part::Title),
    ("TRCD", Part::Other),
    ("EREF", Part::Reference),
    ("PREF", Part::Other),
    ("MARF", Part::Other),
    ("CSID", Part::Other),
    ("IBAN", Part::Account),
    ("BIC", Part::Other),
    ("NAME", Part::Name),
    ("CNTP", Part::Counterparty),
    ("REMI", Part::Purpose),
    ("ORDP", Part::Other),
    ("BENM", Part::Other),
    ("ADDR", Part::Other),
    ("ISDT", Part::Other),
    ("PURP", Part::Other),
    ("RTRN", Part::Other),
    ("ULTB", Part::Other),
    ("ULTC", Part::Other),
    ("ULTD", Part::Other),
];

/// The names before a plus, as German banks write them (Deutsche Kreditwirtschaft, DFÜ agreement, appendix 3).
const WITH_PLUS: [(&str, Part); 12] = [
    ("EREF", Part::Reference),
    ("KREF", Part::Other),
    ("MREF", Part::Other),
    ("CRED", Part::Other),
    ("DEBT", Part::Other),
    ("COAM", Part::Other),
    ("OAMT", Part::Other),
    ("SVWZ", Part::Purpose),
    ("ABWA", Part::Other),
    ("ABWE", Part::Other),
    ("IBAN", Part::Account),
    ("BIC", Part::Other),
];

/// How a bank writes that a purpose is words, or a reference of the payee's.
const PURPOSE_KINDS: [&str; 2] = ["USTD/", "STRD/"];

/// The parts of a text that begins with one; empty when it does not.
pub(super) fn slashed(text: &str) -> Vec<(Part, String)> {
    let parts = parts(text, &SLASHED, |name| format!("/{name}/"));
    let tidy = |(part, value): (Part, &str)| {
        let value = value.trim_matches('/');
        let kind = PURPOSE_KINDS
            .iter()
            .find_map(|kind| value.strip_prefix(kind));
        let value = match part {
            Part::Purpose => kind.unwrap_or(value),
            _ => value,
        };
        (part, value.trim_matches('/').to_owned())
    };
    parts.into_iter().map(tidy).collect()
}

/// The same of a purpose.
pub(super) fn with_plus(text: &str) -> Vec<(Part, String)> {
    let parts = parts(text, &WITH_PLUS, |name| format!("{name}+"));
    let owned = |(part, value): (Part, &str)| (part, value.to_owned());
    parts.into_iter().map(owned).collect()
}

/// The parts in their order. Nothing, unless the text begins with the first.
fn parts<'a>(
    text: &'a str,
    names: &[(&str, Part)],
    written: impl Fn(&str) -> String,
) -> Vec<(Part, &'a str)> {
    let mut found: Vec<(usize, usize, Part)> = names
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
