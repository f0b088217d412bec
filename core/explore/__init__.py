"""Score a query version: regions, landscape, uncertainty, comparisons, studies, and the labs' computations."""
