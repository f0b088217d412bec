"""Many visitors of one workspace: their names, who is here, changes of others, and conflicts."""
