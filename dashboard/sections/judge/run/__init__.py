"""What is judged, by whom and at what price; runs that there are."""
