"""Recomputes statistics documents with numpy, from the definitions of the guide Statistics.

statistics_document.py DNG DOCUMENT [DNG DOCUMENT]...

Samples are those that tifffile and imagecodecs read, tags are tifffile's. For each pair prints `ok NAME
CHECKS`, `skipped NAME REASON` where tifffile can't read the samples, or `wrong NAME WHAT` for each number
that differs: counts at all, closed forms by 1e-9 of their size, fits by 1e-6.
"""

import json
import os
import sys

import numpy
import tifffile

FRACTIONS = {
    "p0_01": 0.0001, "p0_1": 0.001, "p1": 0.01, "p5": 0.05, "p25": 0.25, "p50": 0.5, "p75": 0.75,
    "p95": 0.95, "p99": 0.99, "p99_9": 0.999, "p99_99": 0.9999,
}


def numbers(page, code, default=None):
    tag = page.tags.get(code)
    if tag is None:
        return default
    value = tag.value
    if tag.dtype in (5, 10):
        flat = numpy.asarray(value, dtype=float).reshape(-1, 2)
        return list(flat[:, 0] / flat[:, 1])
    if isinstance(value, bytes):
        return list(value)
    return list(value) if isinstance(value, (tuple, list, numpy.ndarray)) else [value]


def raw_page(file):
    pages = []
    for page in file.pages:
        pages.append(page)
        pages += list(page.pages or [])
    for page in pages:
        kind = page.tags.get(254)
        if int(page.photometric) in (32803, 34892) and (kind is None or int(kind.value) == 0):
            return page
    raise ValueError("no raw image")


def interleaved(page):
    """Samples as they lie: fields that are stored one after the other are woven (52547, 50975)."""
    samples = page.asarray()
    rows, columns = numbers(page, 50975, [1])[0], numbers(page, 52547, [1])[0]
    woven = numpy.empty_like(samples)
    top = 0
    for row in range(rows):
        left = 0
        height = len(range(row, samples.shape[0], rows))
        for column in range(columns):
            width = len(range(column, samples.shape[1], columns))
            woven[row::rows, column::columns] = samples[top : top + height, left : left + width]
            left += width
        top += height
    return woven


def is_lossy(page):
    """Whether two decoders may give other samples: JPEG of 8 bits, and JPEG XL with a distance (52553)."""
    return int(page.compression) == 34892 or numbers(page, 52553, [0])[0] > 0


def percentile(ordered, fraction):
    return ordered[max(1, int(numpy.ceil(fraction * len(ordered)))) - 1]


def saturation(values, black):
    highest = int(values.max())
    if highest <= black:
        return None
    span = max(1, int(numpy.ceil((highest - black) * 0.01)))
    counts = numpy.bincount(values, minlength=highest + 1)
    top = counts[max(0, highest - span) : highest + 1]
    peak = max(0, highest - span) + int(numpy.argmax(top))
    below = counts[max(0, highest - 2 * span - 1) : max(0, highest - span)]
    most, under = top.max(), below.max() if len(below) else 0
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
        weight = n / spread**2
        center, middle = numpy.average(x, weights=weight), numpy.average(y, weights=weight)
        slope = (weight * (x - center) * (y - middle)).sum() / (weight * (x - center) ** 2).sum()
        offset = middle - slope * center
        spread = numpy.maximum(slope * x + offset, y / 4)
    return slope, offset, found


class Check:
    def __init__(self, name):
        self.name, self.count, self.wrong = name, 0, []

    def equal(self, what, found, wanted):
        self.count += 1
        if found != wanted:
            self.wrong.append(f"{what}: {found} instead of {wanted}")

    def close(self, what, found, wanted, bound):
        self.count += 1
        if found is None or wanted is None:
            if found is not None or wanted is not None:
                self.wrong.append(f"{what}: {found} instead of {wanted}")
        elif not abs(found - wanted) <= bound * max(abs(wanted), 1e-300):
            self.wrong.append(f"{what}: {found} instead of {wanted}")


def histogram(check, what, found, values):
    counts = numpy.bincount(values)
    first = int(numpy.flatnonzero(counts)[0])
    check.equal(f"{what}.firstLevel", found["firstLevel"], first)
    check.equal(f"{what}.counts", found["counts"], counts[first:].tolist())


