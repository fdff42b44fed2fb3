//! The rows of callers who are refused before there is a session: handshakes at the agent port, and sign-ins at the OAuth bridge.
//!
//! What anybody can cause without a key is capped, each kind for itself (r034, r035); a key that is refused at the sign-in page never is
//! (r036).

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::throttle::{Throttle, ThrottleVerdict};
use super::{AuditEntry, AuditHandle, SafeArgs};
use crate::audit_queue::JournalAck;
use crate::domain::{AgentName, CleanText, Decision, KeyRefusal, OPERATOR, Outcome};
use crate::limits::METHOD_CHARS_MAX;

/// The verb of a refused handshake (r033).
const HANDSHAKE: &str = "initialize";
/// The verb of what happens at the bridge (r037).
const BRIDGE: &str = "oauth_token";
/// The two reasons for which a key is refused there (r036).
const KEY_REFUSED: &str = "authorize: key refused";
const KEY_WITHOUT_END: &str = "authorize: key has no expiry";

impl AuditHandle {
    /// Records a refused handshake under `initialize`, within the cap of 30 a minute (r033, r034).
    pub fn record_refused_handshake(
        &self,
        reason: KeyRefusal,
        method: Option<String>,
    ) -> JournalAck {
        let method = method.map(|method| method.chars().take(METHOD_CHARS_MAX).collect::<String>());
        let args = method.map(|method| SafeArgs::of(&json!({ "method": method })));
        let refusal = AuditEntry {
            args,
            ..refused(HANDSHAKE, reason.reason().into())
        };
        self.record_capped(&self.throttles().handshakes, refusal, |coalesced| {
            let reason = format!("throttled: {coalesced} initialize denials coalesced");
            refused(HANDSHAKE, reason.into())
        })
    }

    /// Records a cheap refusal of the bridge, within a cap of its own (r035). The reason is a fixed text.
    pub fn record_bridge_refusal(&self, reason: &'static str) -> JournalAck {
        let refusal = refused(BRIDGE, reason.into());
        self.record_capped(&self.throttles().bridge, refusal, |suppressed| {
            let reason = format!("throttled: {suppressed} further bridge denials suppressed");
            refused(BRIDGE, reason.into())
        })
    }

    /// Records a key that was refused at the sign-in page, at any rate (r036).
    pub fn record_key_refused_at_sign_in(&self) -> JournalAck {
        self.record(refused(BRIDGE, KEY_REFUSED.into()))
    }

    /// Records a key that was refused at the sign-in page because it never expires, at any rate (r036).
    pub fn record_key_without_end(&self, agent: &AgentName) -> JournalAck {
        self.record(AuditEntry {
            user_id: Some(OPERATOR),
            agent_id: Some(agent.into()),
            ..refused(BRIDGE, KEY_WITHOUT_END.into())
        })
    }

    /// Records that a token was given out for an agent's key: by which kind of grant, and to which client (r037).
    pub fn record_issued_token(
        &self,
        agent: &AgentName,
        grant: &'static str,
        client: &str,
    ) -> JournalAck {
        let args: Value = json!({ "grant": grant, "clientId": client });
        self.record(AuditEntry {
            user_id: Some(OPERATOR),
            agent_id: Some(agent.into()),
            args: Some(SafeArgs::of(&args)),
            outcome: Some(Outcome::Ok),
            ..AuditEntry::unfinished(BRIDGE)
        })
    }

    fn record_capped(
        &self,
        throttle: &Mutex<Throttle>,
        refusal: AuditEntry,
        summary: impl FnOnce(u64) -> AuditEntry,
    ) -> JournalAck {
        let now = self.clock().now();
        // One that is not recorded by itself was refused all the same.
        self.metrics().count_call(&refusal);
        let mut throttle = throttle.lock().unwrap_or_else(PoisonError::into_inner);
        // The queue is entered under the lock, so that a summary stands before the refusal that opened its window.
        let pushed = match throttle.admit(now) {
            ThrottleVerdict::Record => self.push([refusal]),
            ThrottleVerdict::RecordAfterSummary { coalesced } => {
                self.push([summary(coalesced), refusal])
            }
            ThrottleVerdict::Count => return JournalAck::settled(),
        };
        drop(throttle);
        self.journal_pushed(pushed)
    }
}

fn refused(verb: &'static str, reason: CleanText) -> AuditEntry {
    AuditEntry {
        decision: Decision::Deny(reason),
        outcome: None,
        ..AuditEntry::unfinished(verb)
    }
}
