"""The pictures of the scenes are seen on a page that has the pages' strict policy."""

from __future__ import annotations

from html import escape
from typing import Any

from voice_host.games.dixit_odyssey.deck import Scene
from voice_host.scenes import load_scenes, picture_path
from voice_host.screens.guard import HEADERS

PAGE = "http://localhost/"

COLOURS = """async image => {
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {width: 60, height: 80});
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0, 60, 80);
  const {data} = pen.getImageData(0, 0, 60, 80);
  const colours = new Set(), clear = [];
  for (let at = 0; at < data.length; at += 4) {
    colours.add((data[at] >> 4 << 8) + (data[at + 1] >> 4 << 4) + (data[at + 2] >> 4));
    if (data[at + 3] < 255) clear.push(at);
  }
  return [colours.size, clear.length, image.naturalWidth / image.naturalHeight];
}"""
"""How many colours a picture has (16 steps each of red, green, blue), how many of its points are not covered, its proportion."""


def page_of(scenes: tuple[Scene, ...]) -> str:
    images = "".join(f'<img src="/{scene.id}.svg" alt="{escape(scene.sentence)}" width="300">' for scene in scenes)
    return f'<!doctype html><html lang="en"><title>Scenes</title>{images}</html>'


def test_all_pictures_are_seen_under_the_pages_policy(chromium: Any) -> None:
    scenes = load_scenes("en")
    page = chromium.new_page()

    def answer(route: Any) -> None:
        """Answer as the pages' server does, with its headers."""
        name = route.request.url.removeprefix(PAGE)
        if name.endswith(".svg"):
            picture = picture_path(name.removesuffix(".svg")).read_text(encoding="utf-8")
            route.fulfill(body=picture, headers={**HEADERS, "content-type": "image/svg+xml"})
        else:
            route.fulfill(body=page_of(scenes), headers={**HEADERS, "content-type": "text/html"})

    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.route("**/*", answer)
    page.goto(PAGE)
    images = page.locator("img").all()
    assert len(images) == 84
    for image, scene in zip(images, scenes, strict=True):
        colours, uncovered, proportion = image.evaluate(COLOURS)
        assert colours >= 20, scene.id
        assert uncovered == 0, scene.id
        assert abs(proportion - 0.75) < 0.01, scene.id
    assert complaints == []
    page.close()
