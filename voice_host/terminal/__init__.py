"""The table in the terminal: what the table's page shows, for a screen without a browser, and a line to type what is said."""
