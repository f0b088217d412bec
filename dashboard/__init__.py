"""Show. The only floor that knows Streamlit, Plotly and the command line; it asks the workspace and draws."""
