-- What people say of a search that is not recorded, or that they confirm. item: "prisma-s:5", "flow:screened". state:
-- confirmed, own or not done. text: what was confirmed, or their own words. said_by: empty: unnamed.
CREATE TABLE audit_answers (
    topic_id VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    said_by VARCHAR NOT NULL,
    said_at VARCHAR NOT NULL,
    PRIMARY KEY (topic_id, item)
);

-- Searches of a review: one strategy in one database on one day. Empty texts and NULL: not known. searched_on: 2026-11-04.
-- text: the string, or its lines with their hits. n_hits: as the database showed them. label: the version it belongs to.
CREATE TABLE searches (
    search_id VARCHAR PRIMARY KEY,
    topic_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    database VARCHAR NOT NULL,
    platform VARCHAR NOT NULL,
    searched_on VARCHAR NOT NULL,
    searched_by VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    limits VARCHAR NOT NULL,
    n_hits BIGINT,
    label VARCHAR,
    note VARCHAR NOT NULL
);

-- The files with the records of a search; a file belongs to one search at most.
CREATE TABLE search_files (search_id VARCHAR NOT NULL, source_id VARCHAR PRIMARY KEY);

-- Peer reviews of search strategies. document: the very file that requestor and reviewer exchange.
CREATE TABLE press_reviews (
    review_id VARCHAR PRIMARY KEY,
    topic_id VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    document JSON NOT NULL,
    changed_at VARCHAR NOT NULL
);
