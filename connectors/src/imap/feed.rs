//! A mail account as a source.

use async_trait::async_trait;

use super::login::log_in;
use super::round::MailRound;
use super::session::ImapSession;
use crate::failure::SourceFailure;
use crate::guard::{JudgedAddress, StreamGuard};
use crate::round::{Feed, Round, RoundRequest};
use crate::secret::SourceSecret;

/// The mail of one account, over implicit TLS (RFC 8314), port 993 unless the operator says otherwise.
pub struct MailFeed {
    guard: StreamGuard,
    server: JudgedAddress,
    users: Vec<String>,
    password: SourceSecret,
}

impl MailFeed {
    /// An account at a server that was judged. Where a server's own name of its user is not certain there are several: the first that
    /// it takes is the account's.
    pub fn new(
        guard: StreamGuard,
        server: JudgedAddress,
        users: impl IntoIterator<Item = String>,
        password: SourceSecret,
    ) -> Self {
        Self {
            guard,
            server,
            users: users.into_iter().collect(),
            password,
        }
    }

    async fn open(&self) -> Result<ImapSession, SourceFailure> {
        let mut session = ImapSession::connect(&self.guard, &self.server).await?;
        log_in(&mut session, &self.users, &self.password).await?;
        Ok(session)
    }
}

#[async_trait]
impl Feed for MailFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        self.open().await?.end().await;
        Ok(())
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let session = self.open().await?;
        Ok(Box::new(MailRound::begin(session, request).await?))
    }
}
