"""From each earlier layout of the store to the next. What they make is also in schema/, by intent."""

from __future__ import annotations

SCHEMA_VERSION = 11
UPGRADES = {
    1: """
    ALTER TABLE topics ADD COLUMN corpus_hash VARCHAR;
    ALTER TABLE query_versions ADD COLUMN over_corpus BOOLEAN DEFAULT FALSE;
    CREATE TABLE corpus (topic_id VARCHAR NOT NULL, position INTEGER NOT NULL, publication_id VARCHAR NOT NULL);
    CREATE TABLE true_relevance (topic_id VARCHAR NOT NULL, publication_id VARCHAR NOT NULL);
    """,
    2: """
    ALTER TABLE publications ADD COLUMN keywords VARCHAR[];
    ALTER TABLE query_versions ADD COLUMN dialect VARCHAR;
    ALTER TABLE query_versions ADD COLUMN semantics VARCHAR;
    """,
    3: """
    ALTER TABLE topics ADD COLUMN texts INTEGER DEFAULT 0;
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
    CREATE TABLE kept_apart (topic_id VARCHAR NOT NULL, a VARCHAR NOT NULL, b VARCHAR NOT NULL);
    """,
    4: """
    ALTER TABLE topics ADD COLUMN survey_kind VARCHAR;
    ALTER TABLE query_versions ADD COLUMN name VARCHAR;
    ALTER TABLE query_versions ADD COLUMN note VARCHAR;
    ALTER TABLE query_versions ADD COLUMN made_at VARCHAR;
    ALTER TABLE query_versions ADD COLUMN parent_id VARCHAR;
    ALTER TABLE query_versions ADD COLUMN corpus_state VARCHAR;
    ALTER TABLE query_versions ADD COLUMN n_searched INTEGER;
    ALTER TABLE query_versions ADD COLUMN deleted_at VARCHAR;
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
    """,
    5: """
    CREATE TABLE collections (
        name VARCHAR PRIMARY KEY,
        made_up BOOLEAN NOT NULL,
        origin VARCHAR NOT NULL,
        content_key VARCHAR NOT NULL,
        splits JSON NOT NULL,
        report JSON NOT NULL,
        saved_at VARCHAR NOT NULL
    );
    CREATE TABLE collection_documents (
        collection VARCHAR NOT NULL,
        position INTEGER NOT NULL,
        doc_id VARCHAR NOT NULL,
        title VARCHAR NOT NULL,
        text VARCHAR NOT NULL
    );
    CREATE TABLE collection_queries (
        collection VARCHAR NOT NULL,
        position INTEGER NOT NULL,
        query_id VARCHAR NOT NULL,
        text VARCHAR NOT NULL,
        labels JSON NOT NULL
    );
    CREATE TABLE collection_judgments (
        collection VARCHAR NOT NULL,
        position INTEGER NOT NULL,
        query_id VARCHAR NOT NULL,
        doc_id VARCHAR NOT NULL,
        relevance BIGINT NOT NULL
    );
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
    CREATE TABLE run_documents (documents_key VARCHAR PRIMARY KEY, n_documents INTEGER NOT NULL, ids BLOB NOT NULL);
    """,
    6: """
    CREATE TABLE knowledge_templates (
        base VARCHAR NOT NULL,
        template_id VARCHAR NOT NULL,
        document JSON NOT NULL,
        PRIMARY KEY (base, template_id)
    );
    CREATE TABLE syntheses (
        synthesis_id VARCHAR PRIMARY KEY,
        base VARCHAR NOT NULL,
        name VARCHAR NOT NULL,
        document JSON NOT NULL,
        state VARCHAR NOT NULL,
        made_at VARCHAR NOT NULL
    );
    CREATE TABLE synthesis_items (
        synthesis_id VARCHAR NOT NULL,
        item INTEGER NOT NULL,
        document JSON NOT NULL,
        PRIMARY KEY (synthesis_id, item)
    );
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
    """,
    7: """
    CREATE TABLE judges (
        judge_key VARCHAR PRIMARY KEY,
        rubric_key VARCHAR NOT NULL,
        document JSON NOT NULL,
        rubric JSON NOT NULL,
        prompt VARCHAR NOT NULL,
        fingerprint VARCHAR NOT NULL,
        made_at VARCHAR NOT NULL
    );
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
    CREATE TABLE judge_runs (
        run_id VARCHAR PRIMARY KEY,
        name VARCHAR NOT NULL,
        judge_key VARCHAR NOT NULL,
        document JSON NOT NULL,
        notes JSON NOT NULL,
        state VARCHAR NOT NULL,
        made_at VARCHAR NOT NULL
    );
    CREATE TABLE judge_run_queries (
        run_id VARCHAR NOT NULL,
        position INTEGER NOT NULL,
        query_id VARCHAR NOT NULL,
        text VARCHAR NOT NULL,
        labels JSON NOT NULL
    );
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
    CREATE TABLE judge_overrules (
        number INTEGER PRIMARY KEY,
        rubric_key VARCHAR NOT NULL,
        triple_key VARCHAR NOT NULL,
        points INTEGER, who VARCHAR NOT NULL, why VARCHAR NOT NULL,
        made_at VARCHAR NOT NULL
    );
    CREATE TABLE judge_rubrics (rubric_id VARCHAR PRIMARY KEY, document JSON NOT NULL, made_at VARCHAR NOT NULL);
    CREATE TABLE judge_prices (
        model VARCHAR PRIMARY KEY, prompt DOUBLE NOT NULL, answer DOUBLE NOT NULL, made_at VARCHAR
    );
    """,
    8: """
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
        ended_at VARCHAR
    );
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
    CREATE TABLE live_calls (
        source VARCHAR NOT NULL,
        day VARCHAR NOT NULL,
        n_calls INTEGER NOT NULL,
        dollars DOUBLE NOT NULL,
        left_dollars DOUBLE,
        PRIMARY KEY (source, day)
    );
    """,
    9: """
    CREATE TABLE audit_answers (
        topic_id VARCHAR NOT NULL,
        item VARCHAR NOT NULL,
        state VARCHAR NOT NULL,
        text VARCHAR NOT NULL,
        said_by VARCHAR NOT NULL,
        said_at VARCHAR NOT NULL,
        PRIMARY KEY (topic_id, item)
    );
    CREATE TABLE press_reviews (
        review_id VARCHAR PRIMARY KEY,
        topic_id VARCHAR NOT NULL,
        label VARCHAR NOT NULL,
        document JSON NOT NULL,
        changed_at VARCHAR NOT NULL
    );
    """,
    10: """
    CREATE TABLE writings (
        writing_id VARCHAR PRIMARY KEY,
        topic_id VARCHAR NOT NULL,
        document JSON NOT NULL,
        state VARCHAR NOT NULL,
        problem VARCHAR,
        made_at VARCHAR NOT NULL,
        ended_at VARCHAR
    );
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
    CREATE TABLE writer_steps (
        writing_id VARCHAR NOT NULL,
        number INTEGER NOT NULL,
        document JSON NOT NULL,
        label VARCHAR,
        made_at VARCHAR NOT NULL,
        PRIMARY KEY (writing_id, number)
    );
    """,
}
