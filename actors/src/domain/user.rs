use uuid::Uuid;

/// The one seeded user (spec §1). Every read is scoped to a user id; in shipped behaviour it is this one.
pub const OPERATOR: Uuid = Uuid::from_u128(0x0000_0000_0000_4000_8000_0000_0000_0001);
