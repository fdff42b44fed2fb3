//! A renewal that is cut off anywhere: what was kept before it decides what follows. No sign-in is lost that need not be, and no token
//! that serves once is sent a third time.

use chrono::{DateTime, TimeDelta, Utc};
use sextant_connectors::failure::{FailureKind, RetryAfter, SourceFailure};
use sextant_connectors::oauth::{KeptTokens, RefreshUse, RenewalStep};
use sextant_connectors::secret::SourceSecret;

use super::consent;
use super::spent;
use super::stage::Client;
use crate::support::emulate::{Emulate, Emulated};
use crate::support::single_use::SingleUseServer;

/// Where the process ends that renews.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Nowhere,
    /// What is about to be done is kept, and nothing was sent.
    BeforeItIsSent,
    /// The provider has issued tokens, which nobody has.
    BeforeItIsKept,
}

/// Whoever keeps the tokens of a sign-in: all that outlives the process is what is sealed.
struct Keeper {
    client: Client,
    refresh: RefreshUse,
    sealed: SourceSecret,
    now: DateTime<Utc>,
}

impl Keeper {
    /// After a consent, an hour ago: its access token has ended.
    async fn at_single_use(server: &SingleUseServer) -> Self {
        let client = spent::client_of(server);
        let issued = spent::signed_in(&client).await;
        Self::new(
            client,
            RefreshUse::Once,
            &KeptTokens::of_consent(&issued, hour(0)),
        )
    }

    async fn at_emulated(emulate: &Emulate, which: Emulated, refresh: RefreshUse) -> Self {
        let client = consent::client(emulate, which);
        let issued = consent::signed_in(&client, which).await;
        Self::new(client, refresh, &KeptTokens::of_consent(&issued, hour(0)))
    }

    fn new(client: Client, refresh: RefreshUse, kept: &KeptTokens) -> Self {
        Self {
            client,
            refresh,
            sealed: kept.to_sealed().unwrap(),
            now: hour(1),
        }
    }

    fn keep(&mut self, kept: &KeptTokens) {
        self.sealed = kept.to_sealed().unwrap();
    }

    /// A process that needs a token; none if it is cut off.
    async fn ask(&mut self, cut: Cut) -> Option<Result<SourceSecret, SourceFailure>> {
        let before = KeptTokens::of_sealed(&self.sealed).unwrap();
        let refresh_token = match before.next_step(None, self.refresh, self.now) {
            RenewalStep::Use(_) => return Some(Ok(before.access_token)),
            RenewalStep::Fail(failure) => return Some(Err(failure)),
            RenewalStep::Renew(refresh_token) => refresh_token,
        };
        self.keep(&before.about_to_renew(self.now));
        if cut == Cut::BeforeItIsSent {
            return None;
        }
        let renewed = self.client.refresh(&refresh_token).await;
        if cut == Cut::BeforeItIsKept {
            return None;
        }
        Some(match renewed {
            Ok(issued) => {
                self.keep(&before.renewed(&issued, self.now));
                Ok(issued.access_token)
            }
            Err(failed) => {
                self.keep(&KeptTokens::after_failure(&before, &failed, self.now));
                Err(failed.failure().clone())
            }
        })
    }

    /// Nothing is sent for half a minute.
    async fn assert_rests(&mut self) {
        let again = self.now + TimeDelta::seconds(30);
        let failure = self.ask(Cut::Nowhere).await.unwrap().unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
        assert_eq!(failure.retry_after, Some(RetryAfter::At(again.into())));
        self.now = again;
    }

    /// The sign-in has ended, however often somebody asks.
    async fn assert_ended(&mut self) {
        for _ in 0..3 {
            self.now += TimeDelta::hours(5);
            let failure = self.ask(Cut::Nowhere).await.unwrap().unwrap_err();
            assert_eq!(failure.kind, FailureKind::SignInEnded, "{failure}");
        }
    }

