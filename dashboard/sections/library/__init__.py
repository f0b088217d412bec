"""The parts of the page Library, one file each."""
