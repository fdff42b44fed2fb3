//! Connections of devices: journeys 7, 9 and 11.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::element::Role;
use crate::harness::in_browser;

/// Pushes as the dialog's own command says.
async fn run_command(command: &str) -> Value {
    let output = tokio::process::Command::new("sh")
        .arg("-c")
        .arg(command)
        .output()
        .await
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{command}: {output:?}"))
}

#[test]
fn a_new_connections_secret_comes_with_a_push_that_works() {
    in_browser("connections::new", async |console| {
        let page = &console.browser;
        page.open("/connections").await;
        page.shows("No sources yet").await;
        page.link("Connect a source").click().await;
        page.link("Push from a device").click().await;
        page.is_at("/connections/new/push").await;
        page.button("Create connection").click().await;
        page.shows("Give it a label").await;
        page.field("Sector").choose("health").await;
        page.field("Table").choose("health.sleeps").await;
        page.field("Label").type_text("Ring <b>of</b> Ada").await;
        page.button("Create connection").click().await;
        page.shows("This is the only time the secret is shown.")
            .await;
        page.eventually(
            "the command is shown",
            "return Boolean(document.querySelector('[data-testid=push]'))",
        )
        .await;
        let command = page
            .run(
                "return document.querySelector('[data-testid=push]').textContent",
                vec![],
            )
            .await;
        let answer = run_command(command.as_str().unwrap()).await;
        assert_eq!(answer["inserted"], 1, "{answer}");
        page.the(Role::Checkbox, "I have stored this secret")
            .click()
            .await;
        page.button("Done").click().await;
        page.shows("Ring <b>of</b> Ada").await;
        let secret = command
            .as_str()
            .unwrap()
            .split("Bearer ")
            .nth(1)
            .unwrap()
            .split('\'')
            .next()
            .unwrap()
            .to_owned();
        assert_eq!(
            page.run(
                "return document.documentElement.outerHTML.includes(arguments[0])",
                vec![json!(secret)]
            )
            .await,
            json!(false)
        );
    });
}

#[test]
fn r083_pause_and_resume_are_recorded_and_a_paused_one_refuses_pushes() {
    in_browser("connections::pause", async |console| {
        let device = console.service.device("health.samples").await;
        let push = async || {
            let body = json!([{ "metric": "steps", "value": 5, "unit": "count", "start_at": "2026-01-01T10:00:00Z" }]);
            console
                .service
                .push(&device, body.to_string())
                .send()
                .await
                .unwrap()
                .status()
                .as_u16()
        };
        let page = &console.browser;
        page.open(&format!("/connections/{}", device.id)).await;
        page.shows("No pushes yet").await;
        page.button("Pause").click().await;
        page.shows("Paused. Pushes to it are answered 401.").await;
        assert_eq!(push().await, 401);
        page.button("Resume").click().await;
        page.hides("Pushes to it are answered 401.").await;
        page.shows("Refused").await;
        assert_eq!(push().await, 200);
        page.shows("Stored").await;
        page.open("/activity?agent=operator").await;
        page.shows("pause").await;
        page.shows("resume").await;
    });
}

#[test]
fn a_rotated_secret_is_shown_once_and_the_old_one_is_refused() {
    in_browser("connections::rotate", async |console| {
        let device = console.service.device("contacts.people").await;
        let body = json!([{ "id": "p1", "full_name": "Ada" }]).to_string();
        let page = &console.browser;
        page.open(&format!("/connections/{}", device.id)).await;
        page.button("Rotate secret").click().await;
        page.the(Role::Button, "Rotate secret").click().await;
        page.shows("This is the only time the secret is shown.")
            .await;
        let secret = page
            .run(
                "return document.querySelector('[data-testid=secret]').textContent",
                vec![],
            )
            .await;
        page.client.refresh().await.unwrap();
        page.is_ready().await;
        let held = page
            .run(
                "return document.documentElement.outerHTML.includes(arguments[0])",
                vec![secret.clone()],
            )
            .await;
        assert_eq!(held, json!(false));
        assert_eq!(
            console
                .service
                .push(&device, body.clone())
                .send()
                .await
                .unwrap()
                .status(),
            401
        );
        let path = format!("/api/ingest/{}", device.id);
        let request = console
            .service
            .request(Method::POST, &path)
            .bearer_auth(secret.as_str().unwrap());
        let answer = request
            .header("content-type", "application/json")
            .body(body)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 200);
    });
}

#[test]
fn a_disconnect_says_how_many_rows_there_are_and_can_be_left() {
    in_browser("connections::disconnect", async |console| {
        let device = console.service.device("contacts.people").await;
        let body =
            json!([{ "id": "p1", "full_name": "Ada" }, { "id": "p2", "full_name": "Grace" }]);
        console
            .service
            .push(&device, body.to_string())
            .send()
            .await
            .unwrap();
        let page = &console.browser;
        page.open("/connections").await;
        page.button("Disconnect contacts.people").click().await;
        page.shows("Its rows: 2 rows").await;
        page.button("Cancel").click().await;
        assert_eq!(
            console.get("/api/connections").await["connections"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
        page.button("Disconnect contacts.people").click().await;
        page.shows("Its rows: 2 rows").await;
        page.the(Role::Radio, "Delete them").click().await;
        page.the(Role::Button, "Disconnect").click().await;
        page.shows("Its rows are deleted.").await;
        page.shows("No sources yet").await;
    });
}

#[test]
fn the_sample_is_marked_and_leaves_in_one_click() {
    in_browser("connections::sample", async |console| {
        let page = &console.browser;
        page.open("/connections").await;
        page.button("Load the sample household").click().await;
        page.shows("13 connections of the sample household").await;
        page.field("Sector").choose("mail").await;
        page.is_at("/connections?sector=mail").await;
        page.hides("Sample · Finance").await;
        page.button("Remove the sample household").click().await;
        page.shows("The sample household is gone").await;
        page.shows("No sources yet").await;
    });
}
