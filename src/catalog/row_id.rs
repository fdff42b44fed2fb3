//! The id of a record's row: the same record has the same id, however often it is sent.

use uuid::Uuid;

/// The namespace of all row ids (UUID version 5, RFC 9562).
const NAMESPACE: Uuid = Uuid::from_u128(0x8a5d_2f1c_6b0e_4c7a_9d43_5e1f_7a29_c0b6);

/// The id of the row with this `source_id` in the table `target` (such as `finance.transactions`) of the connection.
pub fn row_id(connection: Uuid, target: &str, source_id: &str) -> Uuid {
    Uuid::new_v5(
        &NAMESPACE,
        format!("{connection}/{target}/{source_id}").as_bytes(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_depends_on_connection_table_and_name() {
        let connection = Uuid::from_u128(1);
        let id = row_id(connection, "finance.transactions", "a");
        assert_eq!(id, row_id(connection, "finance.transactions", "a"));
        assert_ne!(id, row_id(Uuid::from_u128(2), "finance.transactions", "a"));
        assert_ne!(id, row_id(connection, "finance.accounts", "a"));
    }
}
