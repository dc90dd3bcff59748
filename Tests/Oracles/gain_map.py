"""The GainMap opcode (DNG 1.7.1 chapter 7) in double precision with numpy.

gain_map.py SAMPLES WIDTH HEIGHT GAINS V H SPACING_V SPACING_H ORIGIN_V ORIGIN_H OUT
    float64 linear samples times the bilinear gains, clipped to 0...1
"""

import sys

import numpy


def places(count, origin, spacing, points):
    relative = (numpy.arange(count) + 0.5) / count
    place = numpy.clip((relative - origin) / spacing, 0, points - 1)
    low = numpy.minimum(place.astype(int), points - 2)
    return low, place - low


def main(samples, width, height, gains, v, h, spacing_v, spacing_h, origin_v, origin_h, out):
    width, height, v, h = int(width), int(height), int(v), int(h)
    image = numpy.fromfile(samples, numpy.float64).reshape(height, width)
    grid = numpy.fromfile(gains, numpy.float64).reshape(v, h)
    top, b = places(height, float(origin_v), float(spacing_v), v)
    left, a = places(width, float(origin_h), float(spacing_h), h)
    above = grid[top][:, left] * (1 - a) + grid[top][:, left + 1] * a
    below = grid[top + 1][:, left] * (1 - a) + grid[top + 1][:, left + 1] * a
    gain = above * (1 - b)[:, None] + below * b[:, None]
    numpy.clip(image * gain, 0, 1).tofile(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
