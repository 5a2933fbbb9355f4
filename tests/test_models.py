"""The catalogue of models tells the truth about the one that is embedded."""

from __future__ import annotations

from voice_host.models import best_for, read_catalog, verify


def test_the_embedded_english_model_is_the_one_in_the_catalogue() -> None:
    (model,) = (model for model in read_catalog() if model.name == "moonshine-tiny-en")
    assert verify(model) == ()
    found = best_for("en")
    assert found is not None
    assert found.model == model
