"""The browser-side parts: their code, what is sent to them, and what they send back."""
