"""The panes of the screens: each is bound to what it shows and draws what ``tui.draw`` gives it."""
