"""The literature as schemes: each function returns one, with the parameters of its paper as defaults.

    neardup.find_pairs(texts, scheme=neardup.schemes.classics.henzinger())

On the command line a classic is chosen by its name: `--scheme henzinger`.
"""

from collections.abc import Callable

from neardup._core import Scheme
from neardup.allowed import allow
from neardup.errors import UsageError
from neardup.schemes.number import Number


@allow
def identical() -> Scheme:
    """Find texts that are equal byte for byte."""
    return Scheme("bytes | chunks:document | digest | each | equal")


@allow
def lexically_equal() -> Scheme:
    """Find texts of the same words in the same order (Broder et al. 1997)."""
    return Scheme("words | chunks:document | digest | each | equal")


@allow
def shingle_equal(w: int = 5) -> Scheme:
    """Find texts of the same set of w-shingles (Broder et al. 1997)."""
    return Scheme(f"words | shingles:{w} | digest | each | equal")


@allow
def broder_resemblance(w: int = 10, m: int = 25, threshold: Number = "0.5", common: int = 1000) -> Scheme:
    """Estimate resemblance by the fingerprints that are 0 mod m; common shingles ignored (Broder et al. 1997)."""
    return _broder(w, f"moduli:{m}", f"~resemblance>={threshold}", common)


@allow
def broder_minima(w: int = 10, s: int = 200, threshold: Number = "0.5", common: int = 1000) -> Scheme:
    """Estimate resemblance by the s smallest fingerprints, a sketch of fixed size (Broder et al. 1997)."""
    return _broder(w, f"minima:{s}", f"~resemblance>={threshold}", common)


@allow
def broder_levels(w: int = 10, n: int = 50, threshold: Number = "0.5", common: int = 1000) -> Scheme:
    """Estimate resemblance by n to 2n fingerprints, compared at the coarser level (Broder et al. 1997)."""
    return _broder(w, f"levels:{n}", f"~resemblance>={threshold}", common)


@allow
def broder_containment(w: int = 10, m: int = 25, threshold: Number = "0.5", common: int = 1000) -> Scheme:
    """Estimate the containment of one text in another (Broder et al. 1997)."""
    return _broder(w, f"moduli:{m}", f"~containment>={threshold}", common)


def _broder(w: int, sample: str, measure: str, common: int) -> Scheme:
    return Scheme(f"words | shingles:{w} hash=rabin | {sample} | each cap={common} over=drop | {measure}")


@allow
def super_shingles(w: int = 10, s: int = 200, width: int = 14) -> Scheme:
    """Find texts that share one shingle of their sorted sketches (Broder et al. 1997)."""
    return Scheme(f"words | shingles:{w} hash=rabin | supershingles:{s},{width} | each cap={CAP} over=star | equal")


@allow
def fetterly(k: int = 6, s: int = 14, r: int = 2, w: int = 5) -> Scheme:
    """Compare 84 minima in 6 groups of 14, of which 2 must be equal: 15 keys (Broder 2000; Fetterly et al. 2003)."""
    return Scheme(f"words | shingles:{w} | minhash:{k * s} | bands:{k}x{s} match={r} cap={CAP} over=star | equal")


@allow
def banding(b: int = 16, r: int = 6, threshold: Number = "0.8", w: int = 5) -> Scheme:
    """Hash b bands of r minima; every proposed pair is verified (Indyk, Motwani 1998)."""
    return Scheme(f"words | shingles:{w} | minhash:{b * r} | bands:{b}x{r} | resemblance>={threshold}")


@allow
def exact_join(threshold: Number = "0.8", w: int = 5) -> Scheme:
    """Find every pair at or above a resemblance, by prefix filtering (Chaudhuri, Ganti, Kaushik 2006)."""
    return Scheme(f"words | shingles:{w} | whole | prefix:{threshold} | resemblance>={threshold}")


@allow
def contained(threshold: Number = "0.8", w: int = 5, m: int = 8, common: int = 1000) -> Scheme:
    """Find a short text inside a long one: proposed by the fingerprints that are 0 mod m, verified on all shingles."""
    return Scheme(f"words | shingles:{w} | moduli:{m} | each cap={common} over=drop | containment>={threshold}")


@allow
def simhash(bits: int = 64, m: int = 3, weight: str = "1", unit: str = "words", w: int = 3) -> Scheme:
    """Find fingerprints that differ in m bits or fewer (Charikar 2002; Manku, Jain, Das Sarma 2007)."""
    return Scheme(
        f"{unit} | shingles:{w} weight={weight} | simhash:{bits} | blocks:{m},auto cap={CAP} over=star | hamming<={m}"
    )


