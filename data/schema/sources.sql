-- Searches in live bibliographic sources. document: how the text was read, what was sent, what got lost on the way.
-- text: as it was typed. most: publications at most. state: planned, running, paused, failed or done. label and
-- file_id: the version, and the source of records, that it was frozen as; NULL until it is done. earlier_id: the run
-- that this one repeats. total_first and total_last: the source's own counts. n_repeated: records that came again.
CREATE TABLE live_runs (
    run_id VARCHAR PRIMARY KEY,
    topic_id VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    document JSON NOT NULL,
    most INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    label VARCHAR,
    file_id VARCHAR,
    earlier_id VARCHAR,
    total_first BIGINT,
    total_last BIGINT,
    n_records INTEGER NOT NULL,
    n_repeated INTEGER NOT NULL,
    n_aside INTEGER NOT NULL,
    problem VARCHAR,
    made_at VARCHAR NOT NULL,
    ended_at VARCHAR,
    made_by VARCHAR
);

-- Every page that came, in the order in which they came. form: which of the texts that were sent. next: where the page
-- after it begins; NULL: it was the last of its form. name: of the file that keeps it as it came. requests: each request
-- that it took, without keys: method, address, what was sent with it, when, milliseconds, answer, bytes, dollars.
CREATE TABLE live_pages (
    run_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    form INTEGER NOT NULL,
    next VARCHAR,
    total BIGINT,
    n_records INTEGER NOT NULL,
    n_new INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    requests JSON NOT NULL,
    notes JSON NOT NULL,
    came_at VARCHAR NOT NULL,
    PRIMARY KEY (run_id, number)
);

-- Searches that are repeated: daily, weekly or monthly. run_id: the first run. tried_at: when the schedule last began one.
CREATE TABLE schedules (run_id VARCHAR PRIMARY KEY, every VARCHAR NOT NULL, tried_at VARCHAR);

-- What was asked of each source on each day (UTC). left_dollars: what the source said is left, as far as it says so.
CREATE TABLE live_calls (
    source VARCHAR NOT NULL,
    day VARCHAR NOT NULL,
    n_calls INTEGER NOT NULL,
    dollars DOUBLE NOT NULL,
    left_dollars DOUBLE,
    PRIMARY KEY (source, day)
);
