"""The view "Write": what is wanted, who proposes keywords, and what that costs."""
