"""The Workbench: drafts of a search string, and the answers to requests from the browser."""
