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

-- Peer reviews of search strategies. document: the very file that requestor and reviewer exchange.
CREATE TABLE press_reviews (
    review_id VARCHAR PRIMARY KEY,
    topic_id VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    document JSON NOT NULL,
    changed_at VARCHAR NOT NULL
);
