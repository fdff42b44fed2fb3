//! The syntax of what stands between `<` and `>` in OFX: where it ends, the name of a tag, the encoding of a header.

use encoding_rs::Encoding;

/// Whether `>` ends the markup that begins with these bytes: comments and CDATA need more than that.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"![CDATA[") {
        return bytes.ends_with(b"]]");
    }
    !bytes.starts_with(b"!--") || (bytes.len() >= 5 && bytes.ends_with(b"--"))
}

/// Whether `next`, after these bytes, can belong to markup; otherwise the `<` was text.
pub(super) fn may_begin_markup(bytes: &[u8], next: u8) -> bool {
    !bytes.is_empty() || next.is_ascii_alphabetic() || matches!(next, b'/' | b'?' | b'!')
}

/// The name of a tag, in capitals and without a prefix; `None` if this is no tag, as in `A<B and C>D`.
pub(super) fn name_of(content: &str) -> Option<String> {
    let content = content.trim_end();
    let (name, attributes) = content
        .split_once(char::is_whitespace)
        .unwrap_or((content, "="));
    let name = name.rsplit_once(':').map_or(name, |(_, name)| name);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '-'));
    (is_name && attributes.contains('=')).then(|| name.to_ascii_uppercase())
}

/// The encoding that a header declares: `CHARSET:1252` in SGML, `encoding="…"` in XML.
pub(super) fn declared_encoding(header: &str) -> Option<&'static Encoding> {
    let header = header.to_ascii_uppercase();
    let label = header
        .lines()
        .find_map(|line| line.trim().strip_prefix("CHARSET:").map(str::trim))
        .or_else(|| header.split_once("ENCODING=")?.1.split(['"', '\'']).nth(1))?;
    let is_code_page = label.len() > 2 && label.bytes().all(|byte| byte.is_ascii_digit());
    match is_code_page {
        true => Encoding::for_label(format!("windows-{label}").as_bytes()),
        false => Encoding::for_label(label.as_bytes()),
    }
}
