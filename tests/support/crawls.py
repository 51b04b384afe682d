"""Pages of small crawls."""

from neardup import Document

FERRY = "The ferry to the lighthouse leaves the old harbour every hour from April on and takes bicycles for two coins."
LATER = "The ferry to the lighthouse leaves the old harbour every hour from May on and takes bicycles for two coins."
OVEN = "Heat the stone oven until its floor turns white then sweep out the ash and bake the flat loaves on bare stone."
LONG = f"A walk along the coast begins behind the mill and follows the shore to the west. {FERRY} Bring a warm coat."


def crawl(pages: dict[str, str]) -> list[Document]:
    return [Document(text, url=url) for url, text in pages.items()]
