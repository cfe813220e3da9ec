"""What the widgets show, as styled text: pure functions of a session, tested without an app."""
