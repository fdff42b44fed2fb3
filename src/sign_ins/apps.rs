//! What the operator has registered at providers: set, read and removed. The secret is sealed, and never told again.

use sextant_actors::random;
use sextant_connectors::oauth::ClientApp;
use sextant_connectors::provider::ConsentedProvider;

use super::{SignInError, SignIns};
use crate::store::provider_apps::{self, ListedApp};

impl SignIns {
    /// All that are set.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn apps(&self) -> Result<Vec<ListedApp>, SignInError> {
        Ok(provider_apps::list(&self.pool).await?)
    }

    /// Sets the app of a provider, in place of the one that there was. Sign-ins by the one before need the person when their tokens are
    /// renewed next, since a refresh token is bound to its app (RFC 6749 §6).
    ///
    /// # Errors
    /// It cannot be sealed or stored.
    pub(crate) async fn set_app(
        &self,
        provider: &dyn ConsentedProvider,
        app: &ClientApp,
    ) -> Result<(), SignInError> {
        let id = random::identifier().map_err(SignInError::NoRandomness)?;
        let turn = self.keys.turn().await.map_err(SignInError::Keys)?;
        provider_apps::set(&self.pool, &turn, (id, provider.id()), app).await?;
        Ok(())
    }

    /// Removes the app of a provider, if there is one. Sign-ins stay, and go on when an app is set again.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) async fn remove_app(
        &self,
        provider: &dyn ConsentedProvider,
    ) -> Result<(), SignInError> {
        provider_apps::delete(&self.pool, provider.id()).await?;
        Ok(())
    }
}
