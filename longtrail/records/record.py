"""Record: the frozen, closed pydantic model that every piece of data in Longtrail is made of."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
"""What a record is called among its like."""


class Record(BaseModel):
    """A value. It can't be changed, and a misspelt field is an error that names its path."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")
