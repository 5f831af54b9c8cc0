"""M-CNB of 2023, plainly: its file is byte for byte that of Meta-Ban of March 2022, blob 8e4970df."""

from __future__ import annotations

from manybandits.algorithms.plain.meta_ban_2022 import MetaBan2022


class MCNB2023(MetaBan2022):
    """The whole of it, in the version that an M-CNB without this option has: march."""
