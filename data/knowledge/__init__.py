"""Knowledge bases on disk: loaders, templates, statistics, queries by people, and synthesis runs."""
