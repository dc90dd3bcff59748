"""How close demosaicing comes to photographs that have all colours, beside LibRaw's methods.

demosaic_quality.py RAWMILL [gamma|linear] takes photographs of scikit-image and scikit-learn
(peers-requirements.txt) apart to RGGB mosaics, in linear light (the default) or of their sRGB values as they
are, has the program and rawpy put them together again, and prints the CPSNR in dB of sRGB values, ten pixels
from the border: PSNR of the mean squared error over all three colours.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile

import numpy
import rawpy
import tifffile
from PIL import Image

# By which factor each is reduced first: photographs as JPEG keep the traces of their compression.
PHOTOGRAPHS = {
    ("skimage", "data/astronaut.png"): 1,
    ("skimage", "data/chelsea.png"): 1,
    ("skimage", "data/coffee.png"): 1,
    ("skimage", "data/motorcycle_left.png"): 1,
    ("skimage", "data/rocket.jpg"): 1,
    ("skimage", "data/ihc.png"): 1,
    ("skimage", "data/hubble_deep_field.jpg"): 2,
    ("skimage", "data/retina.jpg"): 2,
    ("sklearn", "datasets/images/china.jpg"): 2,
    ("sklearn", "datasets/images/flower.jpg"): 2,
}
METHODS = ["LINEAR", "VNG", "PPG", "AHD", "DCB", "DHT", "AAHD"]
RECIPE = """\
recipe: 1
outputs:
  - dng: {linear: true, bitDepth: 16, curve: linear, compression: none, preview: none}
"""
# XYZ to linear sRGB, the camera whose colours are sRGB's: IEC 61966-2-1.
CAMERA = [
    [3.2404542, -1.5371385, -0.4985314],
    [-0.9692660, 1.8760108, 0.0415560],
    [0.0556434, -0.2040259, 1.0572252],
]


def photograph(package, name, factor):
    folder = importlib.util.find_spec(package).submodule_search_locations[0]
    picture = numpy.asarray(Image.open(os.path.join(folder, name)).convert("RGB")) / 255.0
    height, width = (side // (2 * factor) * 2 * factor for side in picture.shape[:2])
    cut = picture[:height, :width]
    return cut.reshape(height // factor, factor, width // factor, factor, 3).mean((1, 3))


def decoded(values):
    return numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def encoded(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def write_mosaic(path, mosaic):
    def rationals(values):
        return [part for value in numpy.ravel(values) for part in (round(value * 10000), 10000)]

    tags = [
        (33421, 3, 2, (2, 2), True),
        (33422, 1, 4, bytes([0, 1, 1, 2]), True),
        (50706, 1, 4, bytes([1, 4, 0, 0]), True),
        (50707, 1, 4, bytes([1, 1, 0, 0]), True),
        (50708, 2, 0, "Test Camera", True),
        (50717, 3, 1, 65535, True),
        (50721, 10, 9, rationals(CAMERA), True),
        (50728, 5, 3, rationals([1, 1, 1]), True),
        (50730, 10, 1, [0, 1], True),
        (50778, 3, 1, 21, True),
    ]
    tifffile.imwrite(
        path, mosaic, photometric=32803, extratags=tags, compression=None, metadata=None, software=None
    )


def by_rawpy(path, method):
    with rawpy.imread(path) as raw:
        return raw.postprocess(
            demosaic_algorithm=rawpy.DemosaicAlgorithm[method],
            output_color=rawpy.ColorSpace.raw,
            gamma=(1, 1),
            no_auto_bright=True,
            user_wb=[1, 1, 1, 1],
            output_bps=16,
            user_black=0,
            user_sat=65535,
            adjust_maximum_thr=0,
        ) / 65535.0


def by_rawmill(program, path, recipe, folder):
    subprocess.run([program, "develop", path, "--recipe", recipe, "--to", folder], check=True,
                   stdout=subprocess.DEVNULL)
    written = os.path.join(folder, os.path.basename(path))
    with tifffile.TiffFile(written) as file:
        page = max(file.pages, key=lambda page: page.imagelength * page.imagewidth)
        black, white = level(page, 50714), level(page, 50717)
        return (page.asarray() - black) / (white - black)


def level(page, code):
    """The first value of a tag; 0 where it is absent."""
    if code not in page.tags:
        return 0.0
    tag = page.tags[code]
    values = numpy.ravel(tag.value).astype(float)
    return values[0] / values[1] if tag.dtype in (5, 10) else values[0]


def cpsnr(left, right, border=10):
    difference = (left - right)[border:-border, border:-border]
    return 10 * numpy.log10(1 / numpy.mean(difference**2))


def main():
    program = sys.argv[1]
    is_linear = (sys.argv[2:] or ["linear"])[0] == "linear"
    shown = encoded if is_linear else (lambda values: numpy.clip(values, 0, 1))
    columns = METHODS + ["rawmill"]
    print("photograph".ljust(20), *(column.rjust(8) for column in columns))
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        recipe = os.path.join(scratch, "recipe.yaml")
        with open(recipe, "w") as file:
            file.write(RECIPE)
        for (package, name), factor in PHOTOGRAPHS.items():
            picture = photograph(package, name, factor)
            codes = numpy.round((decoded(picture) if is_linear else picture) * 65535)
            codes = codes.astype(numpy.uint16)
            mosaic = codes[..., 1].copy()
            mosaic[0::2, 0::2] = codes[0::2, 0::2, 0]
            mosaic[1::2, 1::2] = codes[1::2, 1::2, 2]
            path = os.path.join(scratch, os.path.splitext(os.path.basename(name))[0] + ".dng")
            write_mosaic(path, mosaic)
            row = [cpsnr(shown(by_rawpy(path, method)), picture) for method in METHODS]
            made = by_rawmill(program, path, recipe, os.path.join(scratch, "out"))
            row.append(cpsnr(shown(made), picture))
            rows.append(row)
            print(os.path.basename(path)[:-4].ljust(20), *(f"{value:8.2f}" for value in row))
    print("mean".ljust(20), *(f"{value:8.2f}" for value in numpy.mean(rows, axis=0)))


main()
