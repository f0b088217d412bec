"""An audit as one file that another machine can check."""
