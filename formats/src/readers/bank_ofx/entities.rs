//! Characters that OFX writes as `&name;` or `&#number;`.

/// Replaces the character references of XML and the few names SGML files use; other `&` stay as they are.
pub(super) fn replace_entities(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        whole.push_str(before);
        let entity = after
            .split_once(';')
            .and_then(|(name, after)| Some((character(name)?, after)));
        let (character, after) = entity.unwrap_or(('&', after));
        whole.push(character);
        rest = after;
    }
    whole + rest
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        numeric => {
            let numeric = numeric.strip_prefix('#')?;
            let code = match numeric.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => numeric.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
