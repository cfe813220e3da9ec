"""The screens: each owns what it shows, and says what a key does in one place."""
