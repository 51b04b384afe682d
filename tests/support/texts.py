"""Generated corpora in several scripts: sentences from small word lists, mutated with a seed."""

import zlib
from random import Random

from oracle import Doc

WORDS = {
    language: words.split()
    for language, words in {
        "english": "river stone lamp market winter copper letter garden window tower bridge sailor morning harvest "
        "silver engine paper mountain thunder candle The And of under beside slowly before seven ninety-two",
        "korean": "강물이 돌다리를 건너 시장에서 겨울 편지를 읽고 정원의 창문을 열었다 아침마다 은빛 기차가 산을 넘어 "
        "천천히 달렸으며 아이들은 일곱 개의 촛불을 켰다 2024년 봄",
        "chinese": "河流 石桥 市场 冬天 信件 花园 窗户 早晨 银色 机器 纸张 山峰 雷声 蜡烛 慢慢 之前 七个 孩子 走过",
        "japanese": "川の コーヒー 石橋 カタカナ 市場で 冬の朝 手紙を 読んだ ひらがな 山と谷 電車が 走る ろうそく 七つ",
        "thai": "แม่น้ำ สะพาน ตลาด ฤดูหนาว จดหมาย สวน หน้าต่าง เช้า เครื่องจักร กระดาษ ภูเขา เด็กๆ ๑๒๓",
        "hindi": "नदी पत्थर बाज़ार सर्दी चिट्ठी बगीचा खिड़की सुबह चाँदी मशीन काग़ज़ पहाड़ बच्चे धीरे सात क्षेत्र १२",
        "arabic": "النهر الحجر السوق الشتاء الرسالة الحديقة النافذة الصباح الفضة الآلة الورق الجبل كَتَبَ الأطفال ببطء ٧",
        "greek": "ΠΟΤΑΜΟΣ ποταμός πέτρα αγορά χειμώνας γράμμα κήπος παράθυρο ΠΡΩΙ ασήμι μηχανή χαρτί βουνό αργά επτά",
        "odd": "İstanbul ﬁne e\u0301tude a\u0328\u0301 \u1100\u1161\u11a8 "
        "ǅ ß ẞ _under_ x²y Ⅷ ㎏ 𝔘 𐐀𐐁 ꙮ ０１ ｱｰｲ が\u304b\u3099 \u212b",
    }.items()
}
MIXED = [word for words in WORDS.values() for word in words]
LANGUAGES = {**WORDS, "mixed": MIXED}
SEPARATORS = [" ", " ", " ", " ", ", ", ". ", "\n", " - ", "\u3000", "\u2028", "\t", '" ', "\\ ", "/", "\x85", "’ "]


def corpus(language: str, seed: int, families: int = 12, largest: int = 6) -> list[Doc]:
    """Make families of near-copies; ids are in another order than the input, and times have gaps and ties."""
    random = Random(f"{language} {seed}")
    vocabulary = LANGUAGES[language]
    texts: list[str] = ["", "   \n", "!!!", "!!!", "?!", "\u200b"]
    for _ in range(families):
        words = [random.choice(vocabulary) for _ in range(random.choice([1, 3, 5, 8, 20, 60, 120]))]
        base = _join(words, random)
        texts.append(base)
        texts += [_mutate(words, base, vocabulary, random) for _ in range(random.randrange(largest))]
    random.shuffle(texts)
    names = [f"{number:03}-é" if number % 7 == 0 else f"{number:03}" for number in range(len(texts))]
    random.shuffle(names)
    return [
        Doc(name, text, random.choice([None, -5, 0, 1_700_000_000 + random.randrange(50)]))
        for name, text in zip(names, texts, strict=True)
    ]


def _join(words: list[str], random: Random) -> str:
    return "".join(word + random.choice(SEPARATORS) for word in words)


def _mutate(words: list[str], base: str, vocabulary: list[str], random: Random) -> str:
    kind = random.randrange(6)
    if kind == 0:
        return base
    if kind == 1:
        return _join([word.upper() for word in words], random)
    if kind == 2:
        return " ".join([base] * random.choice([2, 3]))
    changed = list(words)
    for _ in range(random.choice([1, 1, 2, 3, 5])):
        at = random.randrange(len(changed) + 1)
        action = random.randrange(3)
        if action == 0:
            changed.insert(at, random.choice(vocabulary))
        elif at < len(changed) and len(changed) > 1:
            if action == 1:
                del changed[at]
            else:
                changed[at] = random.choice(vocabulary)
    return _join(changed, random)


def lines_of_noise(count: int) -> list[dict[str, str]]:
    """Return texts that compress badly, so that a truncated file still contains whole records."""
    return [
        {"text": " ".join(f"{zlib.crc32(b'%d %d' % (row, word)):08x}" for word in range(40))} for row in range(count)
    ]
