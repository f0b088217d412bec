"""Handing a selection to other programs: which publications, and one file per format that they are written in."""
