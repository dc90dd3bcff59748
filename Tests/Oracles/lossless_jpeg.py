"""Decodes each NAME.ljpeg of a folder with imagecodecs and compares it with NAME.raw."""

import pathlib
import sys

import imagecodecs
import numpy

count = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.ljpeg")):
    expected = numpy.fromfile(path.with_suffix(".raw"), dtype="<u2")
    data = path.read_bytes()
    for decode in (imagecodecs.ljpeg_decode, imagecodecs.jpegsof3_decode):
        decoded = numpy.asarray(decode(data)).astype("<u2").ravel()
        if decoded.shape != expected.shape or (decoded != expected).any():
            sys.exit(f"{path.name}: {decode.__name__} differs")
    count += 1
print(f"{count} streams equal")
