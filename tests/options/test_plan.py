"""Paths after a space: pytest takes them for tests."""

from pathlib import Path

import pytest

from longtrail.errors import UsageError
from longtrail.options.plan import check_folders


def test_a_path_after_a_space_is_refused_where_settings_would_be_missed(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    args = ("evals", "--baseline", str(runs))
    check_folders(args, None, tmp_path, {"--baseline"})
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'mine'\n")
    check_folders(args, None, tmp_path, {"--baseline"})
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = ''\n")
    check_folders(args, tmp_path / "pyproject.toml", tmp_path, {"--baseline"})
    with pytest.raises(UsageError, match=f"write --baseline={runs}"):
        check_folders(args, None, tmp_path, {"--baseline"})
