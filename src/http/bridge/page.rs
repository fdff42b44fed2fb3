//! The sign-in page: one document without scripts, whose policy allows nothing but its own style and a form to itself. It cannot be framed.

use std::fmt::Write as _;
use std::sync::LazyLock;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName};
use actix_web::{HttpResponse, HttpResponseBuilder};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::bridge::{ShownKey, SignInRequest};

const STYLE: &str = include_str!("sign_in.css");
/// The digest by which the page's policy knows its style.
static STYLE_DIGEST: LazyLock<String> = LazyLock::new(|| STANDARD.encode(Sha256::digest(STYLE)));

/// What a field of the form is called.
pub(super) const FORM_FIELD: &str = "form";
pub(super) const KEY_FIELD: &str = "key";
pub(super) const STEP_FIELD: &str = "step";
pub(super) const STEP_SHOW: &str = "show";
pub(super) const STEP_REFUSE: &str = "refuse";

/// The page that asks for an agent's key. `fault` says what is wrong with the one that was shown.
pub(super) fn asking(
    request: &SignInRequest,
    form: &str,
    fault: Option<&str>,
    status: StatusCode,
) -> HttpResponse {
    let mut body = asker(request);
    if let Some(fault) = fault {
        let _ = write!(
            body,
            "<p class=\"bad\" role=\"alert\">{}</p>",
            escape(fault)
        );
    }
    let _ = write!(
        body,
        "<form method=\"post\" action=\"/authorize\">{hidden}\
         <label for=\"key\">The agent’s key</label>\
         <input id=\"key\" name=\"{KEY_FIELD}\" type=\"password\" required autofocus autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\" placeholder=\"sxt_…\" aria-describedby=\"key-help\">\
         <p class=\"quiet\" id=\"key-help\">Keys are made in Sextant’s Console, under Agents. This one must have a deadline. It opens the sectors that you gave its agent, and nothing else.</p>\
         <div class=\"acts\"><button class=\"first\">Allow</button>\
         <button name=\"{STEP_FIELD}\" value=\"{STEP_SHOW}\">Show what this key opens</button>\
         <button name=\"{STEP_FIELD}\" value=\"{STEP_REFUSE}\" formnovalidate>Refuse</button></div></form>",
        hidden = hidden(form),
    );
    document(HttpResponse::build(status), Some(request), &body)
}

/// The page that tells what the key opens, before anything is allowed. The key itself does not come back; the form holds its digest, sealed.
pub(super) fn showing(request: &SignInRequest, form: &str, shown: &ShownKey) -> HttpResponse {
    let mut body = asker(request);
    let sectors: String = shown
        .sectors
        .iter()
        .fold(String::new(), |mut list, sector| {
            let _ = write!(list, "<li>{}</li>", sector.name());
            list
        });
    let opens = match sectors.is_empty() {
        true => "nothing: no sector is switched on for it".to_owned(),
        false => format!("<ul>{sectors}</ul>"),
    };
    let _ = write!(
        body,
        "<dl><dt>The key is of the agent</dt><dd>{agent}</dd><dt>It opens</dt><dd>{opens}</dd></dl>\
         <form method=\"post\" action=\"/authorize\">{hidden}<div class=\"acts\">\
         <button class=\"first\" autofocus>Allow</button>\
         <button name=\"{STEP_FIELD}\" value=\"{STEP_REFUSE}\">Refuse</button></div></form>",
        agent = escape(shown.agent.as_str()),
        hidden = hidden(form),
    );
    document(HttpResponse::Ok(), Some(request), &body)
}

/// The page for a request that can be answered nowhere.
pub(super) fn refusing(status: StatusCode, what: &str) -> HttpResponse {
    let body = format!(
        "<h1>This sign-in cannot go on</h1><p>{}</p><p class=\"quiet\">Nothing was given out. This page can be closed.</p>",
        escape(what)
    );
    document(HttpResponse::build(status), None, &body)
}

/// Who asks, and where the answer goes.
fn asker(request: &SignInRequest) -> String {
    let client = &request.client;
    let name = client
        .name
        .as_ref()
        .map_or("A client without a name", |name| name.as_str());
    let redirect = &request.redirect;
    let place = match redirect.is_own_computer() {
        true => format!("a program on this computer ({})", redirect.authority()),
        false => redirect.authority(),
    };
    format!(
        "<h1>Sign in to Sextant</h1><p><strong>{}</strong> wants to ask this Sextant as one of your agents.</p>\
         <dl><dt>The answer goes to</dt><dd>{}</dd></dl>\
         <p class=\"quiet\">The name is what the client calls itself; nobody has checked it. Go on only if you began this yourself, at the place above.</p>",
        escape(name),
        escape(&place),
    )
}

fn hidden(form: &str) -> String {
    format!(
        "<input type=\"hidden\" name=\"{FORM_FIELD}\" value=\"{}\">",
        escape(form)
    )
}

fn document(
    mut response: HttpResponseBuilder,
    request: Option<&SignInRequest>,
    body: &str,
) -> HttpResponse {
    let leads_to = request.map(|request| request.redirect.origin());
    response
        .insert_header((header::CONTENT_SECURITY_POLICY, policy(leads_to.as_deref())))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::X_FRAME_OPTIONS, "DENY"))
        // A browser that may not name the page it comes from sends `Origin: null` with the form.
        .insert_header((header::REFERRER_POLICY, "same-origin"))
        .insert_header((
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ))
        .content_type("text/html; charset=utf-8")
        .body(format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"robots\" content=\"noindex\"><title>Sign in to Sextant</title>\
             <style>{STYLE}</style></head><body><main>{body}</main></body></html>"
        ))
}

/// A browser holds a form to this policy in every redirect that follows it: so the client's place stands beside our own.
fn policy(leads_to: Option<&str>) -> String {
    let target = match leads_to {
        Some(origin) => format!("'self' {origin}"),
        None => "'none'".to_owned(),
    };
    format!(
        "default-src 'none'; style-src 'sha256-{}'; form-action {target}; base-uri 'none'; frame-ancestors 'none'",
        *STYLE_DIGEST
    )
}

/// The text as it may stand in an element or a quoted attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_says_of_itself_never_becomes_markup() {
        assert_eq!(escape("<script>\"&'"), "&lt;script&gt;&quot;&amp;&#39;");
        assert!(hidden("\"><script>").ends_with("value=\"&quot;&gt;&lt;script&gt;\">"));
    }

    #[test]
    fn the_policy_knows_the_style_and_one_place_beside_its_own() {
        let policy = policy(Some("https://claude.ai"));
        assert!(policy.contains("form-action 'self' https://claude.ai;"));
        assert!(policy.contains(&*STYLE_DIGEST) && policy.contains("default-src 'none'"));
    }
}
