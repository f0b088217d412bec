"""A topic's publications: imports, records, duplicates, and exports.

    files -> FileReading (importers) -> imports -> records -> publications, corpus, core set, versions

Records are stored; what a publication says, and what belongs to the corpus, the core set and the versions that came
from files, is worked out from them. So a merge can be undone and a source deleted.
"""
