"""Names and codes of languages, as bibliographic databases write them."""

from __future__ import annotations

from collections.abc import Mapping

_LANGUAGES = """
en eng english|zh chi zho chinese|es spa spanish castilian|de ger deu german|fr fre fra french|ja jpn japanese
|ru rus russian|pt por portuguese|it ita italian|ko kor korean|nl dut nld dutch|pl pol polish|tr tur turkish
|cs cze ces czech|sv swe swedish|da dan danish|no nor nob nno norwegian|fi fin finnish|hu hun hungarian
|ro rum ron romanian|uk ukr ukrainian|fa per fas persian|ar ara arabic|he heb hebrew|el gre ell greek
|hr hrv croatian|sr srp serbian|sl slv slovenian|sk slo slk slovak|bg bul bulgarian|lt lit lithuanian
|lv lav latvian|et est estonian|is ice isl icelandic|ca cat catalan|eu baq eus basque|gl glg galician
|af afr afrikaans|id ind indonesian|ms may msa malay|th tha thai|vi vie vietnamese|hi hin hindi|la lat latin
|ga gle irish|sq alb sqi albanian|mk mac mkd macedonian|ka geo kat georgian|hy arm hye armenian|az aze azerbaijani
|kk kaz kazakh|bs bos bosnian|ur urd urdu|bn ben bengali|ta tam tamil
"""
_CODES: Mapping[str, str] = {
    name: line.split()[0] for line in _LANGUAGES.replace("\n", " ").split("|") for name in line.split()
}


def language_code(text: str) -> str:
    """The code of ISO 639-1 for a language's name or code; other texts as they are.

    >>> language_code("eng"), language_code("English"), language_code("en-GB"), language_code("Frisian")
    ('en', 'en', 'en', 'Frisian')
    """
    plain = text.strip().lower()
    return _CODES.get(plain) or _CODES.get(plain.partition("-")[0]) or text.strip()
