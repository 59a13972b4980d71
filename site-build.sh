#!/usr/bin/env bash
# Sets up what the site needs, once, then builds, serves or tests it. See --help.
set -euo pipefail

readonly LOG=.site-build.log # what pip, npm and apt-get say, in the project's folder
readonly CALLER=$PWD

usage() {
    cat <<'END'
usage: ./site-build.sh [--run FILE] [--site-url URL] [--out DIR]
                                             build the site
       ./site-build.sh serve [--run FILE] [ARGUMENT…]
                                             live preview (mkdocs serve)
       ./site-build.sh test [ARGUMENT…]      run the tests (pytest)
       ./site-build.sh names                 list every name a page can use
       ./site-build.sh changes OLD NEW       list what differs between two sites
       ./site-build.sh render DIR            write the rendered Markdown
       ./site-build.sh sources [ARGUMENT…]   list what the catalogue was read in;
                                             fails if a reading is stale

  --run FILE       another default run, more cards, links and presets (TOML)
  --site-url URL   where the site will stand
  --out DIR        where to write it; without it, site/

The first run sets up .venv and node_modules and needs a network; later runs do not.
  PYTHON     the Python to use (3.11 or newer); without it, the first found on PATH
  CHROMIUM   the browser for the tests; without it, the system's or Playwright's
END
}

