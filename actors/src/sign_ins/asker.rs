use tokio::sync::oneshot;

use crate::ports::{AccessToken, TokenRefusal};

/// What whoever needs a token is told.
pub(super) type TokenOrRefusal = Result<AccessToken, TokenRefusal>;

/// One who needs a token.
pub(super) struct Asker {
    /// The one that its source did not take.
    pub(super) refused: Option<AccessToken>,
    pub(super) answer: oneshot::Sender<TokenOrRefusal>,
}

impl Asker {
    pub(super) fn tell(self, answer: TokenOrRefusal) {
        // Who asked may have stopped waiting.
        let _ = self.answer.send(answer);
    }
}
