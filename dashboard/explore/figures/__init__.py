"""Figures of Explore: core types in, plotly figures out. Pure, and without Streamlit.

`theme` holds the colours by role, `layers` says what a landscape shows and in which words, and the other modules draw.
"""
