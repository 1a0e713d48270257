# SPDX-License-Identifier: BSD-3-Clause
"""A page in headless Chromium: what its console says, and what became of its pictures."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

PROBE = """
<script>
window.addEventListener("load", async () => {
    const pictures = [...document.images].map(
        image => ({loaded: image.complete, width: image.naturalWidth,
                   height: image.naturalHeight}));
    const players = [...document.querySelectorAll("video")];
    const videos = await Promise.all(players.map(video => new Promise(done => {
        const tell = () => done({width: video.videoWidth,
                                 error: video.error ? video.error.message : null});
        if (video.readyState >= 1 || video.error) tell();
        else { video.onloadedmetadata = tell; video.onerror = tell; setTimeout(tell, 5000); }
    })));
    const asked = performance.getEntriesByType("resource").map(entry => entry.name)
                             .filter(name => !name.startsWith("data:"));
    const output = document.createElement("pre");
    output.id = "probe";
    output.textContent = JSON.stringify({pictures, videos, asked});
    document.body.append(output);
});
</script></body>"""


def open_page(path):
    """(HTML after loading, lines of the console)."""
    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.run(
            [
                CHROMIUM,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                f"--user-data-dir={profile}",
                "--enable-logging=stderr",
                "--virtual-time-budget=10000",
                "--dump-dom",
                pathlib.Path(path).resolve().as_uri(),
            ],
            capture_output=True,
            text=True,
            timeout=1200,
        )
    console = [line for line in process.stderr.splitlines() if "CONSOLE" in line]
    return process.stdout, console


def probe(path):
    """What a copy of the page tells a script of ours, with the page's policy out of its way."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    copy = pathlib.Path(path).with_name("probe.html")
    copy.write_text(text.replace("</body>", PROBE), encoding="utf-8")
    html, _ = open_page(copy)
    return json.loads(re.search(r'<pre id="probe">(.*?)</pre>', html, re.S)[1])
