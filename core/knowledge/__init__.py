"""Knowledge bases: entities, relations, question templates, and the synthesis of queries."""
