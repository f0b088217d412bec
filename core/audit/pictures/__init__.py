"""Pictures of a report, drawn from shapes: as SVG, without a browser."""
