//! A token that is being obtained.
//!
//! The work is the actor's own, not its context's: a restart drops what a context has under way, and a renewal must not be dropped. The
//! context only polls it, and so does the context after a restart. Work that panics is gone by then, because it is here only while it is
//! not polled.

use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::time::timeout;
use uuid::Uuid;

use crate::limits::OBTAIN_TIME;
use crate::ports::{AccessToken, IssuedToken, PortFuture, SignInTokens, TokenRefusal};

/// What came of it.
pub(super) type Obtained = Result<IssuedToken, TokenRefusal>;

/// One token that is being obtained.
pub(super) struct Obtaining {
    /// `None` while it is polled, and when it has ended or panicked.
    work: Option<PortFuture<Obtained>>,
    /// The credential is another since it began: nobody is given what comes of it.
    pub(super) is_stale: bool,
}

impl Obtaining {
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

    /// Whether it goes on: it has neither ended nor panicked.
    pub(super) const fn goes_on(&self) -> bool {
        self.work.is_some()
    }

    pub(super) fn poll(&mut self, task: &mut Context<'_>) -> Poll<Obtained> {
        let Some(mut work) = self.work.take() else {
            return Poll::Ready(Err(TokenRefusal::Lost));
        };
        let polled = work.as_mut().poll(task);
        if polled.is_pending() {
            self.work = Some(work);
        }
        polled
    }
}

/// It ends when it should, and with another token than the one that a source did not take.
async fn limited(
    work: PortFuture<Obtained>,
    sign_in: Uuid,
    refused: Option<AccessToken>,
) -> Obtained {
    let Ok(obtained) = timeout(OBTAIN_TIME, work).await else {
        log::error!("sign-in {sign_in}: no token was obtained within {OBTAIN_TIME:?}");
        return Err(TokenRefusal::Lost);
    };
    match obtained {
        Ok(issued) if refused.as_ref() == Some(&issued.token) => {
            log::error!("sign-in {sign_in}: the token that its source did not take came again");
            Err(TokenRefusal::Lost)
        }
        obtained => obtained,
    }
}
