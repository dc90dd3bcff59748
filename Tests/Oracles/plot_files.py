"""What pillow and an XML parser make of a plot's files: plot_files.py PNG SVG.

Prints size, mode, the pixel in the corner, the numbers of reddish and of bluish pixels, and the SVG's root.
"""

import sys
import xml.etree.ElementTree

import numpy
from PIL import Image

with Image.open(sys.argv[1]) as image:
    image.load()
    pixels = numpy.asarray(image).astype(int)
    print(f"{image.width}x{image.height}", image.mode, ",".join(map(str, pixels[0, 0])))
red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
print((red > green + 60).sum(), (blue > red + 60).sum())
print(xml.etree.ElementTree.parse(sys.argv[2]).getroot().tag)
