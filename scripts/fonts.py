# Makes the Latin fonts in src/renderer/app/theme/fonts from those of the installed packages, with the same characters, but
# only the weights and the layout features that the desk and the public pages use. Run it after an update of these packages:
#
#   pip install fonttools==4.68.0 brotli==1.2.1 && python3 scripts/fonts.py
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parent.parent
FEATURES = {
    "inter": ["calt", "ccmp", "kern", "locl", "mark", "mkmk", "tnum"],
    # Without ligatures, which would hide what a program really contains.
    "jetbrains-mono": ["ccmp", "locl", "mark"],
}

for family, features in FEATURES.items():
    name = f"{family}-latin-wght-normal.woff2"
    source = ROOT / "node_modules/@fontsource-variable" / family / "files" / name
    with TemporaryDirectory() as folder:
        # The subsetter can't read some of the tables that the instancer leaves in memory.
        whole = TTFont(source, recalcTimestamp=False)
        instantiateVariableFont(whole, {"wght": (400, 400, 700)}).save(f"{folder}/font.ttf")
        font = TTFont(f"{folder}/font.ttf", recalcTimestamp=False)
        options = Options(layout_features=features, name_IDs=[0, 1, 2, 4, 5, 6, 13, 14], glyph_names=False)
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=font.getBestCmap())
        subsetter.subset(font)
        font.flavor = "woff2"
        font.save(ROOT / "src/renderer/app/theme/fonts" / name)
