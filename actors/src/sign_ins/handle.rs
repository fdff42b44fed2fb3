use std::fmt;
use std::sync::Arc;

use futures_util::future::join_all;
use tokio::sync::oneshot;
use tokio::time::timeout;
use uuid::Uuid;

use super::asker::{Asker, TokenOrRefusal};
use super::messages::{Ask, AwaitEnd, Forget};
use super::roll::{self, Ground, Roll};
use crate::clock::Clock;
use crate::limits::{FORGET_PATIENCE, OBTAIN_END_PATIENCE, TOKEN_PATIENCE};
use crate::ports::{AccessToken, SignInTokens, TokenRefusal};
use crate::supervise::{Board, Threads};

/// The handle of the sign-ins: their access tokens.
#[derive(Clone)]
pub struct SignInsHandle {
    roll: Arc<Roll>,
}

impl fmt::Debug for SignInsHandle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SignInsHandle")
    }
}

impl SignInsHandle {
    /// A handle whose actors obtain tokens there. It answers once a tree has been started with it.
    pub fn new(tokens: Arc<dyn SignInTokens>) -> Self {
        Self {
            roll: Arc::new(Roll::new(tokens)),
        }
    }

    /// Gives it what its actors run on; once.
    pub(crate) fn open(&self, clock: Arc<dyn Clock>, board: &Board, threads: &Threads) {
        self.roll.open(Ground {
            clock,
            board: board.clone(),
            threads: threads.borrowed(),
        });
    }

    /// The name of a sign-in's actor on the board.
    pub fn name_of(sign_in: Uuid) -> String {
        roll::name_of(sign_in)
    }

    /// The sign-in whose actor has this name on the board.
    pub fn sign_in_of(name: &str) -> Option<Uuid> {
        name.strip_prefix(roll::NAME)?.parse().ok()
    }

    /// A token that is valid as far as anybody knows. Who stops waiting ends nothing.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn access_token(&self, sign_in: Uuid) -> Result<AccessToken, TokenRefusal> {
        self.obtain(sign_in, None).await
    }

    /// Another token than that one, which a source did not take: the one that has replaced it already, or else a new one.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn replace(
        &self,
        sign_in: Uuid,
        refused: AccessToken,
    ) -> Result<AccessToken, TokenRefusal> {
        self.obtain(sign_in, Some(refused)).await
    }

    /// The stored credential is another, or gone: what is known of the one before is told to nobody any more. Whoever waits for a token,
    /// or asks from now on, is told what is obtained after this. To be called after the commit.
    pub async fn forget(&self, sign_in: Uuid) {
        let Some((actor, lease)) = self.roll.running(sign_in) else {
            return;
        };
        let (done, forgotten) = oneshot::channel();
        actor.do_send(Forget { done, lease });
        // An actor that rests after a crash takes this before any later question, and answers none until then.
        let _ = timeout(FORGET_PATIENCE, forgotten).await;
    }

    async fn obtain(&self, sign_in: Uuid, refused: Option<AccessToken>) -> TokenOrRefusal {
        let told = async {
            let (actor, lease) = self.roll.address(sign_in).await?;
            let (answer, told) = oneshot::channel();
            let asker = Asker { refused, answer };
            actor.do_send(Ask { asker, lease });
            told.await.ok()
        };
        let told = timeout(TOKEN_PATIENCE, told).await.ok().flatten();
        told.unwrap_or(Err(TokenRefusal::Lost))
    }

    /// No question is taken any more; what is being obtained is waited for, so that it is not done by half.
    pub(crate) async fn close(&self) {
        let ends = self.roll.close().into_iter().map(|actor| {
            let (ended, end) = oneshot::channel();
            actor.do_send(AwaitEnd(ended));
            timeout(OBTAIN_END_PATIENCE, end)
        });
        let ended = join_all(ends).await.into_iter();
        match ended.filter(Result::is_err).count() {
            0 => {}
            left => log::error!("{left} sign-ins were still obtaining a token at the stop"),
        }
    }
}
