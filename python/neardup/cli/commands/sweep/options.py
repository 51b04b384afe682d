"""The arguments that the commands about sweeps share."""

import click

store_argument = click.argument("store", metavar="STORE", type=click.Path(file_okay=False))
url_argument = click.argument("url", metavar="URL")
