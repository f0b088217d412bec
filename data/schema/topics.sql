-- One row: which layout this store has.
CREATE TABLE store_info (schema_version INTEGER NOT NULL);

-- Every work that any topic knows of. keywords is NULL where there are none.
CREATE TABLE publications (
    publication_id VARCHAR PRIMARY KEY,
    title VARCHAR NOT NULL,
    abstract VARCHAR,
    year INTEGER,
    doi VARCHAR,
    times_cited INTEGER,
    keywords VARCHAR[]
);

-- A research field. made_up: generated for demonstration. corpus_hash is NULL for a topic without a corpus of its own.
-- texts rises whenever what is known of one of its publications changes. survey_kind: what kind of survey its core
-- publications come from ("bibliometric", "systematic review"); NULL where that is not known.
CREATE TABLE topics (
    topic_id VARCHAR PRIMARY KEY,
    made_up BOOLEAN NOT NULL,
    core_hash VARCHAR NOT NULL,
    corpus_hash VARCHAR,
    texts INTEGER NOT NULL DEFAULT 0,
    survey_kind VARCHAR
);

-- What the queries of a topic are run over, beyond its core publications and what its versions retrieved.
CREATE TABLE corpus (topic_id VARCHAR NOT NULL, position INTEGER NOT NULL, publication_id VARCHAR NOT NULL);

-- Every publication that is truly relevant to a topic, where that is known: it is for made-up topics.
CREATE TABLE true_relevance (topic_id VARCHAR NOT NULL, publication_id VARCHAR NOT NULL);

-- The known important publications of a topic, in their given order.
CREATE TABLE core_publications (
    topic_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    publication_id VARCHAR NOT NULL,
    survey_id VARCHAR
);

-- One immutable wording each. retrieved_hash is NULL until it has been run. over_corpus: its text was run here, over what
-- the topic had, so it brought no publication that was not there. dialect and semantics: how its text was read and its
-- words were matched then; NULL for a version that was not run here. parent_id: the version it was made from. corpus_state
-- and n_searched: what it was run over; NULL where that is not known. deleted_at: it is hidden, and can be brought back.
-- name, note and deleted_at are all that ever changes of a version. made_by: NULL: unnamed.
CREATE TABLE query_versions (
    query_id VARCHAR PRIMARY KEY,
    topic_id VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    origin VARCHAR NOT NULL,
    n_retrieved INTEGER,
    retrieved_hash VARCHAR,
    over_corpus BOOLEAN NOT NULL DEFAULT FALSE,
    dialect VARCHAR,
    semantics VARCHAR,
    name VARCHAR,
    note VARCHAR,
    made_at VARCHAR,
    parent_id VARCHAR,
    corpus_state VARCHAR,
    n_searched INTEGER,
    deleted_at VARCHAR,
    made_by VARCHAR
);

-- Who last changed what several people can change, and when. subject: "note of v3", "answer to prisma-s:5", "core".
-- changed_by: empty: unnamed.
CREATE TABLE changes (
    topic_id VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    changed_by VARCHAR NOT NULL,
    changed_at VARCHAR NOT NULL,
    PRIMARY KEY (topic_id, subject)
);

-- What each version returned, in the given order.
CREATE TABLE retrieved (query_id VARCHAR NOT NULL, position INTEGER NOT NULL, publication_id VARCHAR NOT NULL);

-- A file or list that was brought into a topic. role: corpus, core, version, screened or included; label: which version.
-- content_hash is NULL
-- for what was in the topic before its first file came. report: what was rejected, noted and not taken over. priority:
-- place among the files whose fields are shown first, from 1; NULL: after those, in the order of import.
CREATE TABLE sources (
    source_id VARCHAR PRIMARY KEY,
    topic_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    role VARCHAR NOT NULL,
    label VARCHAR,
    name VARCHAR NOT NULL,
    content_hash VARCHAR,
    format_id VARCHAR,
    encoding VARCHAR,
    n_in_file INTEGER NOT NULL,
    n_rejected INTEGER NOT NULL,
    report JSON NOT NULL,
    priority INTEGER
);

