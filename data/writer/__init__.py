"""The query writer at work: what is read, who is asked, what came, and all of it kept."""
