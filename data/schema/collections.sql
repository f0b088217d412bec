-- Documents with queries and judgments, to run retrievers over. origin: where it came from. content_key changes with the
-- documents and the texts of the queries. splits: parts of the queries by name. report: notes, and what the checker said.
CREATE TABLE collections (
    name VARCHAR PRIMARY KEY,
    made_up BOOLEAN NOT NULL,
    origin VARCHAR NOT NULL,
    content_key VARCHAR NOT NULL,
    splits JSON NOT NULL,
    report JSON NOT NULL,
    saved_at VARCHAR NOT NULL
);

-- What can be found in a collection, in the given order.
CREATE TABLE collection_documents (
    collection VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    doc_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    text VARCHAR NOT NULL
);

-- Its queries, in the given order. labels: pairs of name and value.
CREATE TABLE collection_queries (
    collection VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    query_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    labels JSON NOT NULL
);

-- Its given truth, in the given order, also of documents and queries that it does not hold.
CREATE TABLE collection_judgments (
    collection VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    query_id VARCHAR NOT NULL,
    doc_id VARCHAR NOT NULL,
    relevance BIGINT NOT NULL
);

-- What a retriever answered to the queries of a collection, which need not be kept here. run_id names the documents, the
-- queries, the retriever and the depth. documents_key: whose rows the rankings name. n_done: queries that are answered.
-- arrays is an .npz: the ids of those queries, rankings and times.
CREATE TABLE runs (
    run_id VARCHAR PRIMARY KEY,
    collection VARCHAR NOT NULL,
    split VARCHAR,
    spec_text VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    documents_key VARCHAR NOT NULL,
    n_queries INTEGER NOT NULL,
    n_done INTEGER NOT NULL,
    index_seconds DOUBLE,
    index_bytes BIGINT,
    n_failed INTEGER NOT NULL,
    notes JSON NOT NULL,
    made_at VARCHAR NOT NULL,
    arrays BLOB NOT NULL
);

-- The ids of the documents that runs were made over, once for all runs over the same ones.
CREATE TABLE run_documents (documents_key VARCHAR PRIMARY KEY, n_documents INTEGER NOT NULL, ids BLOB NOT NULL);

