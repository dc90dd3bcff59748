"""Statistics of a raw's samples with numpy, from the definitions of the statistics guide.

raw_statistics.py SAMPLES WIDTH HEIGHT LEFT TOP COLUMNS ROWS STEP PLANE...

SAMPLES are 16-bit, little-endian, HEIGHT rows of WIDTH samples. The area begins at sample LEFT of row
TOP and has COLUMNS by ROWS samples of a plane's frame. STEP is 2 for mosaics, 1 for single planes.
Each PLANE is NAME:X:Y:BLACK:WHITE with the photosite's place in the 2x2 cell of the area. Prints, for
each plane, NAME and then KEY=VALUE words.
"""

import sys

import numpy

samples = numpy.fromfile(sys.argv[1], dtype="<u2")
width, height, left, top, columns, rows, step = map(int, sys.argv[2:9])
frame = samples.reshape(height, width)[top : top + rows, left : left + columns]
FRACTIONS = [0.0001, 0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 0.9999]


def percentile(sorted_values, fraction):
    return sorted_values[max(1, int(numpy.ceil(fraction * len(sorted_values)))) - 1]


def saturation(values, black):
    highest = int(values.max())
    if highest <= black:
        return None
    span = max(1, int(numpy.ceil((highest - black) * 0.01)))
    counts = numpy.bincount(values, minlength=highest + 1)
    top_counts = counts[highest - span : highest + 1]
    peak = highest - span + int(numpy.argmax(top_counts))
    below = counts[max(0, highest - 2 * span - 1) : highest - span]
    most, under = top_counts.max(), below.max() if len(below) else 0
    return peak if most > 100 and most > 4 * under else None


def noise(plane, black, white, clip):
    rows, columns = plane.shape[0] // 3, plane.shape[1] // 3
    if rows == 0 or columns == 0:
        return None
    blocks = plane[: 3 * rows, : 3 * columns].reshape(rows, 3, columns, 3).transpose(0, 2, 1, 3)
    weights = numpy.outer([1, -2, 1], [1, -2, 1])
    sums = blocks.sum(axis=(2, 3))
    residues = numpy.abs((blocks * weights).sum(axis=(2, 3)))
    kept = blocks.max(axis=(2, 3)) < clip
    signal = numpy.clip((sums // 9 - black) / (white - black), 0, 1)
    bins = numpy.minimum(63, (64 * numpy.sqrt(signal)).astype(int))
    found = []
    for index in range(64):
        chosen = kept & (bins == index)
        if chosen.sum() < 100:
            continue
        sizes = numpy.sort(numpy.minimum(residues[chosen], 4095))
        median = percentile(sizes, 0.5)
        if not 0 < median < 4095:
            continue
        mean = sums[chosen].sum() / (9 * chosen.sum())
        variance = (median / 0.6745 / 6 / (white - black)) ** 2
        found.append(((mean - black) / (white - black), variance, chosen.sum()))
    if len(found) < 2:
        return None
    x, y, n = map(numpy.array, zip(*found))
    spread = y
    for _ in range(4):
        root = numpy.sqrt(n) / spread
        matrix = numpy.stack([x, numpy.ones_like(x)], axis=1) * root[:, None]
        slope, offset = numpy.linalg.lstsq(matrix, y * root, rcond=None)[0]
        spread = numpy.maximum(slope * x + offset, y / 4)
    return slope, offset


for argument in sys.argv[9:]:
    name, x, y, black, white = argument.split(":")
    black, white = float(black), float(white)
    plane = frame[int(y) :: step, int(x) :: step].astype(numpy.int64)
    values = plane.ravel()
    ordered = numpy.sort(values)
    words = [
        f"count={len(values)}",
        f"minimum={ordered[0]}",
        f"maximum={ordered[-1]}",
        f"mean={values.mean(dtype=numpy.float64)!r}".replace("np.float64(", "").replace(")", ""),
        f"deviation={float(values.std(dtype=numpy.float64))!r}",
        f"clipped={(values >= white).sum()}",
        f"under={(values < black + (white - black) / 256).sum()}",
    ]
    words += [f"p{f}={percentile(ordered, f)}" for f in FRACTIONS]
    level = saturation(values, black)
    words.append(f"saturation={'none' if level is None else level}")
    exposure = numpy.log2(numpy.maximum(values - black, 1e-300) / (white - black))
    inside = (values > black) & (values < white)
    edges = -numpy.arange(0, 49) / 3
    for k in (0, 1, 2, 5, 10, 20, 40):
        chosen = inside & (exposure < edges[k]) & (exposure >= edges[k + 1])
        words.append(f"ev{k}={chosen.sum()}")
    fit = noise(plane, black, white, min(white, white if level is None else level))
    words += ["slope=none", "offset=none"] if fit is None else [
        f"slope={float(fit[0])!r}", f"offset={float(fit[1])!r}"
    ]
    print(name, *words)
