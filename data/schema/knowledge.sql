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

