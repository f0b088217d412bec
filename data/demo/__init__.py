"""The built-in demo: made-up topics, written by our own code from our own word lists, the same at every build.

No publication, place, number or finding in it is real. Every id starts with "demo.", every topic name ends with
"(made up)", every text says so, and every DOI has the prefix 10.5555, which is reserved for examples.

A topic is a file of word lists in `topics/`; a new file is a new topic.

    publications.py  reads the word lists, and writes publications, core sets, query versions and a collection
    knowledge.py     makes the knowledge base: authors, institutions, fields and citations
    loading.py       loads all of it, or LitQEval, into a workspace
"""
