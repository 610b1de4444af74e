"""Record: the frozen, closed pydantic model that every piece of data in Trailmark is made of."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A value. It can't be changed, and a misspelt field is an error that names its path."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")
