//! The cookie by which the browser that comes back is known as the one that began (providers rule 6). It opens nothing else.

use actix_web::HttpRequest;
use actix_web::http::header::COOKIE;
use sextant_actors::random::{self, Unavailable};

const NAME: &str = "sextant_sign_in";
/// The value is that of 32 random bytes in base64url.
const VALUE_BYTES: usize = 43;
/// As long as a sign-in may take, in seconds.
const LIFE_S: u32 = 10 * 60;

/// What a browser sends along.
pub(in crate::http::console) struct BrowserMark(String);

impl BrowserMark {
    /// The one that the browser has: several sign-ins may be under way in it.
    pub(super) fn of(request: &HttpRequest) -> Option<Self> {
        let headers = request.headers().get_all(COOKIE);
        let texts = headers.filter_map(|header| header.to_str().ok());
        let mut pairs = texts.flat_map(|text| text.split(';'));
        let value = pairs.find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == NAME && is_mark(value)).then(|| value.to_owned())
        });
        value.map(Self)
    }

    /// The one that it has, or a new one.
    ///
    /// # Errors
    /// The system gives no randomness.
    pub(in crate::http::console) fn of_or_new(request: &HttpRequest) -> Result<Self, Unavailable> {
        match Self::of(request) {
            Some(own) => Ok(own),
            None => Ok(Self(random::base64url(&random::bytes::<32>()?))),
        }
    }

    pub(in crate::http::console) fn text(&self) -> &str {
        &self.0
    }

    /// The header that has the browser keep it. `Lax`, since the provider's page sends the browser back.
    pub(in crate::http::console) fn set_cookie(&self) -> String {
        let value = &self.0;
        format!("{NAME}={value}; Path=/; Max-Age={LIFE_S}; HttpOnly; SameSite=Lax")
    }
}

fn is_mark(value: &str) -> bool {
    value.len() == VALUE_BYTES && random::from_base64url(value).is_some()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_browser_keeps_its_mark() {
        let first = TestRequest::default().to_http_request();
        let mark = BrowserMark::of_or_new(&first).unwrap();
        let cookie = mark.set_cookie();
        let pair = cookie.split(';').next().unwrap();
        let sent = format!("theme=dark; {pair}");
        let second = TestRequest::default().insert_header((COOKIE, sent));
        let known = BrowserMark::of(&second.to_http_request()).unwrap();
        assert_eq!(known.text(), mark.text());
    }

    #[test]
    fn what_is_no_mark_is_none() {
        for sent in ["", "sextant_sign_in=", "sextant_sign_in=guessed", "other=1"] {
            let request = TestRequest::default().insert_header((COOKIE, sent));
            assert!(BrowserMark::of(&request.to_http_request()).is_none());
        }
    }
}
