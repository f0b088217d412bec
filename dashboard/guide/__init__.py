"""The guide: pages generated from the product's own tables."""
