"""What mkdocs does besides: the page of decisions lists them, from the first line of each, and pages of the guide hold
the texts of --help where `<!-- help: COMMAND -->` stands."""

import pathlib
import re


def on_page_markdown(markdown, page, config, files):
    docs = pathlib.Path(config["docs_dir"])
    markdown = re.sub(r"<!-- help: ([\w-]+) -->",
                      lambda match: f"```text\n{(docs / 'cli' / f'{match[1]}.txt').read_text('utf-8')}```", markdown)
    if page.file.src_uri != "decisions/README.md":
        return markdown
    rows = []
    for path in sorted((docs / "decisions").glob("[0-9]*.md")):
        title = path.read_text("utf-8").split("\n", 1)[0].lstrip("# ")
        rows.append(f"- [{title}]({path.name})")
    return markdown + "\n\n## All of them\n\n" + "\n".join(rows) + "\n"
