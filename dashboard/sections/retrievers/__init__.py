"""The parts of the Retrievers page."""
