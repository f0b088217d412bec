"""The version of Queryscape: its only place, from which the package and every document take it."""

VERSION = "0.2.0"
