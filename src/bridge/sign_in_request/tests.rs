use super::super::client::ClientId;
use super::*;

const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn query(changes: &[(&str, Option<&str>)]) -> String {
    let mut all = vec![
        ("client_id", Some("sxc_1")),
        ("redirect_uri", Some("https://client.example/cb")),
        ("response_type", Some("code")),
        ("code_challenge", Some(CHALLENGE)),
        ("code_challenge_method", Some("S256")),
        ("resource", Some("https://box.example/mcp")),
        ("state", Some("s")),
    ];
    all.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    all.extend(changes);
    let given = all
        .iter()
        .filter_map(|(name, value)| Some((*name, (*value)?)));
    url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(given)
        .finish()
}

fn judge(changes: &[(&str, Option<&str>)]) -> Result<SignInRequest, SignInFault> {
    let client = BridgeClient {
        id: ClientId::parse("sxc_1").unwrap(),
        name: None,
        redirects: vec![RedirectAddress::parse("https://client.example/cb").unwrap()],
    };
    let parameters = OAuthParameters::parse(query(changes).as_bytes()).unwrap();
    let asking = AskingClient::read(parameters).map_err(SignInFault::Unanswerable)?;
    asking.of_client(
        client,
        &PublicAddress::parse("https://box.example").unwrap(),
    )
}

#[test]
fn a_request_is_for_a_code_of_this_service_at_a_known_address() {
    let whole = judge(&[]).unwrap();
    assert_eq!(whole.state.as_deref(), Some("s"));
    assert_eq!(whole.challenge, CHALLENGE);
    assert_eq!(whole.carried().restored().unwrap(), whole);
    for lax in [
        ("resource", None),
        ("resource", Some("https://box.example")),
        ("state", None),
        ("scope", Some("anything")),
    ] {
        assert!(judge(&[lax]).is_ok(), "{lax:?}");
    }
}

#[test]
fn an_address_that_was_not_registered_letter_by_letter_is_answered_nowhere() {
    for address in [
        "https://client.example/cb/",
        "https://client.example/cb?x=1",
        "https://client.example:443/cb",
        "https://CLIENT.example/cb",
        "http://client.example/cb",
        "https://evil.example/cb",
    ] {
        let judged = judge(&[("redirect_uri", Some(address))]);
        let fault = SignInFault::Unanswerable(Unanswerable::OtherAddress);
        assert_eq!(judged, Err(fault), "{address}");
    }
    assert!(judge(&[("redirect_uri", None)]).is_err());
}

#[test]
fn what_else_is_wrong_the_client_is_told() {
    let long = "x".repeat(STATE_BYTES_MAX + 1);
    for (change, expected) in [
        (
            ("response_type", Some("token")),
            "unsupported_response_type",
        ),
        (("response_type", None), "invalid_request"),
        (("code_challenge", None), "invalid_request"),
        (("code_challenge", Some("short")), "invalid_request"),
        (("code_challenge_method", Some("plain")), "invalid_request"),
        (("code_challenge_method", None), "invalid_request"),
        (("state", Some(long.as_str())), "invalid_request"),
        (
            ("resource", Some("https://evil.example/mcp")),
            "invalid_target",
        ),
        (
            ("resource", Some("https://box.example/other")),
            "invalid_target",
        ),
    ] {
        let Err(SignInFault::Refused(refused)) = judge(&[change]) else {
            panic!("{change:?}")
        };
        let (error, state) = (refused.error, refused.state);
        assert_eq!(error, expected, "{change:?}");
        let kept = if change.0 == "state" { None } else { Some("s") };
        assert_eq!(state.as_deref(), kept);
    }
}