-- Every record of every source, and the publication that it is a record of. rule: why it was taken to be one that was
-- there; NULL if it began one. began_as: the publication it was a record of before a person said that two are one.
-- The columns after that are what it is recognised by; document is all that it says.
CREATE TABLE records (
    source_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    line INTEGER,
    publication_id VARCHAR NOT NULL,
    rule VARCHAR,
    began_as VARCHAR,
    doi VARCHAR,
    pmid VARCHAR,
    own_id VARCHAR,
    title_key VARCHAR NOT NULL,
    n_words INTEGER NOT NULL,
    year INTEGER,
    first_author VARCHAR,
    exact VARCHAR NOT NULL,
    generic BOOLEAN NOT NULL,
    document VARCHAR NOT NULL
);

-- Publications that look alike, or were one, and of which a person said that they are two.
CREATE TABLE kept_apart (topic_id VARCHAR NOT NULL, a VARCHAR NOT NULL, b VARCHAR NOT NULL);

-- One model's vectors: of one topic if the model was fitted to it, else of any. revision rises with every change,
-- generation when a vector is replaced by another. covers: the state of the topic that was embedded, where the model was
-- fitted to it.
CREATE TABLE embeddings (
    embedding_id VARCHAR PRIMARY KEY,
    embedder VARCHAR NOT NULL,
    topic_id VARCHAR,
    n_dimensions INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    covers VARCHAR
);

-- The .npy files of an embedding, relative to the vectors folder.
CREATE TABLE vector_files (file_id INTEGER PRIMARY KEY, embedding_id VARCHAR NOT NULL, name VARCHAR NOT NULL, n_rows INTEGER NOT NULL);

-- Where each publication's vector stands. position is NULL for what can't be scored. made_from names the model and
-- the text; NULL for vectors that came from a file.
CREATE TABLE vector_rows (
    embedding_id VARCHAR NOT NULL,
    publication_id VARCHAR NOT NULL,
    file_id INTEGER,
    position INTEGER,
    made_from VARCHAR
);

-- Landscapes. The current one of a topic and embedding is the newest; older ones stay for scores that name them.
-- covers: the state of the topic up to which every publication has its point.
CREATE TABLE projections (
    projection_id VARCHAR PRIMARY KEY,
    topic_id VARCHAR NOT NULL,
    embedding_id VARCHAR NOT NULL,
    generation INTEGER NOT NULL,
    number INTEGER NOT NULL,
    settings JSON NOT NULL,
    covers VARCHAR NOT NULL
);

-- Where each publication stands on a landscape. fitted: it shaped the landscape; else it was placed later.
CREATE TABLE projection_points (
    projection_id VARCHAR NOT NULL,
    publication_id VARCHAR NOT NULL,
    fitted BOOLEAN NOT NULL,
    x DOUBLE NOT NULL,
    y DOUBLE NOT NULL
);

-- Slow results under keys that name everything they depend on. arrays is an .npz.
CREATE TABLE remembered (key VARCHAR PRIMARY KEY, kind VARCHAR NOT NULL, document JSON NOT NULL, arrays BLOB);

-- Scores that a collection's authors published, to be laid beside ours. region: cosine, cluster, mvee or hull. Nothing is
-- computed from them.
CREATE TABLE published_scores (
    topic_id VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    recall DOUBLE NOT NULL,
    region VARCHAR NOT NULL,
    semantic_precision DOUBLE NOT NULL,
    n_relevant INTEGER NOT NULL,
    f_beta DOUBLE NOT NULL
);

-- Published curves: what each similarity threshold accepts of what a topic's versions retrieved. score is NULL where the
-- authors' own is not a number.
CREATE TABLE published_curves (
    topic_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    min_similarity DOUBLE NOT NULL,
    n_accepted_core INTEGER NOT NULL,
    n_relevant INTEGER NOT NULL,
    n_retrieved INTEGER NOT NULL,
    n_core INTEGER NOT NULL,
    score DOUBLE
);

