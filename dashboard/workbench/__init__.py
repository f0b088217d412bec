"""The Query page without the page: drafts, what becomes of them, and the answers to what is asked in the browser."""
