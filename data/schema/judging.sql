-- Judges that were asked. prompt: the whole text that says what to do. rubric: as data.judge.rubric writes it.
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

-- What judges said, never changed: a triple of query, title and abstract is asked once, whichever system found it. attempt: from 1,
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

-- Rubrics that users added. document: as data.judge.rubric writes it.
CREATE TABLE judge_rubrics (rubric_id VARCHAR PRIMARY KEY, document JSON NOT NULL, made_at VARCHAR NOT NULL);

-- What a million tokens cost, in dollars, as the user last said.
CREATE TABLE judge_prices (model VARCHAR PRIMARY KEY, prompt DOUBLE NOT NULL, answer DOUBLE NOT NULL, made_at VARCHAR);
