"""References for the develop tests; samples are written raw, in the machine's byte order.

develop_reference.py png FILE OUT                       16-bit samples of a PNG; prints width and height
develop_reference.py menon MOSAIC WIDTH HEIGHT PATTERN OUT
                                                        demosaics float64 samples by Menon (2007) with
                                                        refining as colour-demosaicing does: float64 RGB
"""

import sys
import warnings

import numpy

warnings.simplefilter("ignore")


def png(path, out):
    import imagecodecs

    image = imagecodecs.imread(path)
    assert image.dtype == numpy.uint16 and image.shape[2] == 3
    image.tofile(out)
    print(image.shape[1], image.shape[0])


def menon(mosaic, width, height, pattern, out):
    from colour_demosaicing import demosaicing_CFA_Bayer_Menon2007

    samples = numpy.fromfile(mosaic, numpy.float64).reshape(int(height), int(width))
    rgb = demosaicing_CFA_Bayer_Menon2007(samples, pattern.upper())
    numpy.ascontiguousarray(rgb, numpy.float64).tofile(out)


if __name__ == "__main__":
    {"png": png, "menon": menon}[sys.argv[1]](*sys.argv[2:])
