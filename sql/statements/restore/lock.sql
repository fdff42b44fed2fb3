-- Nobody makes or changes a connection until the import has ended; reading goes on.
LOCK TABLE connections IN SHARE ROW EXCLUSIVE MODE
