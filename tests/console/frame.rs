//! The frame of every screen.

use crate::harness::{axe, in_browser};

#[test]
fn every_place_is_reached_by_its_link_and_by_its_address() {
    in_browser("frame::every_place", async |console| {
        let page = &console.browser;
        page.open("/settings").await;
        for (name, address) in [
            ("Connections", "/connections"),
            ("Agents", "/agents"),
            ("Activity", "/activity"),
            ("Data", "/data"),
            ("Settings", "/settings"),
        ] {
            page.link(name).click().await;
            page.is_at(address).await;
            page.is_ready().await;
            let title = page.client.title().await.unwrap();
            assert_eq!(title, format!("{name} · Sextant"));
            page.client.refresh().await.unwrap();
            page.is_ready().await;
            assert_eq!(page.path().await, address);
        }
        page.client.back().await.unwrap();
        page.is_at("/data").await;
        page.open("/agents/some/thing/else/entirely/here").await;
        page.shows("There is no such screen").await;
    });
}

#[test]
fn the_theme_is_chosen_and_kept() {
    in_browser("frame::theme", async |console| {
        let page = &console.browser;
        let is_dark = "return document.documentElement.classList.contains('dark')";
        page.set_theme("dark").await;
        page.open("/settings").await;
        page.eventually("it is the system's", is_dark).await;
        page.button("Theme: system").click().await;
        page.eventually(
            "it is light",
            "return !document.documentElement.classList.contains('dark')",
        )
        .await;
        page.client.refresh().await.unwrap();
        page.button("Theme: light").click().await;
        page.eventually("it is dark", is_dark).await;
        page.set_theme("light").await;
        page.client.refresh().await.unwrap();
        page.eventually("it stays dark", is_dark).await;
    });
}

#[test]
fn r105_nothing_asks_for_a_login_and_every_place_is_accessible_at_every_width() {
    in_browser("frame::accessible", async |console| {
        console.load_sample().await;
        let page = &console.browser;
        for place in [
            "/",
            "/welcome",
            "/connections",
            "/agents",
            "/activity",
            "/data",
            "/settings",
        ] {
            page.open(place).await;
            axe::everywhere(page, place).await;
            let text = page.text().await.to_lowercase();
            assert!(
                !text.contains("log in") && !text.contains("password"),
                "{place}"
            );
        }
    });
}
