#!/bin/sh
# Any program can be the agent: it reads the errand (JSON) from standard input, and its last line of output is the report.
exec "${PYTHON:-python3}" -m longtrail.agents.cdp reader:solve
