//! Access tokens as a source issues them and a store keeps them, and what goes wrong with both.

use std::collections::{HashMap, VecDeque};
use std::future::pending;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, TimeDelta, Utc};
use sextant_actors::clock::{Clock, FrozenClock};
use sextant_actors::ports::{
    AccessToken, IssuedToken, PortFuture, SignInTokens, SourceProblem, TokenRefusal,
};
use tokio::sync::Notify;
use uuid::Uuid;

/// How long a token may be used.
pub const TOKEN_LIFE: TimeDelta = TimeDelta::hours(1);

/// How one token is obtained.
#[derive(Clone)]
pub enum Obtain {
    /// Not at all.
    Refuse(TokenRefusal),
    /// When it is released: the kept one, or one that is then renewed.
    Hold(Arc<Notify>),
    /// The one that was refused is answered again.
    Repeat,
    Hang,
    Panic,
    PanicWhenCalled,
}

impl Obtain {
    pub fn hold() -> (Self, Arc<Notify>) {
        let held = Arc::new(Notify::new());
        (Obtain::Hold(Arc::clone(&held)), held)
    }
}

#[derive(Default)]
struct SignIn {
    plays: VecDeque<Obtain>,
    /// The number of the kept token, and until when it may be used.
    kept: Option<(usize, DateTime<Utc>)>,
    renewed: usize,
    asked: Vec<Option<AccessToken>>,
    under_way: usize,
    /// Obtaining that came to its end.
    ended: usize,
}

/// The port; clones share it.
#[derive(Clone)]
pub struct FakeTokens {
    sign_ins: Arc<Mutex<HashMap<Uuid, SignIn>>>,
    clock: FrozenClock,
}

/// The `number`-th token of a sign-in.
pub fn token(number: usize) -> AccessToken {
    AccessToken::new(format!("token {number}"))
}

pub fn problem(code: &'static str) -> SourceProblem {
    SourceProblem {
        code,
        message: "in a test".to_owned(),
        status: None,
    }
}

impl FakeTokens {
    pub fn new(clock: &FrozenClock) -> Self {
        Self {
            sign_ins: Arc::default(),
            clock: clock.clone(),
        }
    }

    /// How the next tokens are obtained; those after them as a source and a store do it that are well.
    pub fn play(&self, sign_in: Uuid, plays: impl IntoIterator<Item = Obtain>) {
        self.with(sign_in, |sign_in| sign_in.plays.extend(plays));
    }

    /// The stored credential is another, of which there is no token yet.
    pub fn change_credential(&self, sign_in: Uuid) {
        self.with(sign_in, |sign_in| sign_in.kept = None);
    }

    /// What was asked for: each with the token that was refused.
    pub fn asked(&self, sign_in: Uuid) -> Vec<Option<AccessToken>> {
        self.with(sign_in, |sign_in| sign_in.asked.clone())
    }

    pub fn count(&self, sign_in: Uuid) -> usize {
        self.asked(sign_in).len()
    }

    /// Tokens that were renewed and committed.
    pub fn renewed(&self, sign_in: Uuid) -> usize {
        self.with(sign_in, |sign_in| sign_in.renewed)
    }

    /// How often obtaining came to its end.
    pub fn ended(&self, sign_in: Uuid) -> usize {
        self.with(sign_in, |sign_in| sign_in.ended)
    }

    fn with<T>(&self, sign_in: Uuid, look: impl FnOnce(&mut SignIn) -> T) -> T {
        look(self.sign_ins.lock().unwrap().entry(sign_in).or_default())
    }

    fn issue(&self, sign_in: Uuid, refused: Option<&AccessToken>) -> IssuedToken {
        let now = self.clock.now();
        self.with(sign_in, |sign_in| {
            let kept = sign_in.kept;
            let kept = kept.filter(|(number, until)| {
                now < *until && refused.is_none_or(|refused| *refused != token(*number))
            });
            let (number, usable_until) = kept.unwrap_or_else(|| {
                sign_in.renewed += 1;
                (sign_in.renewed, now + TOKEN_LIFE)
            });
            sign_in.kept = Some((number, usable_until));
            IssuedToken {
                token: token(number),
                usable_until,
            }
        })
    }
}

/// One that is under way; there may be one a sign-in.
struct Turn(FakeTokens, Uuid);

impl Turn {
    fn begin(tokens: &FakeTokens, id: Uuid) -> Self {
        let is_first = tokens.with(id, |sign_in| {
            sign_in.under_way += 1;
            sign_in.under_way == 1
        });
        let turn = Self(tokens.clone(), id);
        assert!(is_first, "two tokens of one sign-in at one time");
        turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.with(self.1, |sign_in| sign_in.under_way -= 1);
    }
}

impl SignInTokens for FakeTokens {
    fn obtain(
        &self,
        sign_in: Uuid,
        refused: Option<AccessToken>,
    ) -> PortFuture<Result<IssuedToken, TokenRefusal>> {
        let turn = Turn::begin(self, sign_in);
        let play = self.with(sign_in, |kept| {
            kept.asked.push(refused.clone());
            kept.plays.pop_front()
        });
        assert!(
            !matches!(play, Some(Obtain::PanicWhenCalled)),
            "the source panics when called"
        );
        Box::pin(async move {
            let tokens = &turn.0;
            // Nothing here is done at once, as with a store and a source.
            tokio::task::yield_now().await;
            let outcome = match play {
                None => Ok(tokens.issue(sign_in, refused.as_ref())),
                Some(Obtain::Hold(released)) => {
                    released.notified().await;
                    Ok(tokens.issue(sign_in, refused.as_ref()))
                }
                Some(Obtain::Refuse(refusal)) => Err(refusal),
                Some(Obtain::Repeat) => Ok(IssuedToken {
                    token: refused.unwrap(),
                    usable_until: tokens.clock.now() + TOKEN_LIFE,
                }),
                Some(Obtain::Hang) => pending().await,
                Some(Obtain::Panic | Obtain::PanicWhenCalled) => panic!("the source panics"),
            };
            tokens.with(sign_in, |sign_in| sign_in.ended += 1);
            outcome
        })
    }
}
