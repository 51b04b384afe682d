"""Options and arguments of the commands about sweeps."""

import click

store_argument = click.argument("store", metavar="STORE", type=click.Path(file_okay=False))
url_argument = click.argument("url", metavar="URL")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
