"""The interface. The only floor that knows Streamlit, Plotly and the command line; it reads the workspace and draws."""
