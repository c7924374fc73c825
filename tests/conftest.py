"""What all tests share: hypothesis draws the same examples each time, so that a run can be repeated."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
