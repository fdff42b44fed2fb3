//! A setup token: the address at which it is claimed, in base64.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use reqwest::Url;

use crate::provider::FormRefusal;

/// With and without padding, as people paste it.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// A token that was not claimed yet, as far as anybody knows.
pub(crate) struct SetupToken {
    /// Where it is claimed. Whoever knows the address can claim it.
    pub(super) claim_at: Url,
}

impl SetupToken {
    /// Where it leads.
    pub(crate) const fn claim_at(&self) -> &Url {
        &self.claim_at
    }
}

impl SetupToken {
    /// Takes what a person pasted. Space within it is of the copying.
    ///
    /// # Errors
    /// On the field `name`, where it is no token.
    pub(crate) fn parse(name: &str, pasted: &str) -> Result<Self, FormRefusal> {
        let refused = |message: &str| Err(FormRefusal::new(name, message));
        if pasted.contains("://") {
            return refused(
                "this is an address; paste the setup token itself, a long line of letters and digits",
            );
        }
        let letters: String = pasted.split_whitespace().collect();
        let decoded = [alphabet::STANDARD, alphabet::URL_SAFE]
            .iter()
            .find_map(|alphabet| GeneralPurpose::new(alphabet, LENIENT).decode(&letters).ok());
        let address = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
        match address.and_then(|text| Url::parse(text.trim()).ok()) {
            Some(claim_at) if claim_at.has_host() => Ok(Self { claim_at }),
            _ => {
                refused("this is no setup token; copy the whole of it from your SimpleFIN account")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(pasted: &str) -> Result<String, String> {
        let token = SetupToken::parse("token", pasted);
        token
            .map(|token| token.claim_at.to_string())
            .map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn a_token_is_an_address_in_base64_however_it_was_copied() {
        // The example of the protocol's own text.
        let example = "aHR0cHM6Ly9icmlkZ2Uuc2ltcGxlZmluLm9yZy9zaW1wbGVmaW4vY2xhaW0vZGVtbw==";
        let claim = "https://bridge.simplefin.org/simplefin/claim/demo";
        assert_eq!(parse(example).unwrap(), claim);
        assert_eq!(parse(example.trim_end_matches('=')).unwrap(), claim);
        let (one, other) = example.split_at(30);
        assert_eq!(parse(&format!(" {one}\n{other} ")).unwrap(), claim);
    }

    #[test]
    fn what_is_no_token_is_told_so_and_not_repeated() {
        for pasted in [
            "hello",
            "aGVsbG8=",
            "https://user:word@bridge.simplefin.org/simplefin",
            "ZGF0YTpoZWxsbw==",
            "ünï",
        ] {
            let refused = parse(pasted).unwrap_err();
            assert!(refused.starts_with("token: this is"), "{refused}");
            assert!(
                !refused.contains("word") && !refused.contains(pasted),
                "{refused}"
            );
        }
    }
}
