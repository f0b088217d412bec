"""Figures of Explore: core types in, plotly figures out. Pure, and without Streamlit."""
