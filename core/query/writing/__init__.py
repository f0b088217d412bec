"""From tree to text in any dialect, with a list of what could not be said exactly."""