@allow
def simhash_128(m: int = 12, weight: str = "1") -> Scheme:
    """Find fingerprints of 128 bits that differ in m or fewer, which finds more than 64 bits do (Manku et al. 2007)."""
    return simhash(128, m, weight)


@allow
def random_projection(b: int = 384, agree: int = 372) -> Scheme:
    """Project the terms on b random directions; at least `agree` signs must match (Charikar 2002; Henzinger 2006)."""
    keys = f"blocks:{b - agree},single cap={CAP} over=star"
    return Scheme(f"words | shingles:1 weight=tf | projection:{b} | {keys} | agree>={agree}")


@allow
def henzinger(agree: int = 355) -> Scheme:
    """Propose pairs by 2 of 6 groups of minima; their projected words must agree in `agree` bits (Henzinger 2006)."""
    keys = f"bands:6x14 match=2 cap={CAP} over=star"
    signatures = "minhash:84 + projection:384 of=words weight=tf"
    return Scheme(f"words | shingles:5 | {signatures} | {keys} | equal & agree>={agree}")


@allow
def given_fingerprints(bits: int = 64, m: int = 3) -> Scheme:
    """Compare fingerprints made elsewhere, in the text field (Manku, Jain, Das Sarma 2007)."""
    return Scheme(f"given | bits:{bits} | given:{bits} | blocks:{m},auto cap={CAP} over=star | hamming<={m}")


@allow
def i_match(low: Number = "0.1", high: Number = "0.9", lexicon: str = "corpus", unit: str = "words") -> Scheme:
    """Find equal digests of the terms that are neither common nor rare (Chowdhury et al. 2002)."""
    return Scheme(f"{unit} | terms:{low},{high} weight=idf:{lexicon} | digest:sha1 | each | equal")


@allow
def i_match_randomised(k: int = 10, share: Number = "1/3", lexicon: str = "corpus", unit: str = "words") -> Scheme:
    """Find one equal digest among those of k further lexicons, each with a share left out (Kolcz et al. 2004)."""
    return Scheme(
        f"{unit} | terms:0.1,0.9 weight=idf:{lexicon} | lexicons:{k},{share} | each cap={CAP} over=star | equal"
    )


@allow
def spotsigs(
    c: int = 2, d: int = 1, threshold: Number = "0.44", antecedents: str = "en", unit: str = "words"
) -> Scheme:
    """Compare bags of word chains behind antecedents such as "the" and "is" (Theobald et al. 2008)."""
    return Scheme(
        f"{unit} | spots:{c},{d} antecedents={antecedents} | whole | lengths:{threshold} | resemblance>={threshold}"
    )


@allow
def tianwang(rule: int = 5, n: int = 10, e: Number = "0.2", lexicon: str = "corpus", unit: str = "words") -> Scheme:
    """Apply rule 1: equal abstracts; 2: keywords in order of weight; 5: in any order; 3, 4: also SIM (Tianwang)."""
    if rule == 1:
        return Scheme("bytes | abstract:512 | digest:md5 | each | equal")
    if rule not in (2, 3, 4, 5):
        raise UsageError(f"rule is {rule}; allowed are 1, 2, 3, 4, 5")
    order = "ranked" if rule in (2, 3) else "sorted"
    measure = f"equal & sim<{e}" if rule in (3, 4) else "equal"
    return Scheme(f"{unit} | keywords:{n},{order} weight=idf:{lexicon} | digest:md5 | each | {measure}")


@allow
def shivakumar(unit: str = "lines", n: int = 1, match: int = 3) -> Scheme:
    """Find texts that share this many chunks of n lines, sentences or paragraphs (Shivakumar, Garcia-Molina 1995)."""
    return Scheme(f"{unit} | chunks:{n} | whole | each match={match} cap={CAP} over=drop | equal")


CAP = 10_000
"""A key of more documents than this does not propose all its pairs, so that spam does not cost quadratic time."""

CLASSICS: dict[str, Callable[[], Scheme]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        identical,
        lexically_equal,
        shingle_equal,
        broder_resemblance,
        broder_minima,
        broder_levels,
        broder_containment,
        super_shingles,
        fetterly,
        banding,
        exact_join,
        contained,
        simhash,
        simhash_128,
        random_projection,
        henzinger,
        given_fingerprints,
        i_match,
        i_match_randomised,
        spotsigs,
        tianwang,
        shivakumar,
    )
}
"""The classics by the names that the command line knows."""
