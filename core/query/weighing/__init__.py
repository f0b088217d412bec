"""What a query is worth: its terms, and why each core publication is found or missed."""
