"""What a knowledge base holds and how sets of queries are worded, in numbers."""
