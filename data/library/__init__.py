"""A topic's own files: sources, their records, and the publications that the records are taken to be.

    files -> FileReading (importers) -> bring -> records -> publications, corpus, core set, versions

Records are what is kept; what a publication says, and who belongs to the corpus, the core set and the versions that
came from files, is worked out from them. So a merge can be undone and a source taken away.
"""
