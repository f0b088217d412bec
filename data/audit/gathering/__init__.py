"""What the workspace knows that an audit tells."""
