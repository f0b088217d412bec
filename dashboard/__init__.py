"""Shows. Asks the workspace and draws; the only folder that knows the screen and the command line."""
