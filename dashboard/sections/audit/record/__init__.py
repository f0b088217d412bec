"""The record: item by item, what is known and what somebody has to say."""
