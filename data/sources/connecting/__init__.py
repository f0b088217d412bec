"""The way to a service: requests, answers, keys, pace, and what was spent."""
