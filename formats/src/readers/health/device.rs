//! What measured: the source's name (an app, or a person's watch) and Apple's description of the device.
//!
//! A device stays the same over its versions, and so does its record: they are left out. So is the address in memory
//! with which Apple's description begins, which is another one in every export.

use std::collections::HashMap;

use serde_json::Value;

use super::element::HealthElement;
use crate::entry::{RecordFields, shorten};

/// Of the samples of a device the first holds it whole, and so does one of so many after it; the others hold its id. So the
/// device is there whatever single sample is refused, and a million samples do not repeat it.
const SAMPLES_PER_DEVICE: u64 = 500;
/// Devices whose samples are counted; a sample of any other one holds it whole.
const DEVICES_MAX: usize = 4096;

const PROVIDER: &str = "apple_health";
/// What Apple's description of a device is made of.
const KEYS: [&str; 9] = [
    "name",
    "manufacturer",
    "model",
    "hardware",
    "firmware",
    "software",
    "localIdentifier",
    "UDI",
    "creation date",
];

/// The devices of one file.
#[derive(Debug, Default)]
pub(super) struct Devices(HashMap<String, u64>);

impl Devices {
    /// Adds to a sample what measured it.
    pub(super) fn add_device(&mut self, element: &HealthElement, sample: &mut RecordFields) {
        let Some(device) = device_of(element) else {
            return;
        };
        let id = device.id();
        if self.is_known(&id) {
            sample.insert("device_id".to_owned(), id.into());
        } else {
            sample.insert("device".to_owned(), device.fields(id));
        }
    }

    fn is_known(&mut self, id: &str) -> bool {
        if let Some(samples) = self.0.get_mut(id) {
            *samples += 1;
            return *samples % SAMPLES_PER_DEVICE != 0;
        }
        if self.0.len() < DEVICES_MAX {
            self.0.insert(id.to_owned(), 0);
        }
        false
    }
}

/// Adds to a record whose table has no devices what it came from; ingest keeps it beside the columns.
pub(super) fn name_source(element: &HealthElement, record: &mut RecordFields) {
    let Some(device) = device_of(element) else {
        return;
    };
    if let Some(source) = device.source {
        record.insert("source_name".to_owned(), source.into());
    }
    if let Some(model) = device.model() {
        record.insert("device_model".to_owned(), model.into());
    }
}

struct HealthDevice<'a> {
    source: Option<&'a str>,
    description: Vec<(&'static str, &'a str)>,
}

fn device_of(element: &HealthElement) -> Option<HealthDevice<'_>> {
    let description = element
        .get("device")
        .map(parse_description)
        .unwrap_or_default();
    let source = element.get("sourceName");
    (source.is_some() || !description.is_empty()).then_some(HealthDevice {
        source,
        description,
    })
}

impl HealthDevice<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        let found = self.description.iter().find(|(name, _)| *name == key);
        found.map(|(_, value)| *value)
    }

    /// Two watches that bear one name after the other are two devices.
    fn id(&self) -> String {
        let parts = [self.source, self.model_code()];
        let parts: Vec<_> = parts.into_iter().flatten().map(shorten).collect();
        shorten(&parts.join(" / ")).into_owned()
    }

    fn model_code(&self) -> Option<&str> {
        ["hardware", "model", "name"]
            .into_iter()
            .find_map(|key| self.get(key))
    }

    /// `Apple Watch (Watch6,1)`.
    fn model(&self) -> Option<String> {
        let code = self.model_code()?;
        Some(match self.get("name").filter(|name| *name != code) {
            Some(name) => format!("{name} ({code})"),
            None => code.to_owned(),
        })
    }

    fn fields(&self, id: String) -> Value {
        let mut fields = RecordFields::new();
        let model = self.model().or(self.source.map(str::to_owned));
        let values = [
            ("id", Some(id)),
            ("provider", Some(PROVIDER.to_owned())),
            ("device_model", model),
            ("app_bundle", self.source.map(str::to_owned)),
            ("manufacturer", self.get("manufacturer").map(str::to_owned)),
        ];
        for (name, value) in values {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value.into());
            }
        }
        Value::Object(fields)
    }
}

/// `<<HKDevice: 0x28>, name:Apple Watch, hardware:Watch6,1>` by its keys, since values have commas as well.
fn parse_description(text: &str) -> Vec<(&'static str, &str)> {
    let text = text.trim_end_matches('>');
    let starts = KEYS.iter().filter_map(|key| {
        let at = text.find(&format!(", {key}:"))?;
        Some((at, at + key.len() + 3, *key))
    });
    let mut starts: Vec<_> = starts.collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|(at, ..)| *at);
    let ends: Vec<_> = ends.chain([text.len()]).collect();
    let values = starts
        .iter()
        .zip(ends)
        .filter_map(|((_, start, key), end)| Some((*key, text.get(*start..end)?.trim())));
    values.filter(|(_, value)| !value.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(device: &str) -> HealthElement {
        let tag = format!("Record sourceName=\"Ann\" device=\"{device}\"/");
        HealthElement::read(&tag, 1).unwrap()
    }

    fn mention_device(devices: &mut Devices, device: &str) -> RecordFields {
        let mut sample = RecordFields::new();
        devices.add_device(&element(device), &mut sample);
        sample
    }

    #[test]
    fn a_description_is_read_by_its_keys_without_its_address() {
        let text = "&lt;&lt;HKDevice: 0x2835&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, \
                    hardware:Watch6,1, software:9.1&gt;";
        let sample = mention_device(&mut Devices::default(), text);
        let expected = serde_json::json!({
            "id": "Ann / Watch6,1", "provider": "apple_health", "device_model": "Apple Watch (Watch6,1)",
            "app_bundle": "Ann", "manufacturer": "Apple Inc.",
        });
        assert_eq!(sample["device"], expected);
        let other = text.replace("2835", "9999").replace("9.1", "10.2");
        assert_eq!(
            mention_device(&mut Devices::default(), &other)["device"],
            expected
        );
    }

    #[test]
    fn a_device_comes_along_at_first_and_from_time_to_time() {
        let mut devices = Devices::default();
        let whole: Vec<_> = (0..=SAMPLES_PER_DEVICE)
            .filter(|_| mention_device(&mut devices, "").contains_key("device"))
            .collect();
        assert_eq!(whole, [0, SAMPLES_PER_DEVICE]);
        assert_eq!(mention_device(&mut devices, "")["device_id"], "Ann");
    }
}
