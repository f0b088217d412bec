"""What the labs compute: small, quick, and with nothing loaded."""
