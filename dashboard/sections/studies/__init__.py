"""The parts of the Studies page."""
