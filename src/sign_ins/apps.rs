//! What the operator has registered at providers: set, read and removed. The secret is sealed, and never told again.

use sextant_actors::random;
use sextant_connectors::failure::FailureKind;
use sextant_connectors::oauth::ClientApp;
use sextant_connectors::provider::{
    CheckedApplication, ConsentedProvider, ExchangeError, FormRefusal, LinkedProvider,
    LinkingApplication, Provider,
};
use tokio::time::timeout;
use uuid::Uuid;

use super::{SignInError, SignIns, TRIAL_DEADLINE, trial};
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
    /// renewed next, since a refresh token is bound to its app (RFC 6749 §6). Returns the connections that waited for an app.
    ///
    /// # Errors
    /// It cannot be sealed or stored.
    pub(crate) async fn set_app(
        &self,
        provider: &dyn ConsentedProvider,
        app: &ClientApp,
    ) -> Result<Vec<Uuid>, SignInError> {
        let id = random::identifier().map_err(SignInError::NoRandomness)?;
        let turn = self.keys.turn().await.map_err(SignInError::Keys)?;
        Ok(provider_apps::set(&self.pool, &turn, (id, provider.id()), app).await?)
    }

    /// Tries the operator's application at an aggregator, and sets it in place of the one that there was. Links that were made with
    /// another need the person when they are read next. One that cannot be tried, since the aggregator does not answer, is set: it has
    /// refused nothing, and linking a bank tells what it says then. Returns the connections that waited for an application.
    ///
    /// # Errors
    /// The key is none, the aggregator does not take it, or it cannot be sealed or stored.
    pub(crate) async fn set_application(
        &self,
        provider: &dyn LinkedProvider,
        application: &LinkingApplication,
        is_sandbox: Option<bool>,
    ) -> Result<Vec<Uuid>, SignInError> {
        match self.checked(provider, application).await {
            Ok(checked) if is_sandbox.is_some_and(|own| own != checked.is_sandbox) => {
                return Err(SignInError::Form(FormRefusal {
                    field: "environment".to_owned(),
                    message: format!("{} says that it is for the other one", provider.title()),
                }));
            }
            Ok(checked) => self.require_usable(provider, &checked)?,
            Err(SignInError::Source(failure)) if failure.kind == FailureKind::Unavailable => {}
            Err(error) => return Err(error),
        }
        let id = random::identifier().map_err(SignInError::NoRandomness)?;
        let turn = self.keys.turn().await.map_err(SignInError::Keys)?;
        let app = ClientApp {
            id: application.id.clone(),
            secret: application.key.clone(),
        };
        Ok(provider_apps::set(&self.pool, &turn, (id, provider.id()), &app).await?)
    }

    /// What the aggregator says of an application.
    pub(super) async fn checked(
        &self,
        provider: &dyn LinkedProvider,
        application: &LinkingApplication,
    ) -> Result<CheckedApplication, SignInError> {
        let asked = provider.check_application(application, self.clock.now());
        let checked = timeout(TRIAL_DEADLINE, asked).await;
        let checked = checked.unwrap_or_else(|_| Err(ExchangeError::Source(trial::too_late())));
        checked.map_err(|error| match error {
            ExchangeError::Form(refusal) => SignInError::Form(renamed(refusal)),
            ExchangeError::Source(failure) => SignInError::Source(failure),
        })
    }

    /// An application that may not be used yet, or at which no browser may come back here, links nothing.
    fn require_usable(
        &self,
        provider: &dyn LinkedProvider,
        checked: &CheckedApplication,
    ) -> Result<(), SignInError> {
        let refused = |message: String| {
            Err(SignInError::Form(FormRefusal {
                field: "clientId".to_owned(),
                message,
            }))
        };
        if !checked.is_active {
            return refused(format!(
                "{} says that this application is not active yet; activate it there",
                provider.title()
            ));
        }
        match self.return_of(provider, checked) {
            Some(_) => Ok(()),
            None => {
                let [callback, pasted] = self.return_addresses(provider);
                refused(format!(
                    "register {callback} or {pasted} as a redirect address of the application, to the letter"
                ))
            }
        }
    }

    /// Removes the app of a provider; false if there was none. Sign-ins stay, and go on when an app is set again.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) async fn remove_app(&self, provider: &dyn Provider) -> Result<bool, SignInError> {
        Ok(provider_apps::delete(&self.pool, provider.id()).await?)
    }
}

/// What is at fault, by the names that a request has.
fn renamed(refusal: FormRefusal) -> FormRefusal {
    let field = match refusal.field.as_str() {
        "id" => "clientId",
        _ => "clientSecret",
    };
    FormRefusal {
        field: field.to_owned(),
        message: refusal.message,
    }
}
