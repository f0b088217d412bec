"""Figures of scores: core types in, plotly figures out. Pure, and without Streamlit."""
