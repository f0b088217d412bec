"""The page "New search string", its keyword board, and its commands."""