say() { printf 'site-build.sh: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }
misused() { say "$@"; exit 2; }

logged() { "$@" >>"$LOG" 2>&1 </dev/null; }
has() { command -v "$1" >/dev/null; }

can_apt() { ((EUID == 0)) && has apt-get; }
apt_install() {
    logged env DEBIAN_FRONTEND=noninteractive apt-get update &&
        logged env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1"
}

# --- Python ------------------------------------------------------------------

version_of() { "$1" -I -S -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null; }

find_python() {
    local candidate version found=''
    # A Python that was asked for by name is used or refused, never passed over.
    if [[ -n ${PYTHON-} ]]; then
        set -- "$PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11
    fi
    for candidate; do
        version=$(version_of "$candidate") || continue
        if [[ $version == 3.* ]] && ((${version#3.} >= 11)); then
            echo "$candidate"
            return
        fi
        found=${found:-$candidate is Python $version}
    done
    fail "Python 3.11 or newer is needed; ${found:-$1 is not there or does not run}"
}

# What .venv was made from. It holds its own path (in its scripts) and a folder named
# after its Python, so another path or another Python needs another .venv.
python_stamp() { # the requirements file
    echo "$PWD"
    version_of "${PYTHON:-.venv/bin/python}" && cksum requirements.txt "$1"
}
python_is_ready() {
    [[ -x .venv/bin/python && -f .venv/$1.stamp && $(<".venv/$1.stamp") == "$(python_stamp "$1")" ]]
}

has_pip() { "$1" -m pip --version >/dev/null 2>&1; }

make_venv() { # the Python
    local package
    rm -rf .venv
    logged "$1" -m venv .venv && return
    # Debian's Python lacks ensurepip, but a pip outside the environment can fill it too.
    if has_pip "$1" && logged "$1" -m venv --clear --without-pip .venv; then return; fi
    package=python$(version_of "$1")-venv
    if can_apt; then
        say "installing $package, which $1 lacks"
        apt_install "$package" && logged "$1" -m venv --clear .venv && return
    fi
    fail "$1 cannot make a virtual environment; install $package (details: $LOG)"
}

install_python() { # the requirements file
    local python='' reason='pip failed'
    # The tests' packages go on top of the site's. Over anything unfinished, or made for
    # other pins, pip would take a half-written package for a whole one: start anew.
    if ! python_is_ready requirements.txt || [[ -e .venv/$1.stamp ]]; then
        python=$(find_python)
        say "setting up .venv with Python $(version_of "$python")"
        make_venv "$python"
    fi
    echo unfinished >".venv/$1.stamp"
    set -- "$1" .venv/bin/python -m pip
    if ! has_pip .venv/bin/python; then
        set -- "$1" "${python:=$(find_python)}" -m pip --python .venv/bin/python
    fi
    if ! logged "${@:2}" install --no-input --retries 2 --require-hashes -r "$1"; then
        rm ".venv/$1.stamp"
        if grep -qE 'NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError' "$LOG"; then
            reason='no network'
        fi
        fail "$reason: could not install $1 (details: $LOG)"
    fi
    python_stamp "$1" >".venv/$1.stamp"
    python_stamp requirements.txt >.venv/requirements.txt.stamp
}

# --- The plotly bundle -------------------------------------------------------

bundle_is_ready() {
    [[ -f node_modules/.stamp && $(<node_modules/.stamp) == "$(cksum package-lock.json)" ]]
}

install_bundle() {
    if ! has npm; then
        say 'npm not found; going on without the small plotly bundle'
    elif logged npm ci --ignore-scripts --prefer-offline \
        --fetch-retries=1 --fetch-retry-mintimeout=1000; then
        cksum package-lock.json >node_modules/.stamp
    else
        say "npm failed; going on without the small plotly bundle (details: $LOG)"
    fi
}

# --- Set-up ------------------------------------------------------------------

set_up() { # the requirements file
    if python_is_ready "$1" && bundle_is_ready; then return; fi
    (   # One set-up at a time. The lock ends with this subshell; whoever waited looks again.
        if has flock && ! flock -n 9; then
            say 'waiting for another set-up'
            flock 9
        fi
        : >"$LOG"
        python_is_ready "$1" || install_python "$1"
        bundle_is_ready || install_bundle
    ) 9<requirements.txt
}

find_chromium() {
    local candidate
    # The first has no window to draw: it opens a page in two thirds of the time.
    for candidate in chromium-headless-shell chromium chromium-browser google-chrome; do
        # Ubuntu's chromium-browser may be a stand-in that only asks for a snap, so try it.
        if "$candidate" --version >/dev/null 2>&1; then
            export CHROMIUM=$candidate
            return
        fi
    done
    return 1
}

set_up_chromium() {
    if [[ -n ${CHROMIUM-} ]]; then
        has "$CHROMIUM" || fail "CHROMIUM names no program: $CHROMIUM"
    elif ! find_chromium; then
        say 'no Chromium found; installing one'
        if can_apt && { apt_install chromium-headless-shell || apt_install chromium; } && find_chromium; then return; fi
        logged .venv/bin/python -m playwright install chromium ||
            fail "the tests need Chromium; install it or name one in CHROMIUM (details: $LOG)"
    fi
}

# A help, not a need: without one the tests that read pages as text say that they are skipped.
set_up_text_browser() {
    if has w3m; then return; fi
    if can_apt && say 'no w3m found; installing it' && apt_install w3m; then return; fi
    say 'no w3m found; the tests that read pages as text are skipped'
}

# --- Commands ----------------------------------------------------------------

from_caller() { if [[ $1 == /* ]]; then echo "$1"; else echo "$CALLER/$1"; fi; }

use_run() {
    [[ -f $(from_caller "$1") ]] || misused "invalid --run; must be a TOML file that exists: $1"
    RUN_FILE=$(from_caller "$1")
    export RUN_FILE
}

build() {
    local out=''
    while (($#)); do
        case $1 in
            --run=* | --site-url=* | --out=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
            --site-url)
                [[ ${2-} =~ ^https?://[^/[:space:]] ]] ||
                    misused "invalid --site-url; must start with http:// or https://: ${2-}"
                export SITE_URL=$2
                shift 2
                ;;
            --run)
                use_run "${2-}"
                shift 2
                ;;
            --out)
                [[ -n ${2-} ]] || misused '--out needs a folder'
                out=$(from_caller "$2")
                shift 2
                ;;
            *) misused "unknown argument: $1; see --help" ;;
        esac
    done
    # A build replaces the folder, but what is hidden in it (.git, .nojekyll) stays.
    if [[ -e $out && ! -e $out/numbers.json && (! -d $out || -n $(ls "$out")) ]]; then
        misused "invalid --out; must be new, empty or a site built before: $out"
    fi
    set_up requirements.txt
    exec .venv/bin/mkdocs build ${out:+--site-dir "$out"}
}

serve() {
    local arguments=()
    while (($#)); do
        case $1 in
            --run=*) use_run "${1#*=}" ;;
            --run)
                use_run "${2-}"
                shift
                ;;
            *) arguments+=("$1") ;;
        esac
        shift
    done
    set_up requirements.txt
    exec .venv/bin/mkdocs serve "${arguments[@]}"
}

sources() { # needs Python only
    local python arguments=()
    while (($#)); do
        case $1 in
            --run=*) arguments+=("--run=$(from_caller "${1#*=}")") ;;
            --run)
                [[ -n ${2-} ]] || misused '--run needs a file'
                arguments+=("--run=$(from_caller "$2")")
                shift
                ;;
            *) arguments+=("$1") ;;
        esac
        shift
    done
    python=$(find_python)
    exec "$python" -m commcost sources "${arguments[@]}"
}

main() {
    cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
    unset PYTHONHOME PYTHONPATH # they would put other packages before the pinned ones
    # Python tells a changed file by its second and size; an edit can keep both.
    export PYTHONDONTWRITEBYTECODE=1
    export NO_MKDOCS_2_WARNING=1

    case ${1-} in
        -h | --help) usage ;;
        test)
            set_up requirements-test.txt
            set_up_chromium
            set_up_text_browser
            exec .venv/bin/python -m pytest "${@:2}"
            ;;
        serve) serve "${@:2}" ;;
        names)
            (($# == 1)) || misused "names takes no argument: $2"
            set_up requirements.txt
            exec .venv/bin/python -m hooks names
            ;;
        changes)
            (($# == 3)) || misused 'changes needs two built sites, the old and the new'
            set_up requirements.txt
            exec .venv/bin/python -m hooks changes "$(from_caller "$2")" "$(from_caller "$3")"
            ;;
        render)
            (($# == 2)) || misused 'render needs one folder'
            set_up requirements.txt
            exec .venv/bin/python -m hooks render "$(from_caller "$2")"
            ;;
        sources) sources "${@:2}" ;;
        '' | --*) build "$@" ;;
        *) misused "unknown command: $1; see --help" ;;
    esac
}

main "$@"
