"""A job on tables of Iceberg, whose catalog is a folder.

    iceberg_job.py DOCS FOLDER    keeps the tables in FOLDER/lake, and writes the results to FOLDER/results.json

The table `pages` has the records of DOCS. The commands on it are those of docs/tutorials/on-spark.md.
"""

import json
import sys
from pathlib import Path
from typing import Any

import neardup
from neardup.spark.session.session import open_session

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "on-spark.md"


def block_of(word: str) -> str:
    """Return the block of text of the page that has a word."""
    texts = [text.partition("```")[0] for text in PAGE.read_text(encoding="utf-8").split("```text\n")[1:]]
    [block] = [text for text in texts if word in text]
    return block


def main() -> None:
    """Run the block of the page, and write what its tables have."""
    docs, folder = sys.argv[1:]
    lake = {
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": f"{folder}/lake",
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.log.level": "OFF",
    }
    with open_session("local[2]", settings=lake) as spark:
        spark.read.json(docs).repartition(3).writeTo("lake.web.pages").using("iceberg").create()
        names: dict[str, Any] = {"neardup": neardup, "spark": spark}
        exec(block_of("iceberg"), names)

        def rows_of(table: str) -> list[Any]:
            return [row.asDict() for row in spark.table(f"lake.web.{table}").orderBy("id").collect()]

        found = {"digest": names["result"].digest, "pages": rows_of("pages")}
        found |= {"kept": rows_of("pages_kept"), "decisions": rows_of("decisions")}
    (Path(folder) / "results.json").write_text(json.dumps(found, default=str), encoding="utf-8")


if __name__ == "__main__":
    main()
