-- A knowledge base is one file that is written once and then only read.

-- What it is: name, origin, notes ... as JSON.
CREATE TABLE about (document JSON NOT NULL);

-- Types of entities. Entities of one type stand together, so a range of rows says what type one has.
CREATE TABLE types (position INTEGER NOT NULL, name VARCHAR NOT NULL, first INTEGER NOT NULL, n INTEGER NOT NULL,
    is_answer BOOLEAN NOT NULL);

-- How many relations of each name there are between each two types of entities.
CREATE TABLE relation_types (name VARCHAR NOT NULL, source VARCHAR NOT NULL, target VARCHAR NOT NULL, n BIGINT NOT NULL);

-- Names of relations by their number.
CREATE TABLE relation_names (relation UTINYINT NOT NULL, name VARCHAR NOT NULL);

-- What is read often of an entity. row: its place, from 0. entity_id: as its source names it.
CREATE TABLE entities (row INTEGER NOT NULL, entity_id VARCHAR NOT NULL, title VARCHAR NOT NULL);

-- Ids to rows, by id.
CREATE TABLE ids (entity_id VARCHAR NOT NULL, row INTEGER NOT NULL);

-- What is read of one entity at a time. attributes: pairs of name and value, as JSON; empty where there are none.
CREATE TABLE texts (row INTEGER NOT NULL, text VARCHAR NOT NULL, attributes VARCHAR NOT NULL);

-- Relations by relation, source and target.
CREATE TABLE forward (relation UTINYINT NOT NULL, source INTEGER NOT NULL, target INTEGER NOT NULL);

-- The same by relation, target and source.
CREATE TABLE reverse (relation UTINYINT NOT NULL, target INTEGER NOT NULL, source INTEGER NOT NULL);
