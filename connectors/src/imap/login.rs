//! The credential: AUTHENTICATE PLAIN (RFC 4616) where it is offered, else LOGIN. Both go over TLS only, and no word that a server
//! answers to them is kept but its code.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

use super::answer::{AnswerCondition, ServerStatus};
use super::requests::ask_capabilities;
use super::session::{ImapSession, malformed};
use crate::failure::{FailureKind, SourceFailure};
use crate::secret::SourceSecret;

/// Signs in as the first of `users` that the server takes; then it says anew what it is able to.
pub(super) async fn log_in(
    session: &mut ImapSession,
    users: &[String],
    password: &SourceSecret,
) -> Result<(), SourceFailure> {
    ask_capabilities(session).await?;
    let mut refused = SourceFailure::new(FailureKind::CredentialRefused, "no user was named");
    for user in users {
        match log_in_as(session, user, password).await {
            Err(failure) if failure.kind == FailureKind::CredentialRefused => refused = failure,
            signed_in => return signed_in,
        }
    }
    Err(refused)
}

async fn log_in_as(
    session: &mut ImapSession,
    user: &str,
    password: &SourceSecret,
) -> Result<(), SourceFailure> {
    let pieces = match session.is_able("AUTH=PLAIN") {
        true => plain(user, password),
        false if session.is_able("LOGINDISABLED") => {
            let message = "the mail server takes no password";
            return Err(SourceFailure::new(FailureKind::Rejected, message));
        }
        false => login(user, password),
    };
    let end = session.run_pieces(&pieces).await?.end;
    match end.condition {
        AnswerCondition::Ok => ask_capabilities(session).await,
        _ => Err(not_logged_in(&end)),
    }
}

fn plain(user: &str, password: &SourceSecret) -> Vec<Bytes> {
    let response = STANDARD.encode(format!("\0{user}\0{}", password.reveal()));
    vec![Bytes::from_static(b"AUTHENTICATE PLAIN"), response.into()]
}

/// As literals, in which every character may stand.
fn login(user: &str, password: &SourceSecret) -> Vec<Bytes> {
    let password = password.reveal();
    vec![
        format!("LOGIN {{{}}}", user.len()).into(),
        format!("{user} {{{}}}", password.len()).into(),
        Bytes::copy_from_slice(password.as_bytes()),
    ]
}

/// Only `[AUTHENTICATIONFAILED]` (RFC 5530) judges the credential: "too many" and "not now" are said with NO as well.
fn not_logged_in(end: &ServerStatus) -> SourceFailure {
    let code = end.code_name();
    let failure = match (end.condition, code.as_str()) {
        (AnswerCondition::No, "AUTHENTICATIONFAILED") => {
            let message = "the mail server did not take the user name and password";
            SourceFailure::new(FailureKind::CredentialRefused, message)
        }
        (AnswerCondition::No | AnswerCondition::Bye, _) => {
            let message = "the mail server takes no sign-in now";
            SourceFailure::new(FailureKind::Unavailable, message)
        }
        (AnswerCondition::Bad, _) => {
            let message = "the mail server did not understand the sign-in";
            SourceFailure::new(FailureKind::Rejected, message)
        }
        _ => malformed(),
    };
    match is_known(&code) {
        true => failure.with_words(&format!("[{code}]")),
        false => failure,
    }
}

/// The codes of RFC 5530 that concern a sign-in. Others may be anything.
fn is_known(code: &str) -> bool {
    [
        "UNAVAILABLE",
        "AUTHENTICATIONFAILED",
        "AUTHORIZATIONFAILED",
        "EXPIRED",
        "PRIVACYREQUIRED",
        "CONTACTADMIN",
        "INUSE",
        "LIMIT",
        "ALERT",
        "SERVERBUG",
    ]
    .contains(&code)
}
