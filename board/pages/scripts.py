# SPDX-License-Identifier: Apache-2.0
"""Pages in scripts other than Latin: their way up may be unknown, but never wrong. The texts are in the public domain."""
from PIL import Image, ImageDraw, ImageFont

DEJAVU, HEI = "truetype/dejavu/DejaVuSans.ttf", "truetype/wqy/wqy-microhei.ttc"
SANS, SERIF = "truetype/liberation/LiberationSans-Regular.ttf", "truetype/liberation/LiberationSerif-Bold.ttf"
RIGHT_TO_LEFT, WITHOUT_SPACES = ("hebrew", "arabic"), ("chinese", "japanese")
TEXTS = {
    # Homer, Odyssey.
    "greek": (DEJAVU, "Ἄνδρα μοι ἔννεπε, Μοῦσα, πολύτροπον, ὃς μάλα πολλὰ πλάγχθη, ἐπεὶ Τροίης ἱερὸν πτολίεθρον ἔπερσε· πολλῶν δ᾽ "
              "ἀνθρώπων ἴδεν ἄστεα καὶ νόον ἔγνω, πολλὰ δ᾽ ὅ γ᾽ ἐν πόντῳ πάθεν ἄλγεα ὃν κατὰ θυμόν, ἀρνύμενος ἥν τε ψυχὴν καὶ νόστον "
              "ἑταίρων."),
    # L. Tolstoy, Anna Karenina.
    "cyrillic": (DEJAVU, "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Все смешалось в "
                 "доме Облонских. Жена узнала, что муж был в связи с бывшею в их доме француженкою-гувернанткой, и объявила мужу, что не "
                 "может жить с ним в одном доме."),
    # T. Shevchenko, The Bewitched Woman.
    "ukrainian": (DEJAVU, "Реве та стогне Дніпр широкий, сердитий вітер завива, додолу верби гне високі, горами хвилю підійма. І блідий "
                  "місяць на ту пору із хмари де де виглядав, неначе човен в синім морі, то виринав, то потопав."),
    # I. Vazov, Radetzky.
    "bulgarian": (SANS, "Тих бял Дунав се вълнува, весело шуми и Радецки гордо плува над златни вълни. Но кога там се съзирва козлодуйски "
                  "бряг, в парахода рог изсвирва, развя се байряк."),
    # P. Njegos, The Mountain Wreath.
    "serbian": (SERIF, "Нека буде борба непрестана, нека буде што бити не може, нек ад прождре, покоси сатана! На гробљу ће изнићи цвијеће "
                "за далеко неко покољење."),
    # Genesis 1, without points.
    "hebrew": (DEJAVU, "בראשית ברא אלהים את השמים ואת הארץ והארץ היתה תהו ובהו וחשך על פני תהום ורוח אלהים מרחפת על פני המים ויאמר אלהים "
               "יהי אור ויהי אור וירא אלהים את האור כי טוב ויבדל אלהים בין האור ובין החשך"),
    # Genesis 1, Van Dyck's translation of 1865.
    "arabic": (DEJAVU, "في البدء خلق الله السماوات والأرض. وكانت الأرض خربة وخالية، وعلى وجه الغمر ظلمة، وروح الله يرف على وجه المياه. وقال "
               "الله: ليكن نور، فكان نور. ورأى الله النور أنه حسن. وفصل الله بين النور والظلمة."),
    # Genesis 1, Union Version of 1919.
    "chinese": (HEI, "起初，神創造天地。地是空虛混沌，淵面黑暗；神的靈運行在水面上。神說：「要有光」，就有了光。神看光是好的，就把光暗分開了。"
                "神稱光為「晝」，稱暗為「夜」。有晚上，有早晨，這是頭一日。"),
    # Natsume Soseki, I Am a Cat.
    "japanese": (HEI, "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶して"
                 "いる。吾輩はここで始めて人間というものを見た。"),
    # Kim Sowol, Azaleas.
    "korean": (HEI, "나 보기가 역겨워 가실 때에는 말없이 고이 보내 드리우리다 영변에 약산 진달래꽃 아름 따다 가실 길에 뿌리우리다 가시는 걸음 걸음 "
               "놓인 그 꽃을 사뿐히 즈려밟고 가시옵소서"),
}
SCRIPTS = list(TEXTS)


def sheet(script, rng, paper, dpi, fonts):
    """Prints an upright page; Arabic's letters are joined and its lines are ordered by Pillow's layout engine."""
    page = Image.new("RGB", paper, (236, 234, 226))
    draw = ImageDraw.Draw(page)
    file, text = TEXTS[script]
    size = round(rng.uniform(10, 14) * dpi / 72)
    font = ImageFont.truetype(str(fonts / file), size)
    ink = tuple(rng.randint(20, 60) for _ in range(3))
    left, top, right, bottom = (round(side) for side in (paper[0] * 0.11, paper[1] * 0.09, paper[0] * 0.89, paper[1] * 0.91))
    space = "" if script in WITHOUT_SPACES else " "
    words = list(text) if script in WITHOUT_SPACES else text.split()
    at, y = rng.randrange(len(words)), top
    while y + size * 1.4 < bottom:
        line, width = "", (right - left) * (rng.uniform(0.3, 1) if rng.random() < 0.12 else 1)
        while not line or draw.textlength(line + space + words[at % len(words)], font) <= width:
            line += (space if line else "") + words[at % len(words)]
            at += 1
        x = right - draw.textlength(line, font) if script in RIGHT_TO_LEFT else left
        draw.text((x, y), line, ink, font)
        y += size * 1.4
    return page
