//! A browser as far as a sign-in elsewhere needs one: it keeps a cookie, and goes where it is sent.

use reqwest::header::{COOKIE, HOST, LOCATION, SET_COOKIE};
use reqwest::{Client, Method, Url, redirect};
use serde_json::Value;

use super::app::Answer;
use super::http;

/// A browser, which keeps the one cookie that it is given.
pub struct Browser {
    client: Client,
    console: u16,
    cookie: std::sync::Mutex<Option<String>>,
}

impl Browser {
    pub fn new(console: u16) -> Self {
        let client = http::builder().redirect(redirect::Policy::none());
        Self {
            client: client.build().unwrap(),
            console,
            cookie: std::sync::Mutex::default(),
        }
    }

    /// Sends JSON to the Console at `localhost`, as its page does.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        let sent = self.request(Method::POST, path).json(&body);
        let answer = sent.send().await.unwrap();
        if let Some(set) = answer.headers().get(SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap().to_owned();
            *self.cookie.lock().unwrap() = Some(pair);
        }
        Answer::of(answer).await
    }

    /// Goes where a provider sends it, and returns the id of the page that it is led on to.
    pub async fn follow(&self, address: &Url) -> String {
        let path = &address[url::Position::BeforePath..];
        let answer = self.request(Method::GET, path).send().await.unwrap();
        assert_eq!(answer.status(), 303);
        let led = answer.headers()[LOCATION].to_str().unwrap();
        led.strip_prefix("/connections?signin=").unwrap().to_owned()
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("http://127.0.0.1:{}{path}", self.console);
        let request = self.client.request(method, url);
        let request = request.header(HOST, format!("localhost:{}", self.console));
        match &*self.cookie.lock().unwrap() {
            Some(cookie) => request.header(COOKIE, cookie.clone()),
            None => request,
        }
    }
}
