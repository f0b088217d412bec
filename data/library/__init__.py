"""A topic's publications: imports, records, duplicates, and exports.

    files -> FileReading (importers) -> imports -> records -> publications, corpus, core set, versions

Records are stored. The content of a publication and the members of the corpus, the core set and the versions from files
are derived from them, so a merge can be undone and a source deleted.
"""
