"""Generators of clients from the OpenAPI description; those of Java and npm are installed when they are needed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command import PATIENCE
from neardup.service.api.app import make_api

CACHE = Path(__file__).parents[2] / ".cache" / "generators"
OPENAPI_GENERATOR = "7.14.0"
TYPESCRIPT = "5.9.3"


def run(*command: str | Path) -> str:
    """Run a command, which must succeed, and return its standard output."""
    # the tools of the environment that runs the tests come first, such as ruff, which formats a generated client
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [*map(str, command)], capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False, env=environment
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def describe(folder: Path) -> Path:
    """Write the description of the service into a folder."""
    path = folder / "openapi.json"
    path.write_text(json.dumps(make_api().openapi()), encoding="utf-8")
    return path


def generate_python(folder: Path) -> Path:
    """Generate the package `generated` in a folder, by openapi-python-client."""
    run(
        "openapi-python-client",
        "generate",
        "--path",
        describe(folder),
        "--output-path",
        folder / "generated",
        "--meta",
        "none",
    )
    return folder


def generate_typescript(folder: Path, program: Path) -> Path:
    """Generate a client by openapi-generator, compile it with a program, and return the compiled program."""
    for tool in ("java", "mvn", "npm", "node"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    jar = CACHE / f"openapi-generator-cli-{OPENAPI_GENERATOR}.jar"
    if not jar.exists():
        artifact = f"org.openapitools:openapi-generator-cli:{OPENAPI_GENERATOR}"
        run("mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={CACHE}")
    compiler = CACHE / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        run("npm", "install", "--silent", "--prefix", CACHE, f"typescript@{TYPESCRIPT}")
    run("java", "-jar", jar, "generate", "-i", describe(folder), "-g", "typescript-fetch", "-o", folder / "generated")
    source = Path(shutil.copy(program, folder))
    target = ("--strict", "--target", "es2022", "--module", "commonjs", "--lib", "es2022,dom")
    run("node", compiler, *target, "--outDir", folder / "compiled", source)
    return folder / "compiled" / source.with_suffix(".js").name
