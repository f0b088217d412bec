"""The guide: pages that are written from the tables of the product."""
