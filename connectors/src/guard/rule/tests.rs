use proptest::prelude::*;

use super::*;

fn icloud() -> AddressRule {
    AddressRule::of_domains(Domain::parse("*.icloud.com"))
}

fn leads(rule: &AddressRule, address: &str) -> bool {
    Url::parse(address).is_ok_and(|address| rule.judge(&address).is_ok())
}

#[test]
fn r126_only_the_providers_own_names_are_led_to() {
    let rule = icloud();
    for address in [
        "https://caldav.icloud.com/",
        "https://p42-caldav.icloud.com:443/1234/",
        "https://P42-CALDAV.iCloud.COM/",
        "https://icloud.com/",
    ] {
        assert!(leads(&rule, address), "{address}");
    }
    for address in [
        "http://caldav.icloud.com/",
        "https://caldav.icloud.com.cn/",
        "https://caldav.icloud.com./",
        "https://noticloud.com/",
        "https://icloud.com.example/",
        "https://caldav.icloud.com:8443/",
        "https://op@caldav.icloud.com/",
        "https://op:word@caldav.icloud.com/",
        "https://caldav.icloud.com@sink.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://2130706433/",
        "https://xn--icloud-9ub.com/",
        "https://ıcloud.com/",
        "ftp://caldav.icloud.com/",
    ] {
        assert!(!leads(&rule, address), "{address}");
    }
}

#[test]
fn an_operators_own_host_is_that_host_and_port_alone() {
    let typed = Url::parse("https://dav.example:8443/dav/").unwrap();
    let rule = AddressRule::of_typed(&typed, Plaintext::Refused).unwrap();
    assert!(leads(&rule, "https://dav.example:8443/elsewhere"));
    assert!(!leads(&rule, "https://dav.example/dav/"));
    assert!(!leads(&rule, "https://sub.dav.example:8443/dav/"));
    assert!(!leads(&rule, "http://dav.example:8443/dav/"));
    let typed = Url::parse("https://op:word@dav.example/").unwrap();
    assert!(AddressRule::of_typed(&typed, Plaintext::Refused).is_err());
}

#[test]
fn no_tls_is_a_setting_of_its_own() {
    let typed = Url::parse("http://homeassistant.local:8123/").unwrap();
    assert!(AddressRule::of_typed(&typed, Plaintext::Refused).is_err());
    let rule = AddressRule::of_typed(&typed, Plaintext::ToPrivateAddresses).unwrap();
    assert!(leads(&rule, "http://homeassistant.local:8123/api/"));
    assert!(!leads(&rule, "http://homeassistant.local/api/"));
}

#[test]
fn streams_are_judged_by_the_same_names() {
    let rule = AddressRule::of_domains(Domain::parse("*.mail.me.com"));
    assert!(rule.judge_stream("imap.mail.me.com", 993).is_ok());
    for host in [
        "imap.mail.me.com.",
        "mail.me.com.example",
        "a@imap.mail.me.com",
        "127.0.0.1",
    ] {
        assert!(rule.judge_stream(host, 993).is_err(), "{host}");
    }
}

#[test]
fn what_is_no_name_is_no_domain() {
    for text in ["", "*.", "a b", "host:1", "a/b", "u@host", "host."] {
        assert_eq!(Domain::parse(text), None, "{text}");
    }
    let own = Domain::parse("Bücher.example");
    assert_eq!(own, Some(Domain::Host("xn--bcher-kva.example".to_owned())));
}

proptest! {
    #[test]
    fn whatever_is_led_to_is_https_at_the_domain(
        scheme in "https?|ftp",
        user in "([a-z]{1,3}(:[a-z]{1,3})?@)?",
        host in "([a-z0-9-]{0,8}\\.)?(icloud\\.com|icloud\\.com\\.|ICLOUD.com|icloud\\.co|xicloud\\.com)(\\.cn)?",
        port in "(:(443|80|8443))?",
    ) {
        let Ok(address) = Url::parse(&format!("{scheme}://{user}{host}{port}/a")) else {
            return Ok(());
        };
        if icloud().judge(&address).is_ok() {
            let host = address.host_str().unwrap();
            prop_assert_eq!(address.scheme(), "https");
            prop_assert!(host == "icloud.com" || host.ends_with(".icloud.com"));
            prop_assert_eq!(address.port_or_known_default(), Some(443));
            prop_assert!(address.username().is_empty());
        }
    }
}
