"""The response headers under which a built site works: its own files only, and of scripts in pages the theme's alone, by their hashes.

Netlify, Cloudflare Pages and others read them from a file named ``_headers`` at the site's root; elsewhere its lines are copied.
"""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

FILE = "_headers"
INLINE = re.compile(r"<script(?![^>]*\s(?:src|type)\b)[^>]*>(.*?)</script>", re.DOTALL)
HEADERS = """\
/*
  Content-Security-Policy: default-src 'none'; script-src 'self'{hashes}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'
  X-Content-Type-Options: nosniff
  X-Frame-Options: DENY
"""


def write(site: Path) -> None:
    """Write the headers of the site that was built in the folder ``site`` into it.

    Raises: OSError
    """
    pages = (path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
    scripts = {script for page in pages for script in INLINE.findall(page)}
    hashes = sorted(f" 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    (site / FILE).write_text(HEADERS.format(hashes="".join(hashes)), encoding="utf-8")
