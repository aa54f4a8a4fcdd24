"""What a benchmark keeps of a run so that it can be projected, compared and drawn later: its profile, and the machine
file once for all of them. JSON without blanks; what is larger than LIMIT is compressed, and what is larger even then is
named and left out. Folders and the host name of the machine are taken out: files of the checkout are named from its root."""

import gzip
import json
import pathlib
import re
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 262_144  # byte


def without_folders(content, root=ROOT):
    """`content`, JSON, with the checkout at `root` and folders for temporary files taken out of all texts."""
    if isinstance(content, dict):
        return {key: without_folders(value, root) for key, value in content.items()}
    if isinstance(content, list):
        return [without_folders(value, root) for value in content]
    if isinstance(content, str):
        temporary = re.escape(tempfile.gettempdir()) + r"/tmp[^/\s]*/"
        return re.sub(rf"(?:(?<![\w./-])|(?<=-I))(?:{re.escape(str(root))}/|{temporary})", "", content)
    return content


def keep(profile, folder, name):
    """`profile`: path of a profile.json. Its machine goes to FOLDER/machine.json, the rest to FOLDER/NAME.profile.json."""
    keep_content(json.loads(pathlib.Path(profile).read_text("utf-8")), folder, name)


def keep_content(profile, folder, name):
    """The same of a profile as `ridge run --json` prints it, read. What is compressed ends in .json.gz."""
    content = without_folders(profile)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    machine = content.pop("machine")
    machine.pop("host", None)
    for path, value in ((folder / f"{name}.profile.json", content), (folder / "machine.json", machine)):
        data = (json.dumps(value, separators=(",", ":")) + "\n").encode()
        compressed = path.with_name(path.name + ".gz")
        path.unlink(missing_ok=True)
        compressed.unlink(missing_ok=True)
        if len(data) <= LIMIT:
            path.write_bytes(data)
            continue
        data = gzip.compress(data, mtime=0)
        if len(data) > LIMIT:
            print(f"not kept, {len(data) / 1024:.0f} KiB compressed: {path.name}")
            continue
        compressed.write_bytes(data)


def content_of(path):
    """Of FILE.json, or of FILE.json.gz where that was kept."""
    if path.exists():
        return json.loads(path.read_bytes())
    return json.loads(gzip.decompress(path.with_name(path.name + ".gz").read_bytes()))


def restore(folder, name, target):
    """Writes what was kept as a profile that `ridge` reads, and returns its path."""
    content = content_of(pathlib.Path(folder) / f"{name}.profile.json")
    content["machine"] = content_of(pathlib.Path(folder) / "machine.json")
    path = pathlib.Path(target) / f"{name}.profile.json"
    path.write_text(json.dumps(content), "utf-8")
    return path