    /// Tokens are had, now and later.
    async fn assert_goes_on(&mut self) {
        for _ in 0..2 {
            self.ask(Cut::Nowhere).await.unwrap().unwrap();
            let kept = KeptTokens::of_sealed(&self.sealed).unwrap();
            assert_eq!(kept.trouble, None);
            assert_eq!(kept.valid_until, self.now + TimeDelta::hours(1));
            self.now += TimeDelta::hours(1);
        }
    }
}

fn hour(number: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::hours(number)
}

#[tokio::test]
async fn what_was_cut_off_before_it_was_sent_is_sent_after_half_a_minute() {
    let Some(server) = SingleUseServer::start_if_installed("cut_off_before_sent").await else {
        return;
    };
    let mut keeper = Keeper::at_single_use(&server).await;
    assert_eq!(keeper.ask(Cut::BeforeItIsSent).await, None);
    keeper.assert_rests().await;
    assert_eq!(server.arrived("requests").await, 1, "the consent's own");
    keeper.assert_goes_on().await;
    assert_eq!(server.arrived("requests").await, 3);
}

#[tokio::test]
async fn a_token_that_served_once_is_sent_once_more_and_the_person_is_asked() {
    let Some(server) = SingleUseServer::start_if_installed("cut_off_before_kept").await else {
        return;
    };
    let mut keeper = Keeper::at_single_use(&server).await;
    assert_eq!(keeper.ask(Cut::BeforeItIsKept).await, None);
    keeper.assert_rests().await;
    let failure = keeper.ask(Cut::Nowhere).await.unwrap().unwrap_err();
    assert_eq!(failure.kind, FailureKind::SignInEnded, "{failure}");
    keeper.assert_ended().await;
    assert_eq!(server.arrived("requests").await, 3);
}

#[tokio::test]
async fn answers_that_are_lost_twice_end_a_sign_in_whose_token_serves_once() {
    let Some(server) = SingleUseServer::start_if_installed("lost_twice").await else {
        return;
    };
    for state in ["lost", "cut", "garbage"] {
        let mut keeper = Keeper::at_single_use(&server).await;
        let before = server.arrived("requests").await;
        server.tell_next(state).await;
        let failure = keeper.ask(Cut::Nowhere).await.unwrap().unwrap_err();
        assert_ne!(failure.kind, FailureKind::SignInEnded, "{state}: {failure}");
        keeper.assert_rests().await;
        // The process ends once more, after the repetition was sent.
        assert_eq!(keeper.ask(Cut::BeforeItIsKept).await, None);
        keeper.assert_ended().await;
        assert_eq!(server.arrived("requests").await, before + 2, "{state}");
    }
}

#[tokio::test]
async fn at_google_a_renewal_that_was_cut_off_is_repeated_at_once() {
    let Some(emulate) = Emulate::start_if_installed("cut_off_at_google").await else {
        return;
    };
    for cut in [Cut::BeforeItIsSent, Cut::BeforeItIsKept] {
        let refresh = RefreshUse::Repeated;
        let mut keeper = Keeper::at_emulated(&emulate, Emulated::Google, refresh).await;
        assert_eq!(keeper.ask(cut).await, None);
        keeper.assert_goes_on().await;
    }
}

#[tokio::test]
async fn at_microsoft_a_renewal_that_was_cut_off_is_repeated_once() {
    let Some(emulate) = Emulate::start_if_installed("cut_off_at_microsoft").await else {
        return;
    };
    let microsoft = async || {
        let refresh = RefreshUse::Once;
        Keeper::at_emulated(&emulate, Emulated::Microsoft, refresh).await
    };
    let mut keeper = microsoft().await;
    assert_eq!(keeper.ask(Cut::BeforeItIsSent).await, None);
    keeper.assert_rests().await;
    keeper.assert_goes_on().await;
    // emulate takes the old one no more; Microsoft may.
    let mut keeper = microsoft().await;
    assert_eq!(keeper.ask(Cut::BeforeItIsKept).await, None);
    keeper.assert_rests().await;
    keeper.ask(Cut::Nowhere).await.unwrap().unwrap_err();
    keeper.assert_ended().await;
}
