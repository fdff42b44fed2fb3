-- Of what the booking day of a pending transaction was made, where the bank had told none.
ALTER TABLE finance.transactions ADD COLUMN booked_on_from text;
