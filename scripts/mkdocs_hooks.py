"""What mkdocs does besides: the page of decisions lists them, from the first line of each."""

import pathlib


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri != "decisions/README.md":
        return markdown
    rows = []
    for path in sorted((pathlib.Path(config["docs_dir"]) / "decisions").glob("[0-9]*.md")):
        title = path.read_text("utf-8").split("\n", 1)[0].lstrip("# ")
        rows.append(f"- [{title}]({path.name})")
    return markdown + "\n\n## All of them\n\n" + "\n".join(rows) + "\n"
