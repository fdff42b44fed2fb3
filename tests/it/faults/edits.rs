//! An edit of an agent whose COMMIT is lost, in each possible way: no agent keeps what the edit may have taken away.

use serde_json::{Value, json};
use sextant_actors::domain::AgentName;
use tokio_postgres::Client as Postgres;

use super::Faulty;
use crate::mcp::support::{Client, body_of, json_of};
use crate::support::app::Answer;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::{Act, When};

/// In the text of every edit's transaction, and of no other.
const EDIT: &str = "FOR UPDATE";
/// In the text of what reads a grant again.
const READING: &str = "LOCK TABLE agents";

#[derive(Clone, Copy, Debug)]
enum Edit {
    Rotate,
    Sectors,
    Deadline,
    Revoke,
    Remove,
}

impl Edit {
    const ALL: [Self; 5] = [
        Self::Rotate,
        Self::Sectors,
        Self::Deadline,
        Self::Revoke,
        Self::Remove,
    ];

    async fn make(self, faulty: &Faulty) -> Answer {
        let app = &faulty.app;
        match self {
            Self::Rotate => app.rotate_agent("claude").await,
            Self::Sectors => {
                let body = json!({ "sectors": ["home"] });
                app.amend_agent("claude", body).await
            }
            Self::Deadline => {
                let body = json!({ "expiresInDays": 3 });
                app.amend_agent("claude", body).await
            }
            Self::Revoke => app.revoke_agent("claude").await,
            Self::Remove => app.remove_agent("claude").await,
        }
    }

    fn keeps_the_key(self) -> bool {
        matches!(self, Self::Sectors | Self::Deadline)
    }
}

/// An agent with a live session, and another one that is not edited.
struct Scene {
    faulty: Faulty,
    /// Connected directly, not through the proxy with its faults.
    database: Postgres,
    claude: Client,
    session: String,
    bystander: (Client, String),
}

impl Scene {
    async fn set() -> Self {
        let faulty = Faulty::start().await;
        let claude = faulty.agent("claude", &["finance"]).await;
        let other = faulty.agent("chatgpt", &["finance"]).await;
        let (session, others) = (claude.session().await, other.session().await);
        Self {
            database: faulty.app.database.connect().await,
            faulty,
            claude,
            session,
            bystander: (other, others),
        }
    }

    /// Asserts that the answer says that the outcome is unknown and what to do, that the sessions are gone and that
    /// the key is refused.
    async fn expect_cut_off(&self, answer: Answer, edit: Edit) {
        let body = answer.expect(503);
        assert_eq!(body["error"], "unavailable", "{body}");
        let said = body["message"].as_str().unwrap();
        assert!(
            said.contains("nobody knows") && said.contains("look at it"),
            "{said}"
        );
        self.expect_refused(edit).await;
        let live = self.faulty.app.tree.sessions.list(None).await;
        assert!(
            live.iter()
                .all(|session| session.agent.as_str() != "claude"),
            "{edit:?}"
        );
        let (other, session) = &self.bystander;
        let call = other.session_call(session, "list_actions", json!({}));
        assert_eq!(body_of(call).await.0, 200, "{edit:?}");
    }

    async fn expect_refused(&self, edit: Edit) {
        assert_eq!(self.modern().await.0, 401, "{edit:?}");
        let call = self
            .claude
            .session_call(&self.session, "list_actions", json!({}));
        assert_eq!(body_of(call).await.0, 401, "{edit:?}");
    }

    /// What a stateless request with the key gets now.
    async fn modern(&self) -> (u16, Value) {
        json_of(self.claude.modern_call("describe_context", json!({}))).await
    }

    /// The agent's row: sectors, whether it is revoked, whether it expires, the key's digest.
    async fn row(&self) -> Option<(Vec<String>, bool, bool, Vec<u8>)> {
        let sql = "SELECT sectors, revoked_at IS NOT NULL, expires_at IS NOT NULL, key_hash FROM agents WHERE name = 'claude'";
        let row = self.database.query_opt(sql, &[]).await.unwrap()?;
        Some((row.get(0), row.get(1), row.get(2), row.get(3)))
    }

    /// As [`Self::row`], from the published snapshot.
    fn published(&self) -> Option<(Vec<String>, bool, bool, Vec<u8>)> {
        let name: AgentName = "claude".parse().unwrap();
        let grant = self.faulty.app.tree.grants.get(&name)?;
        Some((
            grant.sectors,
            grant.revoked_at.is_some(),
            grant.expires_at.is_some(),
            grant.key_digest.as_bytes().to_vec(),
        ))
    }

