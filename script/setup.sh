# Sourced by script/demo and script/test: a virtual environment with Longtrail, and a browser. Safe to run again.
# Says what it does; fails with one clear line.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset PYTHONDONTWRITEBYTECODE # many processes start here: what was compiled once is kept
venv="${LONGTRAIL_VENV:-.venv}"

say() { printf '== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed and was not found (set PYTHON to one)"
}

install_package() {
    local wanted
    wanted="$(cat pyproject.toml constraints.txt | cksum)"
    if [ -x "$venv/bin/pytest" ] && [ "$(cat "$venv/.longtrail-installed" 2>/dev/null)" = "$wanted" ]; then
        say "environment $venv is up to date"
        return
    fi
    if [ ! -x "$venv/bin/python" ]; then
        local python
        python="$(find_python)"
        say "making a virtual environment in $venv ($("$python" --version))"
        "$python" -m venv "$venv" || fail "can't make a virtual environment (on Debian: apt install python3-venv)"
    fi
    say "installing Longtrail and what it needs: about 150 packages, 1.4 GB on the disk, 1 to 5 minutes"
    "$venv/bin/python" -m pip install --disable-pip-version-check --editable '.[dev]' --constraint constraints.txt |
        awk '/^(Collecting|  Downloading|Installing)/ { printf "."; fflush() } END { print "" }' ||
        fail "pip could not install the packages (see above)"
    printf '%s' "$wanted" >"$venv/.longtrail-installed"
}

# In this order: LONGTRAIL_CHROMIUM, a Playwright Chromium already there, one on PATH, Playwright's download, Debian's package.
install_browser() {
    say "browser"
    "$venv/bin/longtrail" install-browser || fail "no Chromium (see above)"
}

install_package
install_browser
