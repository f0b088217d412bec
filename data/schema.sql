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
-- name, note and deleted_at are all that ever changes of a version.
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
    deleted_at VARCHAR
);

-- What each version returned, in the given order.
CREATE TABLE retrieved (query_id VARCHAR NOT NULL, position INTEGER NOT NULL, publication_id VARCHAR NOT NULL);

-- A file or list that was brought into a topic. role: corpus, core or version; label: which version. content_hash is NULL
-- for what was in the topic before its first file came. report: what was rejected, noted and not taken over.
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
    report JSON NOT NULL
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

-- Templates that users added to a knowledge base. document: as core.knowledge.template_forms writes it.
CREATE TABLE knowledge_templates (
    base VARCHAR NOT NULL,
    template_id VARCHAR NOT NULL,
    document JSON NOT NULL,
    PRIMARY KEY (base, template_id)
);

-- Queries that are being written by language models, or were. document: the settings. state: running, done or stopped.
CREATE TABLE syntheses (
    synthesis_id VARCHAR PRIMARY KEY,
    base VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    document JSON NOT NULL,
    state VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- What each query of a synthesis is made from and came to: template, filled blanks, gold answer, properties, text, answers.
CREATE TABLE synthesis_items (
    synthesis_id VARCHAR NOT NULL,
    item INTEGER NOT NULL,
    document JSON NOT NULL,
    PRIMARY KEY (synthesis_id, item)
);

-- Everything that was asked of a model and answered. step: extract, fuse, rewrite or filter. verdict: what was read out of
-- the answer.
CREATE TABLE synthesis_calls (
    synthesis_id VARCHAR NOT NULL,
    item INTEGER NOT NULL,
    step VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    model VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    prompt VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    verdict JSON NOT NULL,
    n_prompt_tokens BIGINT,
    n_answer_tokens BIGINT,
    made_at VARCHAR NOT NULL,
    PRIMARY KEY (synthesis_id, item, step, number, model)
);

-- Queries that people wrote for an entity of a knowledge base. answers: ids that the writer confirmed. state: drafted,
-- confirmed or skipped.
CREATE TABLE human_queries (
    query_id VARCHAR PRIMARY KEY,
    base VARCHAR NOT NULL,
    entity_id VARCHAR NOT NULL,
    writer VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    document JSON NOT NULL,
    state VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- How people rate a query: quality is naturalness, diversity or practicality; points are 1 to 5.
CREATE TABLE query_ratings (
    collection VARCHAR NOT NULL,
    query_id VARCHAR NOT NULL,
    query_text VARCHAR NOT NULL,
    rater VARCHAR NOT NULL,
    quality VARCHAR NOT NULL,
    points INTEGER NOT NULL,
    made_at VARCHAR NOT NULL,
    PRIMARY KEY (collection, query_id, rater, quality)
);

-- Judges that were asked. prompt: the whole text that says what to do. rubric: as data.judging.rubrics writes it.
-- fingerprint: of the service. judge_key: hash of all that changes what a judge says.
CREATE TABLE judges (
    judge_key VARCHAR PRIMARY KEY,
    rubric_key VARCHAR NOT NULL,
    document JSON NOT NULL,
    rubric JSON NOT NULL,
    prompt VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- What judges said, never changed: a triple of query, title and abstract is asked once, whoever found it. attempt: from 1,
-- the last one counts. answers: as they came, those that could not be read among them.
CREATE TABLE judge_answers (
    judge_key VARCHAR NOT NULL,
    triple_key VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,
    status VARCHAR NOT NULL, points INTEGER, confidence INTEGER,
    reason VARCHAR NOT NULL,
    answers JSON NOT NULL,
    model VARCHAR NOT NULL,
    n_prompt_tokens BIGINT, n_answer_tokens BIGINT, n_calls INTEGER NOT NULL, ms DOUBLE NOT NULL,
    made_at VARCHAR NOT NULL,
    PRIMARY KEY (judge_key, triple_key, attempt)
);

-- Runs of a judge over what engines answered. document: what was chosen. notes: what a reader has to know. state: planned,
-- running, paused, done.
CREATE TABLE judge_runs (
    run_id VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    judge_key VARCHAR NOT NULL,
    document JSON NOT NULL,
    notes JSON NOT NULL,
    state VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- The queries of a run, in their order. labels: pairs of name and value.
CREATE TABLE judge_run_queries (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    query_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    labels JSON NOT NULL
);

-- What each engine put at which rank, in the order of the run.
CREATE TABLE judge_run_candidates (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    engine VARCHAR NOT NULL,
    query_id VARCHAR NOT NULL,
    rank INTEGER NOT NULL,
    doc_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    abstract VARCHAR NOT NULL,
    triple_key VARCHAR NOT NULL
);

-- Grades of people in the place of a judge's, never changed; the last one of a triple under a rubric counts. points NULL:
-- taken back.
CREATE TABLE judge_overrules (
    number INTEGER PRIMARY KEY,
    rubric_key VARCHAR NOT NULL,
    triple_key VARCHAR NOT NULL,
    points INTEGER, who VARCHAR NOT NULL, why VARCHAR NOT NULL,
    made_at VARCHAR NOT NULL
);

-- Rubrics that users added. document: as data.judging.rubrics writes it.
CREATE TABLE judge_rubrics (rubric_id VARCHAR PRIMARY KEY, document JSON NOT NULL, made_at VARCHAR NOT NULL);

-- What a million tokens cost, in dollars, as the user last said.
CREATE TABLE judge_prices (model VARCHAR PRIMARY KEY, prompt DOUBLE NOT NULL, answer DOUBLE NOT NULL, made_at VARCHAR);
