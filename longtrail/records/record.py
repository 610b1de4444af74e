"""Record: the base class of all data types: a pydantic model that is frozen and has no unknown fields."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
"""A record's name."""


class Record(BaseModel):
    """An immutable value. An unknown field is an error that names its path."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")
