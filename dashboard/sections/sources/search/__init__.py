"""The view "Search": one string, several sources, what each would be sent, and the button that runs it."""
