//! The errors of the interface: what each means, how far it reaches, and what a person should do.

use crate::failure::FailureKind;

/// What of a round an error ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::enable_banking) enum RefusalReach {
    /// All of it.
    Round,
    /// What was asked of one account.
    Account,
    /// The same, until the person does something at the bank.
    Person,
    /// The same, and it may go well another time: it says nothing of what was asked.
    Passing,
    /// The bank allows no more for now.
    Spent,
    /// More of the past was asked for than the bank tells.
    Span,
}

/// Errors by their code; the words say what to do.
pub(super) const TABLE: &[(&[&str], FailureKind, RefusalReach, &str)] = {
    use FailureKind::{
        CredentialRefused, NotFound, RateLimited, Rejected, SignInEnded, Unavailable,
    };
    use RefusalReach::{Account, Passing, Person, Round, Span, Spent};
    &[
        (
            &["EXPIRED_SESSION"],
            SignInEnded,
            Round,
            "the bank's consent has ended: link the bank again",
        ),
        (
            &["REVOKED_SESSION"],
            SignInEnded,
            Round,
            "the bank's consent was withdrawn: link the bank again if it is to be read",
        ),
        (
            &[
                "CLOSED_SESSION",
                "SESSION_DOES_NOT_EXIST",
                "WRONG_SESSION_STATUS",
            ],
            SignInEnded,
            Round,
            "the link to the bank was closed: link the bank again",
        ),
        (
            &["ASPSP_RATE_LIMIT_EXCEEDED"],
            RateLimited,
            Spent,
            "the bank allows no more requests for now; a later round asks again, there is nothing to do",
        ),
        (
            &["ASPSP_ERROR", "ASPSP_TIMEOUT", "WRONG_CONTINUATION_KEY"],
            Unavailable,
            Passing,
            "the bank failed; a later round asks again. If that goes on for days, link the bank again",
        ),
        (
            &[
                "WRONG_TRANSACTIONS_PERIOD",
                "WRONG_DATE_INTERVAL",
                "DATE_FROM_IN_FUTURE",
            ],
            Rejected,
            Span,
            "the bank does not tell as much of the past as was asked for; a later round asks for less",
        ),
        (
            &["ASPSP_PSU_ACTION_REQUIRED"],
            Rejected,
            Person,
            "the bank wants something of you first: sign in at the bank itself and confirm what it asks, then link the bank again if this stays",
        ),
        (
            &["PSU_HEADER_NOT_PROVIDED", "PSU_HEADER_INVALID"],
            Rejected,
            Account,
            "this bank tells only while a person is there, and cannot be read by itself",
        ),
        (
            &[
                "ACCOUNT_DOES_NOT_EXIST",
                "INVALID_ACCOUNT_ID",
                "ASPSP_ACCOUNT_NOT_ACCESSIBLE",
            ],
            NotFound,
            Person,
            "the bank does not give this account any more: link the bank again and tick the account there",
        ),
        (
            &["AUTHORIZATION_NOT_PROVIDED"],
            CredentialRefused,
            Round,
            NOT_TAKEN,
        ),
        (
            &[
                "ACCESS_DENIED",
                "UNAUTHORIZED_ACCESS",
                "UNAUTHORIZED_IP",
                "INVALID_HOST",
            ],
            Rejected,
            Round,
            "Enable Banking does not let the application do this: see in its control panel whether it is active, and what it may do and from where",
        ),
        (
            &["REDIRECT_URI_NOT_ALLOWED"],
            Rejected,
            Round,
            "the application does not have this redirect address: add it in the control panel of Enable Banking",
        ),
        (
            &["WRONG_ASPSP_PROVIDED"],
            NotFound,
            Round,
            "Enable Banking does not have this bank any more: choose it anew from the list",
        ),
        (
            &[
                "EXPIRED_AUTHORIZATION_CODE",
                "WRONG_AUTHORIZATION_CODE",
                "ALREADY_AUTHORIZED",
            ],
            Rejected,
            Round,
            "what the bank's page came back with is used up or too old: begin to link the bank again",
        ),
        (
            &["NO_ACCOUNTS_ADDED"],
            Rejected,
            Round,
            "no account was given: tick accounts on the bank's page, and while the application is restricted, add them to it in the control panel of Enable Banking first",
        ),
    ]
};

/// Said where the application itself is refused.
pub(super) const NOT_TAKEN: &str = "Enable Banking does not take the application: its id and its key do not belong together, or it was removed there. Enter the \
                         application again";
