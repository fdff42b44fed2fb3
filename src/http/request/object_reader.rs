//! The fields of one object as serde reads them.
//!
//! A type is given its fields in the order in which it declares them, also those that were not sent, so that the fault that is
//! named first does not depend on the sender, and a type can say in its own words what is missing.

use serde::de::value::{StrDeserializer, StringDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use super::misread::Misread;

/// The names of a type's fields, in its order; of a tuple of types whose fields may all be left out, those of each.
pub(super) fn field_names<T: DeserializeOwned>() -> Vec<&'static str> {
    let mut reader = ObjectReader::new(Map::new());
    // The names are given before the first field is looked for.
    let _missing = T::deserialize(&mut reader);
    reader.known
}

/// The fields that were sent and not read yet.
pub struct ObjectReader {
    sent: Map<String, Value>,
    known: Vec<&'static str>,
}

impl ObjectReader {
    pub fn new(sent: Map<String, Value>) -> Self {
        Self {
            sent,
            known: Vec::new(),
        }
    }

    /// A field that no type has read.
    pub fn unknown(self) -> Option<String> {
        self.sent.into_iter().next().map(|(name, _)| name)
    }
}

impl<'de> Deserializer<'de> for &mut ObjectReader {
    type Error = Misread;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.known.extend(fields);
        visitor.visit_map(FieldsInOrder {
            sent: &mut self.sent,
            fields: fields.iter(),
            current: "",
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        visitor.visit_seq(TypesInOrder(self))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Misread> {
        Err(Misread::NotA("an object"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple_struct map enum identifier ignored_any
    }
}

/// The types of a tuple, which share the fields.
struct TypesInOrder<'reader>(&'reader mut ObjectReader);

impl<'de> SeqAccess<'de> for TypesInOrder<'_> {
    type Error = Misread;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Misread> {
        seed.deserialize(&mut *self.0).map(Some)
    }
}

/// The fields of one type.
struct FieldsInOrder<'reader> {
    sent: &'reader mut Map<String, Value>,
    fields: std::slice::Iter<'static, &'static str>,
    current: &'static str,
}

impl<'de> MapAccess<'de> for FieldsInOrder<'_> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misread> {
        let Some(field) = self.fields.next() else {
            return Ok(None);
        };
        self.current = field;
        let name: StrDeserializer<'_, Misread> = field.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Misread> {
        let read = match self.sent.remove(self.current) {
            Some(value) => seed.deserialize(Sent {
                value,
                is_whole_field: true,
            }),
            None => seed.deserialize(Absent),
        };
        read.map_err(|misread| misread.at(self.current))
    }
}

/// A field that was not sent.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Misread;

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_none()
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Misread> {
        Err(Misread::Missing)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A value that was sent.
struct Sent {
    value: Value,
    /// Whether an `Option` stands for the field, so that null is a value of it.
    is_whole_field: bool,
}

impl Sent {
    fn text(self) -> Result<String, Misread> {
        match self.value {
            Value::String(text) => Ok(text),
            _ => Err(Misread::NotA("text")),
        }
    }
}

impl<'de> Deserializer<'de> for Sent {
    type Error = Misread;

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        if self.value.is_null() && !self.is_whole_field {
            return visitor.visit_none();
        }
        visitor.visit_some(Sent {
            value: self.value,
            is_whole_field: false,
        })
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_string(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        let word: StringDeserializer<Misread> = self.text()?.into_deserializer();
        visitor.visit_enum(word)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        visitor.visit_newtype_struct(self)
    }

    /// serde_json keeps the digits of numbers; its faults would say back what was sent, and a problem carries no value.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let read = self.value.deserialize_any(visitor);
        read.map_err(|_fault| Misread::NotA("GET /api/openapi.json describes it"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}
