"""What the guessing of encodings knows of languages: their letters and characters, the commonest first.

The letters are those outside ASCII, in the order of their frequency in running text.
"""

from dataclasses import dataclass

__all__ = ["COMMON", "LANGUAGES", "PUNCTUATION", "SINGLE_BYTE", "LanguageLetters"]


@dataclass(frozen=True)
class LanguageLetters:
    """The letters of a language outside ASCII, and whether they stand among ASCII letters."""

    letters: str
    latin: bool = True


LANGUAGES = {
    "fr": LanguageLetters("éèàêçùôîâûëïœ"),
    "de": LanguageLetters("üäöß"),
    "es": LanguageLetters("óíáñéúü"),
    "pt": LanguageLetters("ãçáéóíõêúâàô"),
    "it": LanguageLetters("èàùòìé"),
    "nordic": LanguageLetters("äåöøæé"),
    "is": LanguageLetters("íáðéöóþúýæ"),
    "en": LanguageLetters("éèñüöáíçó"),
    "pl": LanguageLetters("łęąóżśćńź"),
    "cs": LanguageLetters("íáéěřčýžšůúťňďó"),
    "sk": LanguageLetters("áíéčýžšľúťôäňďóŕĺ"),
    "hu": LanguageLetters("áéöóőüíúű"),
    "ro": LanguageLetters("ăîâţş"),
    "hr": LanguageLetters("čšžćđ"),
    "sl": LanguageLetters("čšž"),
    "tr": LanguageLetters("ışüğçöİâ"),
    "lt": LanguageLetters("ėšųžįąūčę"),
    "lv": LanguageLetters("āīēšņūļžčķģ"),
    "et": LanguageLetters("äõüöšž"),
    "vi": LanguageLetters("đưôơâêă\u0300\u0301\u0323\u0309\u0303àáéóíúù"),
    "ru": LanguageLetters("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", latin=False),
    "bg": LanguageLetters("аиоентрсвлкдпмзгъубчящжхцйюшфь", latin=False),
    "uk": LanguageLetters("оанивтіерсклупмдзяьбгчйхжюцщшєїфґ", latin=False),
    "sr": LanguageLetters("аиоенртсјувкдмлпзгбчшцћхњљжђфџ", latin=False),
    "el": LanguageLetters("αοιετσνηυρπκμλςόίάωγδέήχθύφβώξζψϊϋΐΰ", latin=False),
    "he": LanguageLetters("יוהלאמתרבשנםעדחקפכסטגזןץךףצ", latin=False),
    "ar": LanguageLetters("اليمنورتبةعدسفهكقأحجشطصىخإذزثضغءئآظؤ\u064b\u0651\u064f\u064e\u0650،؟ـ", latin=False),
    "fa": LanguageLetters("ایرندمهتوسبشکزگلفخقجعحپطصآچضغژئظثذء،؟", latin=False),
    "th": LanguageLetters(
        "านรอกเงม\u0e31ยลวดทส\u0e35\u0e34ต\u0e48ะ\u0e49ปบคหแจ\u0e37พไช\u0e38โ\u0e39ขใ\u0e4cผธซณ\u0e36ฐษศ\u0e47ถภญฉฝฟ\u0e33ๆฮฎฏฆ",
        latin=False,
    ),
}
"""By a short name; `nordic` stands for Swedish, Danish, Norwegian and Finnish."""

_WEST = "fr de es pt it nordic is en"
_CENTRAL = "pl cs sk hu ro hr sl"

SINGLE_BYTE = (
    ("windows-1252", _WEST),
    ("windows-1250", _CENTRAL),
    ("iso-8859-2", _CENTRAL),
    ("windows-1251", "ru bg uk sr"),
    ("koi8-r", "ru"),
    ("koi8-u", "uk"),
    ("iso-8859-5", "ru bg uk sr"),
    ("ibm866", "ru bg"),
    ("x-mac-cyrillic", "ru bg"),
    ("windows-1253", "el"),
    ("iso-8859-7", "el"),
    ("windows-1254", "tr"),
    ("windows-1255", "he"),
    ("windows-1256", "ar fa"),
    ("iso-8859-6", "ar"),
    ("windows-874", "th"),
    ("windows-1257", "lt lv et"),
    ("windows-1258", "vi"),
    ("macintosh", _WEST),
)
"""Encodings and the languages written in them; of two that read a text alike, the first is named."""

PUNCTUATION = frozenset("\u00a0«»“”„‘’–—…•©®°§·№™€\u00ad")

_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    "日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政"
    "美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员"
    "解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件"
    "计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象"
    "完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候"
)
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡"
    "用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實"
    "日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政"
    "美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員"
    "解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件"
    "計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象"
    "完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候"
)
_JAPANESE = (
    "、。日一人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回"
    "新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法"
    "不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女"
    "初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参"
    "売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式"
    "確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語"
    "球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護"
    "展態導鮮備宅害配副算視条幹独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然"
    "早張映限親額監環験追審商葉義伝働形景落欧担好退準賞訴辺造英被株頭技低毎医復仕去姿味負閣韓渡失移差衆個"
    "門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達"
)
_KOREAN = (
    "이다는에의가을하고를은로한지사어기도서대자시인리나과정있라그해만일수보들으전아부제주여동상구장것원스"
    "회국관내조성게적안위거했공신니세방경유비면트치년소개미연고선민화와문생까오물마무히드요우계난당야바분"
    "체없르같모두중후려심말날차될러데되따발명실용음진할행결교할속작통더간간목금감건양학집호터때식된각등살"
    "않크저재표많본책력업론단변습입합카타파프란든느며운렇"
)

COMMON = {
    "gbk": frozenset(_SIMPLIFIED + "，。、：；？！“”《》"),
    "big5": frozenset(_TRADITIONAL + "，。、：；？！「」"),
    "shift_jis": frozenset(_JAPANESE + "「」・ー"),
    "euc-jp": frozenset(_JAPANESE + "「」・ー"),
    "euc-kr": frozenset(_KOREAN),
}
"""The commonest characters of each multi-byte encoding's language."""
