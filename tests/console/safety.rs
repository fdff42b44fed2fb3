//! Safety as a browser keeps it: another name of the service, another site's page, and a frame around the Console.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::json;

use crate::harness::browser::FOREIGN;
use crate::harness::in_browser;

/// Serves an empty page under the foreign name; its address.
fn foreign_page() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            // A connection that the browser opens ahead may end without a request.
            drop(stream.read(&mut [0; 4096]));
            let page = "<!doctype html><title>Foreign</title>";
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close";
            let length = page.len();
            drop(write!(
                stream,
                "{head}\r\ncontent-length: {length}\r\n\r\n{page}"
            ));
        }
    });
    format!("http://{FOREIGN}:{port}/")
}

#[test]
fn r100_the_console_under_a_foreign_name_is_refused() {
    in_browser("safety::host", async |console| {
        console.browser.expect("403");
        console.browser.expect("Cross-Origin-Opener-Policy");
        let page = &console.browser;
        let foreign = console.service.console.replace("127.0.0.1", FOREIGN);
        page.client.goto(&foreign).await.unwrap();
        page.shows("forbidden_host").await;
    });
}

#[test]
fn another_sites_page_can_neither_post_to_the_console_nor_frame_it() {
    in_browser("safety::cross_site", async |console| {
        console.browser.expect("403");
        console.browser.expect("favicon");
        let page = &console.browser;
        page.client.goto(&foreign_page()).await.unwrap();
        // A form is sent without asking; its answer is shown.
        let post = "const form = document.createElement('form'); form.method = 'post'; form.enctype = 'text/plain'; \
            form.action = arguments[0]; document.body.append(form); form.submit();";
        let url = format!("{}/api/sample", console.service.console);
        page.run(post, vec![json!(url)]).await;
        page.shows("forbidden_host").await;
        let connections = console.get("/api/connections").await;
        assert_eq!(connections["connections"], json!([]));
        page.client.goto(&foreign_page()).await.unwrap();
        page.complaints().await;
        let frame = "const [url, done] = arguments; const frame = document.createElement('iframe'); frame.onload = () => done(true); frame.src = url; document.body.append(frame)";
        page.client
            .execute_async(frame, vec![json!(console.service.console)])
            .await
            .unwrap();
        let told = page.complaints().await;
        assert!(
            told.iter().any(|text| text.contains("frame-ancestors")),
            "{told:?}"
        );
    });
}

#[test]
fn every_page_and_every_file_that_it_loads_has_the_policy() {
    in_browser("safety::policy", async |console| {
        let page = &console.browser;
        for screen in ["/", "/agents", "/activity", "/data", "/settings"] {
            page.open(screen).await;
            let script = "const [done] = arguments; \
                const loaded = performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.includes('/static/')); \
                const without = async (url) => ((await fetch(url)).headers.get('content-security-policy') ?? '').includes(\"frame-ancestors 'none'\") ? [] : [url]; \
                Promise.all([location.href, ...loaded].map(without)).then((urls) => done({ loaded: loaded.length, without: urls.flat() }))";
            let told = page.client.execute_async(script, vec![]).await.unwrap();
            assert_eq!(told["without"], json!([]), "{screen}");
            assert!(told["loaded"].as_u64().unwrap() > 20, "{screen} {told}");
        }
    });
}
