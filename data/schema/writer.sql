-- Writings: one for each time that strings were written for a topic. document: brief, budget, models, readings, region.
-- state: planned, running, stopped, done. problem: why it ended early.
CREATE TABLE writings (
    writing_id VARCHAR PRIMARY KEY,
    topic_id VARCHAR NOT NULL,
    document JSON NOT NULL,
    state VARCHAR NOT NULL,
    problem VARCHAR,
    made_at VARCHAR NOT NULL,
    ended_at VARCHAR
);

-- What was asked and answered, never changed. answers: as they came, in order. outcome: proposals and what was held back.
-- status: ok, not read (an answer that is no list), refused, failed (the service), known (answered before, nothing sent).
CREATE TABLE writer_calls (
    writing_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    purpose VARCHAR NOT NULL,
    reading VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    seed INTEGER NOT NULL,
    prompt_version VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    question VARCHAR NOT NULL,
    answers JSON NOT NULL,
    status VARCHAR NOT NULL,
    outcome JSON NOT NULL,
    n_prompt_tokens BIGINT, n_answer_tokens BIGINT, ms DOUBLE NOT NULL,
    made_at VARCHAR NOT NULL,
    PRIMARY KEY (writing_id, number)
);

-- Steps of a writing, from the topic's name on: candidates, rounds of refinement, changes by hand that were kept.
-- label: the version that it was saved as.
CREATE TABLE writer_steps (
    writing_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    document JSON NOT NULL,
    label VARCHAR,
    made_at VARCHAR NOT NULL,
    made_by VARCHAR,
    PRIMARY KEY (writing_id, number)
);
