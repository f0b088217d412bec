"""Embedding and chat models, on this machine and behind services, with their prices."""
