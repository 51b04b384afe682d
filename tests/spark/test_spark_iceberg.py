"""Tables of Iceberg are read and written by the session, in an environment whose Spark has its jar."""

import json
import os
import subprocess
from pathlib import Path

import pyarrow.json as pj
import pytest

import neardup
from command import PATIENCE
from spark_session import ROOT, need_java
from systems import need_linux

pytestmark = [
    pytest.mark.spark,
    pytest.mark.deep("a table of Iceberg is a DataFrame, and its environment takes minutes to make"),
]
DOCS = Path(__file__).parents[1] / "golden" / "docs.jsonl"
JOB = Path(__file__).parents[1] / "support" / "iceberg_job.py"


def test_tables_of_iceberg_have_the_ids_of_their_column(tmp_path: Path) -> None:
    need_linux("Spark")
    need_java()
    script = ROOT / "packaging" / "iceberg.sh"
    made = subprocess.run([script, ROOT / ".cache" / "iceberg"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    python = made.stdout.strip()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYSPARK_PYTHON": python}
    environment |= {"SPARK_LOCAL_DIRS": str(tmp_path), "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [python, str(JOB), str(DOCS), str(tmp_path)]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    table = pj.read_json(DOCS).sort_by("id")
    local = neardup.dedup(table, id_field="id")
    assert found["digest"] == local.digest
    pages = {page["id"]: page for page in found["pages"]}
    assert list(pages) == table["id"].to_pylist()
    verdicts = dict(zip(local.decisions.column("id"), local.decisions.column("verdict"), strict=True))
    assert {row["id"]: row["verdict"] for row in found["decisions"]} == verdicts
    assert found["kept"] == [page for key, page in pages.items() if verdicts[key] == "keep"]
