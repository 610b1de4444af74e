"""Theme: how a replica looks. A site picks a layout for each part of the page, its colours, type and density."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{3,8}$")]
Typeface = Literal["grotesk", "humanist", "condensed", "geometric", "roman", "old-style", "bookish", "mono"]


class Colours(Record):
    """The palette. Names describe the role, not the colour."""

    ink: Colour
    paper: Colour
    panel: Colour
    """Background of cards, side bars and form fields."""
    line: Colour
    muted: Colour
    """Secondary text on paper and on panels."""
    accent: Colour
    """Buttons and marks."""
    on_accent: Colour
    link: Colour
    header: Colour
    on_header: Colour
    footer: Colour
    on_footer: Colour
    second: Colour
    """A second brand colour: badges, prices, hero grounds."""
    on_second: Colour


class Logo(Record):
    """A text logo, or a drawing: the inside of an `<svg>` whose view box is `box`."""

    text: str
    svg: str = ""
    box: str = "0 0 120 40"
    height: int = 36


class Theme(Record):
    """A site's layouts and style."""

    header: Literal["retail", "mega", "community", "transit", "storefront", "masthead"]
    footer: Literal["columns", "split", "slim", "stacked"]
    colours: Colours
    logo: Logo
    typeface: Typeface = "grotesk"
    headings: Typeface = "grotesk"
    heading_weight: Annotated[int, Field(ge=300, le=900)] = 700
    heading_case: Literal["none", "uppercase"] = "none"
    size: Annotated[int, Field(ge=12, le=20)] = 16
    """Body type in pixels."""
    radius: Annotated[int, Field(ge=0, le=40)] = 4
    density: Literal["airy", "normal", "dense"] = "normal"
    width: Annotated[int, Field(ge=900, le=1600)] = 1200
    """Width of the page's column in pixels."""
    css: str = ""
    """CSS rules of this site only, after all others."""
