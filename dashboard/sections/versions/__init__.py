"""The parts of the Versions page."""
