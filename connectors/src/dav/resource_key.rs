//! A resource's key: its path, whatever host served it and however the path is written.

use reqwest::Url;

use crate::digest_key::within_limit;

/// The key of the resource at an address: its path with each escaped character as itself, but for `/` and `%`, which would mean
/// something else unescaped. A path that is no text stays as it is written.
pub(super) fn resource_key(address: &Url) -> String {
    let path = address.path();
    let path = match path.strip_suffix('/') {
        None | Some("") => path,
        Some(path) => path,
    };
    within_limit(decode(path).unwrap_or_else(|| path.to_owned()))
}

fn decode(path: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match escaped(*byte, after) {
            Some((kept @ (b'/' | b'%'), after)) => {
                decoded.extend(format!("%{kept:02X}").into_bytes());
                rest = after;
            }
            Some((plain, after)) => {
                decoded.push(plain);
                rest = after;
            }
            None if *byte == b'%' => decoded.extend(b"%25"),
            None => decoded.push(*byte),
        }
    }
    String::from_utf8(decoded).ok()
}

/// The byte that `%` and two digits stand for, and what follows them.
fn escaped(byte: u8, after: &[u8]) -> Option<(u8, &[u8])> {
    let (digits, rest) = after.split_first_chunk::<2>()?;
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    let value = u8::try_from(high? * 16 + low?).ok()?;
    (byte == b'%').then_some((value, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::limits::KEY_BYTES_MAX;

    fn key(address: &str) -> String {
        resource_key(&Url::parse(address).unwrap())
    }

    #[test]
    fn one_resource_has_one_key() {
        for address in [
            "https://p42-caldav.icloud.test/op%40me/c%C3%A4l/a%20b.ics",
            "https://p43-caldav.icloud.test:443/op@me/cäl/a b.ics",
            "https://dav.test/x/../op@me/c%c3%a4l/a%20b.ics?x#y",
            "https://dav.test/op%40me/cäl/a b.ics/",
        ] {
            assert_eq!(key(address), "/op@me/cäl/a b.ics", "{address}");
        }
    }

    #[test]
    fn two_resources_have_two_keys() {
        assert_eq!(key("https://dav.test/a%2fb"), "/a%2Fb");
        assert_eq!(key("https://dav.test/a/b"), "/a/b");
        assert_eq!(key("https://dav.test/a%25 2Fb"), "/a%25 2Fb");
        assert_eq!(key("https://dav.test/a%252Fb"), "/a%252Fb");
        assert_eq!(key("https://dav.test/%ff%40"), "/%ff%40");
        assert_eq!(key("https://dav.test/100%"), "/100%25");
        assert_eq!(key("https://dav.test"), "/");
    }

    #[test]
    fn a_long_path_is_a_digest() {
        let long = |last| key(&format!("https://dav.test/{}{last}", "x".repeat(600)));
        assert!(long('a').len() <= KEY_BYTES_MAX);
        assert_ne!(long('a'), long('b'));
    }

    proptest! {
        #[test]
        fn escaping_changes_no_key(name in "[a-z@äß ~!$&'()*+,;=:%]{1,40}") {
            let mut some = Url::parse("https://dav.test/").unwrap();
            some.path_segments_mut().unwrap().push(&name);
            let all: String = name.bytes().map(|byte| format!("%{byte:02x}")).collect();
            prop_assert_eq!(resource_key(&some), key(&format!("https://dav.test/{all}")));
        }
    }
}
