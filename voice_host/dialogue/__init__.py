"""What was meant by an utterance, and the words for what the host says; pure."""
