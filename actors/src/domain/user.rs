use uuid::Uuid;

/// The one operator (r006). Every read is bound to a user id, and the service knows no other.
pub const OPERATOR: Uuid = Uuid::from_u128(0x0000_0000_0000_4000_8000_0000_0000_0001);
