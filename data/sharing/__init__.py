"""Share one open store between processes: the owner has the file open, and guests send it their statements."""
