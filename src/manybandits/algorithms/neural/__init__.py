"""Policies whose models are neural networks, written for R replicas at once."""

from manybandits.base.lazy_import import import_lazily

import_lazily("torch")
