"""The audit: gathered from the workspace, said by people, written as files."""
