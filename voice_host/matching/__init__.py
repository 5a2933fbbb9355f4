"""How far what was heard is from what was meant, measured by sound; pure."""
