"""Compares the samples of each NAME.dng of a folder with NAME.raw, as tifffile and LibRaw read them."""

import pathlib
import sys

import numpy
import rawpy
import tifffile

count = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.dng")):
    expected = numpy.fromfile(path.with_suffix(".raw"), dtype="<u2")
    with tifffile.TiffFile(path) as tiff:
        page = tiff.pages[0]
        planes = page.samplesperpixel
        shape = (page.imagelength, page.imagewidth) + ((planes,) if planes > 1 else ())
        expected = expected.reshape(shape)
        decoded = page.asarray()
        if decoded.shape != shape or (decoded != expected).any():
            sys.exit(f"{path.name}: tifffile differs")
        has_table = 50712 in page.tags
    if not has_table:  # LibRaw applies a LinearizationTable while it unpacks
        with rawpy.imread(str(path)) as raw:
            image = raw.raw_image
            if planes > 1:
                image = image[..., :planes]
            if image.shape != shape or (image != expected).any():
                sys.exit(f"{path.name}: LibRaw differs")
    count += 1
print(f"{count} files equal")
