//! A token that is being obtained.
//!
//! The work is the actor's own, not its context's: a restart drops what a context has under way, and a renewal must not be dropped. The
//! context polls it through [`Obtaining`], and so does the context after a restart. Work that panics is gone by then, because it is in
//! the actor only while it is not polled.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use actix::{ActorFuture, Context};
use tokio::time::timeout;
use uuid::Uuid;

use super::actor::SignInActor;
use crate::limits::OBTAIN_TIME;
use crate::ports::{AccessToken, IssuedToken, PortFuture, SignInTokens, TokenRefusal};

/// What came of it.
pub(super) type Outcome = Result<IssuedToken, TokenRefusal>;

/// One token that is being obtained.
pub(super) struct UnderWay {
    /// `None` while it is polled, and when it has panicked.
    pub(super) work: Option<PortFuture<Outcome>>,
    /// The credential is another since it began: nobody is given what comes of it.
    pub(super) is_stale: bool,
}

impl UnderWay {
    pub(super) fn begin(
        tokens: &Arc<dyn SignInTokens>,
        sign_in: Uuid,
        refused: Option<AccessToken>,
    ) -> Self {
        let work = tokens.obtain(sign_in, refused.clone());
        Self {
            work: Some(Box::pin(limited(work, sign_in, refused))),
            is_stale: false,
        }
    }
}

/// It ends when it should, and with another token than the one that a source did not take.
async fn limited(
    work: PortFuture<Outcome>,
    sign_in: Uuid,
    refused: Option<AccessToken>,
) -> Outcome {
    let Ok(outcome) = timeout(OBTAIN_TIME, work).await else {
        log::error!("sign-in {sign_in}: no token was obtained within {OBTAIN_TIME:?}");
        return Err(TokenRefusal::Lost);
    };
    match outcome {
        Ok(issued) if refused.as_ref() == Some(&issued.token) => {
            log::error!("sign-in {sign_in}: the token that its source did not take came again");
            Err(TokenRefusal::Lost)
        }
        outcome => outcome,
    }
}

/// Polls what the actor has under way.
pub(super) struct Obtaining;

impl ActorFuture<SignInActor> for Obtaining {
    type Output = Outcome;

    fn poll(
        self: Pin<&mut Self>,
        actor: &mut SignInActor,
        _: &mut Context<SignInActor>,
        task: &mut TaskContext<'_>,
    ) -> Poll<Outcome> {
        let under_way = actor.under_way.as_mut();
        let Some(mut work) = under_way.and_then(|under_way| under_way.work.take()) else {
            return Poll::Ready(Err(TokenRefusal::Lost));
        };
        let polled = work.as_mut().poll(task);
        if polled.is_pending()
            && let Some(under_way) = actor.under_way.as_mut()
        {
            under_way.work = Some(work);
        }
        polled
    }
}
