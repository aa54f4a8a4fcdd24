"""What a benchmark keeps of a run so that it can be projected, compared and drawn later: its profile, and the machine
file once for all of them. JSON without blanks; what is larger than LIMIT is named and left out."""

import json
import pathlib

LIMIT = 262_144  # byte


def keep(profile, folder, name):
    """`profile`: path of a profile.json. Its machine goes to FOLDER/machine.json, the rest to FOLDER/NAME.profile.json."""
    content = json.loads(pathlib.Path(profile).read_text("utf-8"))
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    machine = content.pop("machine")
    for path, value in ((folder / f"{name}.profile.json", content), (folder / "machine.json", machine)):
        text = json.dumps(value, separators=(",", ":")) + "\n"
        if len(text.encode()) > LIMIT:
            print(f"not kept, {len(text) / 1024:.0f} KiB: {path.name}")
            continue
        path.write_text(text, "utf-8")


def restore(folder, name, target):
    """Writes what was kept as a profile that `ridge` reads, and returns its path."""
    content = json.loads((pathlib.Path(folder) / f"{name}.profile.json").read_text("utf-8"))
    content["machine"] = json.loads((pathlib.Path(folder) / "machine.json").read_text("utf-8"))
    path = pathlib.Path(target) / f"{name}.profile.json"
    path.write_text(json.dumps(content), "utf-8")
    return path
