"""Texts of random words in scripts that write letters, digits or the parts of a word in several ways.

In the lists - is the zero width non-joiner, and 0 a number of the text.
"""

from random import Random

from planted import Damage, respell

WORDS = {
    "Arabic": "أحمد إلى أن أول أرض أيام أخ إخوة آخر آلة أسبوع إذا على حتى مصطفى مستشفى هدى كبرى مدرسة مدينة سنة ساعة "
    "جامعة شجرة سيارة رسالة كتاب بيت رجل ولد بحر جبل نهر سوق طريق باب يوم ليل خبز ماء شمس قمر قلم درس عمل علم 0 0 0",
    "Persian": "می-خواهم می-رود نمی-دانم خانه-ها کتاب-ها درخت-های بزرگ-تر رفته-اند خانه شهر راه آب نان روز شب باران "
    "باد کوه دریا مادر پدر برادر خواهر دوست کار بازار مدرسه معلم پنجره دیوار سفره چای صبح زمستان بهار گل سنگ پرنده ماه "
    "قلم نامه 0 0 0",
    "Hindi": "नदी पत्थर बाज़ार सर्दी चिट्ठी बगीचा खिड़की सुबह चाँदी मशीन काग़ज़ पहाड़ बच्चे धीरे सात क्षेत्र घर गाँव रास्ता "
    "पानी रोटी दिन रात पेड़ बारिश हवा माँ पिता भाई बहन दोस्त काम विद्यालय शिक्षक दीवार चाय फूल चिड़िया चाँद कलम खेत बैल 0 0 0",
}
DIGITS = {"Arabic": "٠١٢٣٤٥٦٧٨٩", "Persian": "۰۱۲۳۴۵۶۷۸۹", "Hindi": "०१२३४५६७८९"}
BARE = {"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه"}
"""Arabic letters, with those that are often written for them."""
POINTS = "\u064b\u064e\u064f\u0650\u0651\u0652"
"""Vowel signs of Arabic, and those of doubling and of no vowel."""
JOINER = "\u200c"


def compose(language: str, count: int) -> list[str]:
    """Return texts of 60 to 200 words; numbers have the digits 0 to 9."""
    random = Random(f"{language} {count}")
    words = WORDS[language].replace("-", JOINER).split()

    def choose() -> str:
        word = random.choice(words)
        return str(random.randrange(10, 3000)) if word == "0" else word

    return [" ".join(choose() for _ in range(random.randrange(60, 200))) for _ in range(count)]


def point(share: float) -> Damage:
    """Write vowel signs after the share `share` of the letters."""

    def damage(text: str, random: Random) -> str:
        signs = (random.choice(POINTS) if char.isalpha() and random.random() < share else "" for char in text)
        return "".join(char + sign for char, sign in zip(text, signs, strict=True))

    return damage


def write_digits(language: str) -> Damage:
    """Write all digits as those of a language."""
    return respell(dict(zip("0123456789", DIGITS[language], strict=True)), 1)
