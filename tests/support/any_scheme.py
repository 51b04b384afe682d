"""Scheme lines drawn at random from the whole grammar."""

from random import Random

TOKENS = ("words", "eojeol", "segmented", "chars", "jamo", "bytes", "lines", "sentences", "paragraphs")
WEIGHTS = ("", " weight=1", " weight=tf", " weight=idf:corpus")


def draw_scheme(random: Random) -> str:
    """Draw a line of one or two passes; not every line is a valid scheme."""
    return " ; ".join(draw_pass(random) for _ in range(1 if random.random() < 0.85 else 2))


def draw_pass(random: Random) -> str:
    """Draw a pass."""
    tokens = random.choice(TOKENS)
    signature = draw_signature(random)
    if random.random() < 0.15:
        signature += f" + {draw_signature(random)}"
        if random.random() < 0.5:
            signature += f" of={random.choice(TOKENS)}{random.choice(('', ' weight=tf'))}"
    keys = " + ".join(draw_keys(random, signature) for _ in range(1 if random.random() < 0.8 else 2))
    measure = " & ".join(draw_test(random) for _ in range(1 if random.random() < 0.75 else 2))
    return " | ".join((tokens, draw_features(random), signature, keys, measure))


def draw_features(random: Random) -> str:
    """Draw features."""
    kind = random.randrange(8)
    if kind < 4:
        options = random.choice((*WEIGHTS, " hash=rabin", " frame=0.05", " frame=0.5"))
        return f"shingles:{number(random, 64)}{options}"
    low, high = sorted((draw_share(random), draw_share(random)))
    return (
        f"terms{random.choice(('', f':{low},{high}'))}{random.choice(WEIGHTS)}",
        f"chunks:{random.choice((number(random, 1000), 'document'))}",
        f"abstract:{number(random, 1000)}",
        random.choice(
            (
                f"keywords:{number(random, 1024)},{random.choice(('ranked', 'sorted'))}{random.choice(WEIGHTS)}",
                f"spots:{number(random, 16)},{number(random, 64)}",
            )
        ),
    )[kind - 4]


def draw_signature(random: Random) -> str:
    """Draw a signature."""
    name = random.choice(
        (
            *["minhash"] * 4,
            *("minima", "moduli", "levels", "supershingles", "simhash", "projection", "digest", "lexicons", "whole"),
        )
    )
    seed = random.choice(("", "", f" seed={random.randrange(1 << 40)}"))
    arguments = {
        "minhash": f":{number(random, 1024)}",
        "minima": f":{number(random, 65536)}",
        "moduli": f":{number(random, 65536)}",
        "levels": f":{number(random, 65536)}",
        "supershingles": f":{number(random, 65536)},{number(random, 1024)}",
        "simhash": f":{random.choice((64, 128))}",
        "projection": f":{64 * random.randint(1, 16)}",
        "digest": f":{random.choice(('blake3', 'sha1', 'md5'))}",
        "lexicons": f":{number(random, 255)},{draw_share(random)}",
        "whole": "",
    }
    return f"{name}{arguments[name]}{seed}"


def draw_keys(random: Random, signature: str) -> str:
    """Draw keys, mostly of a kind that fits the signature."""
    name = signature.split(":")[0].split(" ")[0]
    if random.random() < 0.1:
        name = random.choice(("minhash", "simhash", "whole", "other"))
    common = random.choice(
        (
            "",
            "",
            f" cap={1 + number(random, 100)} over={random.choice(('drop', 'star'))}",
            f" cap={1 + number(random, 5)}",
        )
    )
    match = f" match={random.randint(1, 4)}" if random.random() < 0.2 else ""
    if name == "minhash":
        values = int(signature.split(":")[1].split(" ")[0]) if signature.startswith("minhash") else 96
        rows = random.randint(1, values)
        return f"bands:{max(1, random.randint(1, values // rows))}x{rows}{match}{common}"
    if name in ("simhash", "projection"):
        return f"blocks:{random.randint(0, 31)},{random.choice(('single', 'double', 'nested', 'auto'))}{common}"
    if name == "whole" and random.random() < 0.7:
        return f"{random.choice(('prefix', 'lengths'))}:{random.choice((draw_share(random), 'auto'))}{common}"
    return f"each{match}{common}"


def draw_test(random: Random) -> str:
    """Draw a test of the measure."""
    share, count, unit = draw_share(random), number(random, 500), random.choice(TOKENS)
    return random.choice(
        (
            *[f"resemblance>={share}"] * 4,
            *(f"~resemblance>={share}", f"containment>={share}", f"~containment>={share}", f"bag>={share}"),
            *(f"cosine>={share}", f"~cosine>={share}", f"lcs:{unit}>={share}", f"distinct:{unit}<={count}"),
            f"levenshtein:{unit},{random.randrange(4)},{random.randrange(4)},{random.randrange(4)}<={count}",
            *(
                f"euclidean<={share}",
                f"sim<={share}",
                f"hamming<={number(random, 64)}",
                f"agree>={number(random, 384)}",
            ),
            *["equal"] * 3,
        )
    )


def draw_share(random: Random) -> str:
    """Draw a share: at either end of the allowed range, or inside it."""
    return random.choice(
        (
            "0.000000000000000001",
            "0.001",
            "1/3",
            "0.5",
            "0.8",
            "0.999999999999999999",
            "1",
            f"0.{random.randint(1, 99):02}",
        )
    )


def number(random: Random, most: int) -> int:
    """Draw a whole number from 1 to `most`: often a small one, and sometimes the largest."""
    return random.choice((1, 2, random.randint(1, min(16, most)), random.randint(1, most), most))
