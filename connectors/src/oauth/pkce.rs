use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::secret::SourceSecret;

/// What only the one who began a sign-in knows (RFC 7636 §4.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PkceVerifier(SourceSecret);

impl PkceVerifier {
    /// Of 32 random bytes: 43 characters.
    pub fn of_random(bytes: [u8; 32]) -> Self {
        Self(SourceSecret::new(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// What the browser carries in its place: the method `S256` (RFC 7636 §4.2).
    pub fn challenge(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(self.0.reveal()))
    }

    /// The text itself, for the token request.
    pub(super) fn reveal(&self) -> &str {
        self.0.reveal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_standards_example() {
        // RFC 7636, appendix B.
        let bytes = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212,
            37, 77, 105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
        ];
        let verifier = PkceVerifier::of_random(bytes);
        assert_eq!(
            verifier.reveal(),
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        );
        assert_eq!(
            verifier.challenge(),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }
}