    /// Asserts that the service serves what the table says, and that no key that the table lacks was accepted
    /// meanwhile.
    async fn expect_restored(&self, edit: Edit, is_committed: bool) {
        let lives = !is_committed || edit.keeps_the_key();
        let row = self.row().await;
        eventually(&format!("the row is served after {edit:?}"), async || {
            let status = self.modern().await.0;
            assert!(lives || status == 401, "{edit:?}: {status}");
            self.published() == row && (status == 200) == lives
        })
        .await;
        if lives {
            let answer = self.modern().await.1;
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            let context: Value = serde_json::from_str(text).unwrap();
            assert_eq!(context["sectors"], json!(row.unwrap().0), "{edit:?}");
            let call = self
                .claude
                .session_call(&self.session, "list_actions", json!({}));
            assert_eq!(body_of(call).await.0, 404, "{edit:?}: the old session");
        }
    }
}

#[actix_web::test]
async fn r067_r024_an_edit_whose_commit_is_not_answered_cuts_the_agent_off_until_its_row_has_been_read()
 {
    for edit in Edit::ALL {
        let scene = Scene::set().await;
        let before = scene.row().await;
        let way = &scene.faulty.way;
        let lost = way.inject(When::CommitAfter(EDIT), Act::LoseAnswer, 1);
        let unread = way.inject(When::Statement(READING), Act::HangUp("57P01"), usize::MAX);
        let answer = edit.make(&scene.faulty).await;
        assert_eq!(lost.count(), 1, "{edit:?}");
        assert_ne!(scene.row().await, before, "{edit:?}: it was committed");
        scene.expect_cut_off(answer, edit).await;
        unread.wait_for(2).await;
        scene.expect_refused(edit).await;
        way.mend();
        scene.expect_restored(edit, true).await;
    }
}

#[actix_web::test]
async fn r067_an_edit_whose_commit_never_reached_the_server_is_read_again_too() {
    for edit in [Edit::Revoke, Edit::Rotate] {
        let scene = Scene::set().await;
        let before = scene.row().await;
        let way = &scene.faulty.way;
        way.inject(When::CommitAfter(EDIT), Act::CutBefore, 1);
        let unread = way.inject(When::Statement(READING), Act::CutBefore, usize::MAX);
        let answer = edit.make(&scene.faulty).await;
        scene.expect_cut_off(answer, edit).await;
        unread.wait_for(2).await;
        way.mend();
        scene.expect_restored(edit, false).await;
        assert_eq!(scene.row().await, before);
    }
}

#[actix_web::test]
async fn r067_a_commit_that_arrives_late_is_waited_for_before_the_key_lives_again() {
    let waiting = "SELECT 1 FROM pg_locks WHERE relation = 'agents'::regclass AND NOT granted";
    for edit in [Edit::Revoke, Edit::Rotate, Edit::Remove] {
        let scene = Scene::set().await;
        let late = scene
            .faulty
            .way
            .inject(When::CommitAfter(EDIT), Act::Strand, 1);
        let answer = edit.make(&scene.faulty).await;
        scene.expect_cut_off(answer, edit).await;
        eventually("the reading waits for the commit", async || {
            scene.expect_refused(edit).await;
            scene
                .database
                .query_opt(waiting, &[])
                .await
                .unwrap()
                .is_some()
        })
        .await;
        let before = scene.row().await;
        late.release();
        eventually("the commit has arrived", async || {
            scene.row().await != before
        })
        .await;
        scene.expect_restored(edit, true).await;
    }
}

#[actix_web::test]
async fn r067_an_edit_over_a_database_that_went_away_stays_undone_and_says_so() {
    let scene = Scene::set().await;
    let before = scene.row().await;
    let refusals = [Act::HangUp("57P01"), Act::Refuse("53100"), Act::CutBefore];
    for act in refusals {
        scene.faulty.way.inject(When::Statement(EDIT), act, 1);
        let said = Edit::Revoke.make(&scene.faulty).await.expect(503);
        let said = said["message"].as_str().unwrap().to_owned();
        assert!(said.contains("nothing was changed"), "{act:?}: {said}");
        assert_eq!(scene.row().await, before, "{act:?}");
        assert_eq!(scene.modern().await.0, 200, "{act:?}");
    }
    // A serialization conflict is no failure: the edit is retried.
    scene
        .faulty
        .way
        .inject(When::CommitAfter(EDIT), Act::Refuse("40001"), 2);
    Edit::Revoke.make(&scene.faulty).await.expect(200);
    scene.expect_refused(Edit::Revoke).await;
}
