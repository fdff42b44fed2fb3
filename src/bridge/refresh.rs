//! A refresh token is exchanged: its sign-in is read, judged and rotated in one transaction, so that of two who come at once each gets the
//! same pair.

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, Digest, Ticket};
use sextant_actors::grants::IssuedAccess;
use uuid::Uuid;

use super::Bridge;
use super::exchange::{Exchanged, issued};
use super::limits::REUSE_WINDOW;
use super::outcome::BridgeError;
use super::refresh_verdict::{RefreshVerdict, judge};
use super::token_request::{RefreshRequest, TokenFault};
use super::tokens::{self, TokenPair};
use crate::store::bridge::rotation::{self, NewRotation, RefreshAct, StoredBridgeSignIn};

/// What became of a refresh token.
enum Refreshed {
    Given(Box<RefreshedPair>),
    /// The access token of the sign-in that has ended, and whose it was.
    Stolen(Digest, Option<AgentName>),
    Refused,
}

/// A pair that is given for a refresh token.
struct RefreshedPair {
    pair: TokenPair,
    access: IssuedAccess,
    /// The access tokens that serve from now on.
    serving: Vec<IssuedAccess>,
    ticket: Ticket,
}

impl Bridge {
    /// Exchanges a refresh token.
    ///
    /// # Errors
    /// As [`Bridge::exchange`].
    pub(super) async fn exchange_refresh(&self, request: RefreshRequest) -> Exchanged {
        let Some(sign_in) = tokens::sign_in_of(&request.refresh_token) else {
            return Ok(Err(TokenFault::RefreshRefused));
        };
        let seed = tokens::seed().map_err(|_| BridgeError::NoRandomness)?;
        let now = self.0.clock.now();
        let turn = |stored: &StoredBridgeSignIn| self.turn(stored, (sign_in, &request), seed, now);
        let refreshed = rotation::refresh(&self.0.pool, sign_in, turn).await?;
        let given = match refreshed {
            Some(Refreshed::Given(given)) => given,
            Some(Refreshed::Stolen(token, agent)) => {
                self.cut_off(&[token], agent).await;
                return Ok(Err(TokenFault::RefreshRefused));
            }
            Some(Refreshed::Refused) | None => return Ok(Err(TokenFault::RefreshRefused)),
        };
        self.0.grants.publish_tokens(&given.serving);
        self.record(&given.ticket, "refresh_token", &request.client_id)
            .await;
        Ok(Ok(issued(given.pair, &given.access, now)))
    }

    /// What a presented refresh token does to its sign-in, and what is told of it.
    fn turn(
        &self,
        stored: &StoredBridgeSignIn,
        (sign_in, request): (Uuid, &RefreshRequest),
        seed: [u8; 32],
        now: DateTime<Utc>,
    ) -> (RefreshAct, Refreshed) {
        let presented = tokens::digest(&request.refresh_token);
        let verdict = judge(stored, (&presented, &request.client_id), now);
        let ticket = match (verdict, self.0.grants.resolve(&stored.access.key)) {
            (RefreshVerdict::Stolen, ticket) => {
                let agent = ticket.ok().map(|ticket| ticket.agent);
                return (
                    RefreshAct::Delete,
                    Refreshed::Stolen(stored.access.token, agent),
                );
            }
            (RefreshVerdict::Rotate | RefreshVerdict::Repeat(_), Ok(ticket)) => ticket,
            _ => return (RefreshAct::Leave, Refreshed::Refused),
        };
        let pair = |seed| TokenPair::derive(sign_in, seed, &request.refresh_token);
        match verdict {
            RefreshVerdict::Repeat(seed) => {
                let given = RefreshedPair {
                    pair: pair(&seed),
                    access: stored.access,
                    serving: vec![stored.access],
                    ticket,
                };
                (RefreshAct::Leave, Refreshed::Given(Box::new(given)))
            }
            _ => {
                let pair = pair(&seed);
                let access = self.access(&pair, &ticket, now);
                let rotation = NewRotation {
                    seed,
                    at: now,
                    access,
                    refresh: pair.refresh_digest(),
                };
                // Requests that are under way with the token before go on.
                let before = IssuedAccess {
                    expires_at: stored.access.expires_at.min(now + REUSE_WINDOW),
                    ..stored.access
                };
                let given = RefreshedPair {
                    pair,
                    access,
                    serving: vec![before, access],
                    ticket,
                };
                (
                    RefreshAct::Rotate(rotation),
                    Refreshed::Given(Box::new(given)),
                )
            }
        }
    }
}
