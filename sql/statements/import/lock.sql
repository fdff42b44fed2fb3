-- Nobody makes or changes a connection, and nothing is pushed, until the import has ended; reading goes on. What is being
-- pushed is waited for: it holds its connection.
LOCK TABLE connections IN EXCLUSIVE MODE
