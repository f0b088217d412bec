"""Writing in the background: how far it is, what came of it, and the writings that there are."""
