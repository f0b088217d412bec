"""The built-in demo: made-up topics, written by our own code from our own word lists, the same at every build.

No publication, place, number or finding in it is real. Every id starts with "demo.", every topic name ends with
"(made up)", every text says so, and every DOI has the prefix 10.5555, which is reserved for examples.

A topic is a folder of word lists in `topics/`; a new folder is a new topic.

    words.py    reads the word lists
    writing.py  writes one publication
    building.py makes a topic: publications, core set, query versions
    benchmark.py makes the collection that retrievers are tried on, with the queries of benchmark.toml
    naming.py   makes names of people, institutions and fields from knowledge.toml
    knowledge.py makes the knowledge base: who wrote the collection's publications, where, on what, and whom they cite
"""