def compare(path, document):
    check = Check(os.path.basename(path))
    file = tifffile.TiffFile(path)
    page = raw_page(file)
    first = file.pages[0]
    samples = interleaved(page)
    of_all = lambda code: numbers(first, code) or numbers(page, code)
    neutral, profile = of_all(50728), of_all(51041)
    height, width = samples.shape[:2]
    planes = 1 if samples.ndim == 2 else samples.shape[2]
    samples = samples.reshape(height, width, planes)
    floating = samples.dtype.kind == "f"
    bits = 32 if floating else numbers(page, 258)[0]
    is_mosaic = int(page.photometric) == 32803
    top, left, bottom, right = numbers(page, 50829, [0, 0, height, width])
    x0, y0 = numbers(page, 50719, [0, 0])
    columns, rows = numbers(page, 50720, [right - left, bottom - top])
    black_rows, black_columns = numbers(page, 50713, [1, 1])
    black_count = black_rows * black_columns * planes
    black_level = numpy.resize(numbers(page, 50714, [0]), black_count).reshape(
        black_rows, black_columns, planes
    )
    delta_h, delta_v = numbers(page, 50715), numbers(page, 50716)
    white_level = numpy.resize(
        numbers(page, 50717, [1.0 if floating else 2.0**bits - 1]), planes
    ).astype(float)
    table = numbers(page, 50712)
    scale = 1.0
    if floating or bits > 16:
        highest, table = white_level.max(), None
        with numpy.errstate(invalid="ignore"):
            levels = numpy.floor(samples.astype(float) * 65535 / highest + 0.5)
        stored = numpy.clip(numpy.where(numpy.isnan(levels), 0, levels), 0, 65535).astype(numpy.int64)
        level_of = lambda value: value / highest * 65535
        scale = 65535 / highest
    else:
        stored = samples.astype(numpy.int64)
        level_of = lambda value: value
    linear = stored if table is None else numpy.array(table)[numpy.minimum(stored, len(table) - 1)]
    check.close("levelsPerUnit", document["levelsPerUnit"], scale, 1e-12)

    # Pixels whose centres lie within the default crop.
    edge = lambda value, limit: int(min(max(numpy.ceil(value - 0.5), 0), limit))
    cx, cy = edge(x0, right - left), edge(y0, bottom - top)
    cr, cb = edge(x0 + columns, right - left), edge(y0 + rows, bottom - top)
    area = {"left": left + cx, "top": top + cy, "width": cr - cx, "height": cb - cy}
    check.equal("area", document["area"], {key: int(value) for key, value in area.items()})
    yy, xx = numpy.mgrid[cy:cb, cx:cr]
    inner_stored = stored[top + cy : top + cb, left + cx : left + cr]
    inner = linear[top + cy : top + cb, left + cx : left + cr]
    black_map = black_level[yy % black_rows, xx % black_columns]
    if delta_h is not None:
        black_map = black_map + numpy.asarray(delta_h)[xx][..., None]
    if delta_v is not None:
        black_map = black_map + numpy.asarray(delta_v)[yy][..., None]

    if is_mosaic:
        colors = numbers(page, 33422)
        places = [(0, 0), (0, 1), (1, 0), (1, 1)]
        names = []
        for index, color in enumerate(colors):
            names.append(
                {0: "red", 2: "blue"}.get(color)
                or ("green1" if colors[index ^ 1] == 0 else "green2")
            )
    else:
        places = [None] * planes
        names = ["gray"] if planes == 1 else ["red", "green", "blue"]
    # A mosaic of one row or column has no photosite of some planes.
    held = [
        index for index, place in enumerate(places)
        if place is None
        or inner[(place[0] - cy) & 1 :: 2, (place[1] - cx) & 1 :: 2].size > 0
    ]
    has_color = len(names) > 1
    places, names = [places[index] for index in held], [names[index] for index in held]
    check.equal("planes", [plane["plane"] for plane in document["planes"]], names)

    masked = numpy.zeros((height, width), bool)
    areas = numbers(page, 50830, [])
    for t, l, b, r in zip(*[iter(areas)] * 4):
        masked[t:b, l:r] = True
    means, patches, headrooms, facts = {}, {}, {}, {}
    for index, (name, found) in enumerate(zip(names, document["planes"])):
        if is_mosaic:
            y, x = places[index]
            oy, ox = (y - cy) & 1, (x - cx) & 1
            pick = lambda array: array[oy::2, ox::2, 0]
            my, mx = numpy.mgrid[:height, :width]
            mask = masked & ((my - top) % 2 == y) & ((mx - left) % 2 == x)
            hidden = linear[..., 0][mask]
            white = level_of(white_level[0])
        else:
            pick = lambda array: array[..., index]
            hidden = linear[..., index][masked]
            white = level_of(white_level[index])
        plane = pick(inner)
        values = plane.ravel()
        ordered = numpy.sort(values)
        black = level_of(pick(black_map).mean())
        facts[name] = (plane, black, white)
        check.equal(f"{name}.count", found["count"], len(values))
        check.close(f"{name}.black", found["black"], black, 1e-9)
        check.close(f"{name}.white", found["white"], white, 1e-12)
        # From here on with the document's own black, so that its last bit decides no level.
        black = found["black"]
        histogram(check, f"{name}.stored", found["stored"], pick(inner_stored).ravel())
        if table is not None:
            histogram(check, f"{name}.linearized", found["linearized"], values)
        check.equal(f"{name}.minimum", found["minimum"], int(ordered[0]))
        check.equal(f"{name}.maximum", found["maximum"], int(ordered[-1]))
        check.close(f"{name}.mean", found["mean"], values.mean(dtype=float), 1e-9)
        check.close(f"{name}.sigma", found["standardDeviation"], values.std(dtype=float), 1e-9)
        for key, fraction in FRACTIONS.items():
            check.equal(f"{name}.{key}", found[key], int(percentile(ordered, fraction)))
        share = (values.mean(dtype=float) - black) / (white - black)
        check.close(f"{name}.meanEV", found["meanEV"], numpy.log2(share) if share > 0 else None, 1e-9)
        check.equal(f"{name}.clipped", found["clippedCount"], int((values >= white).sum()))
        check.equal(
            f"{name}.under",
            found["underexposedCount"],
            int((values < black + (white - black) / 256).sum()),
        )
        level = saturation(values, black)
        check.equal(f"{name}.saturation", found["saturationLevel"], level)
        check.equal(
            f"{name}.saturated",
            found["saturatedCount"],
            None if level is None else int((values >= level).sum()),
        )
        clip = min(white, white if level is None else level)
        bright = percentile(ordered, 0.999) - black
        headroom = float(numpy.log2((white - black) / bright)) if bright > 0 else None
        check.close(f"{name}.headroom", found["headroomEV"], headroom, 1e-9)
        if headroom is not None:
            headrooms[name] = headroom
        value = values - black
        inside = (value > 0) & (value < white - black)
        edges = (white - black) * numpy.exp2(-numpy.arange(0, 49) / 3)
        counts = [
            int((inside & (value < edges[k]) & (value >= edges[k + 1])).sum()) for k in range(48)
        ]
        check.equal(f"{name}.exposure", found["exposure"]["counts"], counts)
        check.equal(f"{name}.ev.clipped", found["exposure"]["clipped"], int((value >= white - black).sum()))
        check.equal(f"{name}.ev.deeper", found["exposure"]["deeper"], int((inside & (value < edges[48])).sum()))
        check.equal(f"{name}.ev.notPositive", found["exposure"]["notPositive"], int((value <= 0).sum()))
        if "bins" in found:
            number = len(found["bins"])
            bins = numpy.floor((values - black) / (white - black) * number)
            bins = numpy.clip(bins, 0, number - 1).astype(int)
            wanted = numpy.bincount(bins, minlength=number).tolist()
            check.equal(f"{name}.bins", found["bins"], wanted)
        if len(hidden):
            check.equal(f"{name}.masked.count", found["masked"]["count"], len(hidden))
            check.close(f"{name}.masked.mean", found["masked"]["mean"], hidden.mean(dtype=float), 1e-9)
            check.close(
                f"{name}.masked.sigma",
                found["masked"]["standardDeviation"],
                hidden.std(dtype=float),
                1e-9,
            )
        else:
            check.equal(f"{name}.masked", found["masked"], None)
        fit = noise(plane, black, white, clip)
        if fit is None or found["noise"] is None:
            check.equal(f"{name}.noise", found["noise"], None if fit is None else "a fit")
        else:
            slope, offset, points = fit
            check.close(f"{name}.noise.slope", found["noise"]["slope"], slope, 1e-6)
            check.close(f"{name}.noise.offset", found["noise"]["offset"], offset, 1e-6)
            check.equal(f"{name}.noise.bins", [b["count"] for b in found["noise"]["bins"]], [int(p[2]) for p in points])
            for bin, (signal, variance, _) in zip(found["noise"]["bins"], points):
                check.close(f"{name}.noise.signal", bin["signal"], signal, 1e-9)
                check.close(f"{name}.noise.variance", bin["variance"], variance, 1e-9)
            dark = -numpy.log2(numpy.sqrt(offset)) if offset > 0 else None
            check.close(f"{name}.noise.range", found["noise"]["dynamicRangeEV"], dark, 1e-6)
            unit = (slope + numpy.sqrt(slope**2 + 4 * offset)) / 2 if slope**2 + 4 * offset >= 0 else None
            check.close(f"{name}.noise.unit", found["noise"]["signalOfUnitRatio"], unit if unit and unit > 0 else None, 1e-6)
            variance = 0.18 * slope + offset
            check.close(
                f"{name}.noise.snr18",
                found["noise"]["signalToNoiseAt18Percent"],
                0.18 / numpy.sqrt(variance) if variance > 0 else None,
                1e-6,
            )
        if profile:
            color = {"red": 0, "green1": 1, "green2": 1, "green": 1, "blue": 2, "gray": 0}[name]
            pair = min(color, len(profile) // 2 - 1) * 2
            check.close(f"{name}.declared.slope", found["declaredNoise"]["slope"], profile[pair], 1e-12)
            check.close(f"{name}.declared.offset", found["declaredNoise"]["offset"], profile[pair + 1], 1e-12)
        unclipped = numpy.sort(values[values < clip])
        means[name] = unclipped.mean(dtype=float) - black if len(unclipped) else 0
        patches[name] = percentile(unclipped, 0.99) - black if len(unclipped) else 0

    if headrooms:
        plane = min(headrooms, key=headrooms.get)
        check.close("headroom", document["headroomEV"], headrooms[plane], 1e-9)
    for key, levels in (("greyWorldNeutral", means), ("whitePatchNeutral", patches)):
        if {"red", "green1", "green2", "blue"} <= set(levels):
            ok = min(levels.values()) > 0
            rgb = [levels["red"], (levels["green1"] + levels["green2"]) / 2, levels["blue"]]
        elif "green" in levels:
            ok = min(levels.values()) > 0
            rgb = [levels["red"], levels["green"], levels["blue"]]
        else:
            ok = False
        if not ok:
            check.equal(key, document[key], None)
        else:
            for channel in range(3):
                check.close(key, (document[key] or [None] * 3)[channel], rgb[channel] / max(rgb), 1e-9)
    if neutral and has_color:
        for channel in range(3):
            check.close("asShotNeutral", document["asShotNeutral"][channel], neutral[channel], 1e-12)
    if "green1" in facts and "green2" in facts:
        one, two = facts["green1"], facts["green2"]
        light = [one[0].mean(dtype=float) - one[1], two[0].mean(dtype=float) - two[1]]
        if min(light) > 0:
            check.close("greenRatio", document["greenRatio"], light[0] / light[1], 1e-9)
            across, down = (cr - cx) // 16, (cb - cy) // 16
            blocks = []
            for (plane, black, white), found in (
                (facts[name], document["planes"][names.index(name)]) for name in ("green1", "green2")
            ):
                level = found["saturationLevel"]
                clip = min(white, white if level is None else level)
                cut = plane[: 8 * down, : 8 * across].reshape(down, 8, across, 8)
                blocks.append((cut.mean(axis=(1, 3)) - found["black"], (cut >= clip).any(axis=(1, 3))))
            mean = (blocks[0][0] + blocks[1][0]) / 2
            kept = ~blocks[0][1] & ~blocks[1][1] & (mean > 0)
            apart = numpy.sort((numpy.abs(blocks[0][0] - blocks[1][0])[kept]) / mean[kept])
            check.close(
                "greenLocalDifference",
                document["greenLocalDifference"],
                float(percentile(apart, 0.95)) if len(apart) else None,
                1e-9,
            )
        else:
            check.equal("greenRatio", document["greenRatio"], None)
    file.close()
    return check


for path, place in zip(sys.argv[1::2], sys.argv[2::2]):
    name = os.path.basename(path)
    document = json.load(open(place))
    try:
        with tifffile.TiffFile(path) as file:
            if is_lossy(raw_page(file)):
                raise ValueError("lossy, which decoders may decode in other ways")
            raw_page(file).asarray()
    except Exception as error:
        print("skipped", name, str(error).split("\n")[0])
        continue
    check = compare(path, document)
    for wrong in check.wrong:
        print("wrong", name, wrong[:300])
    if not check.wrong:
        print("ok", name, check.count)
