"""Measures what other programs take for the work of rawmill's benches.

peers.py INPUT RUNS THREADS SCRATCH BENCHES prints one JSON object a line: peer, bench, megapixels,
cpuSecondsMedian. Only peers of BENCHES (separated by commas) run; peers that are not installed or refuse the file are left out with a note on standard
error. CPU seconds of the whole process tree are counted; each peer runs once to warm up.
"""

import json
import os
import resource
import statistics
import subprocess
import sys

INPUT, RUNS, THREADS, SCRATCH = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
BENCHES = sys.argv[5].split(",")
os.environ["OMP_NUM_THREADS"] = str(THREADS)  # read when LibRaw's OpenMP starts


def flashraw_decode():
    import flashraw

    def run():
        with flashraw.open(INPUT) as raw:
            frame = raw.decode(threads=THREADS, corruption_policy="strict")
            return frame.array.shape

    return f"flashraw {flashraw.__version__} decode", run


def flashraw_develop():
    import flashraw

    def run():
        with flashraw.open(INPUT) as raw:
            return raw.decode(output="rgba8", threads=THREADS).array.shape

    return f"flashraw {flashraw.__version__} bilinear rgba8", run


def flashraw_draft():
    import flashraw

    def run():
        with flashraw.open(INPUT) as raw:
            return raw.decode(output="rgba8", demosaic="half-size", threads=THREADS).array.shape

    return f"flashraw {flashraw.__version__} half-size rgba8", run


def rawpy_decode():
    import rawpy

    def run():
        with rawpy.imread(INPUT) as raw:
            return raw.raw_image.shape

    return f"rawpy {rawpy.__version__} unpack", run


def tiles(samples, side=256):
    """The tiles of a Bayer mosaic in row order, each padded to full size, as two components a pixel."""
    import numpy

    height, width = samples.shape
    padded = numpy.pad(samples, ((0, -height % side), (0, -width % side)), mode="symmetric")
    for top in range(0, padded.shape[0], side):
        for left in range(0, padded.shape[1], side):
            tile = numpy.ascontiguousarray(padded[top : top + side, left : left + side])
            yield tile.reshape(side, side // 2, 2)


def encoded(samples, bits):
    import imagecodecs

    return [
        imagecodecs.jpeg8_encode(tile, lossless=True, predictor=1, bitspersample=bits)
        for tile in tiles(samples)
    ]


def bits_of(samples):
    return max(9, int(samples.max()).bit_length())


def turbo_encode():
    import imagecodecs
    import rawpy

    with rawpy.imread(INPUT) as raw:
        samples = raw.raw_image.copy()
    bits = bits_of(samples)
    ratio = sum(len(tile) for tile in encoded(samples, bits)) / samples.nbytes
    library = imagecodecs.jpeg8_version().replace("_", " ")

    def run():
        return len(encoded(samples, bits))

    return f"imagecodecs {library} lossless, 256-pixel tiles, ratio {ratio:.4f}", run


def script_recompress():
    import numpy
    import pidng.dng
    import rawpy
    import tifffile

    path = os.path.join(SCRATCH, "peer.dng")

    def run():
        with rawpy.imread(INPUT) as raw:
            samples = raw.raw_image.copy()
            colors = [b"RGBG".decode()[index] for index in raw.raw_pattern.flatten()]
            black, white = raw.black_level_per_channel[0], raw.white_level
        bits = bits_of(samples)
        with open(path, "wb") as file:
            file.write(assembled(samples.shape, encoded(samples, bits), bits, colors, black, white))
        # Three times as fast as LibRaw.
        written = tifffile.imread(path, maxworkers=THREADS)
        assert numpy.array_equal(written, samples), "the copy is another picture"

    return f"rawpy {rawpy.__version__} + imagecodecs + PiDNG, verified by tifffile", run


def assembled(shape, coded, bits, colors, black, white):
    """A DNG of lossless JPEG tiles, by PiDNG's own structures."""
    from pidng.dng import DNG, Tag, dngIFD, dngTag

    file = DNG()
    file.ImageDataStrips = coded
    directory = dngIFD()
    offsets = dngTag(Tag.TileOffsets, [0] * len(coded))
    entries = {
        Tag.NewSubfileType: [0],
        Tag.ImageWidth: [shape[1]],
        Tag.ImageLength: [shape[0]],
        Tag.BitsPerSample: [16],
        Tag.Compression: [7],
        Tag.PhotometricInterpretation: [32803],
        Tag.SamplesPerPixel: [1],
        Tag.TileWidth: [256],
        Tag.TileLength: [256],
        Tag.TileByteCounts: [len(tile) for tile in coded],
        Tag.CFARepeatPatternDim: [2, 2],
        Tag.CFAPattern: ["RGB".index(color) for color in colors],
        Tag.DNGVersion: [1, 4, 0, 0],
        Tag.DNGBackwardVersion: [1, 1, 0, 0],
        Tag.BlackLevel: [int(black)],
        Tag.WhiteLevel: [int(white)],
    }
    directory.tags = [offsets] + [dngTag(tag, value) for tag, value in entries.items()]
    file.IFDs.append(directory)
    buffer = bytearray(file.dataLen())
    offsets.setValue(list(file.StripOffsets.values()))
    file.setBuffer(buffer)
    file.write()
    return buffer


def rawpy_develop():
    import rawpy

    def run():
        with rawpy.imread(INPUT) as raw:
            return develop(raw).shape

    return f"rawpy {rawpy.__version__} AHD", run


def rawpy_draft():
    import rawpy

    def run():
        with rawpy.imread(INPUT) as raw:
            return develop(raw, half_size=True).shape

    return f"rawpy {rawpy.__version__} half size", run


def develop(raw, half_size=False):
    import rawpy

    return raw.postprocess(
        half_size=half_size,
        demosaic_algorithm=rawpy.DemosaicAlgorithm.AHD,
        use_camera_wb=True,
        no_auto_bright=True,
        output_color=rawpy.ColorSpace.P3D65,
        output_bps=8,
    )


# One process a picture, as a script in a shell loop would do it. The encoder's threads follow its
# default on as many CPUs as the process may use.
HEIC_SCRIPT = """
import sys
import pillow_heif
import rawpy
pillow_heif.options.ENCODER_THREADS = 1
with rawpy.imread(sys.argv[1]) as raw:
    image = raw.postprocess(
        demosaic_algorithm=rawpy.DemosaicAlgorithm.AHD, use_camera_wb=True, no_auto_bright=True,
        output_color=rawpy.ColorSpace.P3D65, output_bps=8)
heif = pillow_heif.from_bytes("RGB", (image.shape[1], image.shape[0]), image.tobytes())
heif.save(sys.argv[2], quality=90)
"""


def rawpy_heic():
    import pillow_heif
    import rawpy

    output = os.path.join(SCRATCH, "peer.heic")

    def run():
        subprocess.run([sys.executable, "-c", HEIC_SCRIPT, INPUT, output], check=True)

    return (
        f"rawpy {rawpy.__version__} AHD + pillow-heif {pillow_heif.__version__} quality 90, process",
        run,
    )


def numpy_statistics():
    """The statistics of a document, with rawpy's unpack and numpy on integer planes."""
    import numpy
    import rawpy

    fractions = [0.0001, 0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 0.9999]

    def plane_statistics(plane, black, white):
        values = plane.ravel()
        counts = numpy.bincount(values, minlength=65536)
        levels = numpy.arange(65536)
        total = len(values)
        running = counts.cumsum()
        result = [
            numpy.searchsorted(running, max(1, int(numpy.ceil(f * total)))) for f in fractions
        ]
        mean = (counts * levels).sum() / total
        result += [mean, numpy.sqrt((counts * (levels - mean) ** 2).sum() / total)]
        result += [running[-1] - running[int(white) - 1], (counts[: int(black + (white - black) / 256)]).sum()]
        with numpy.errstate(divide="ignore"):
            ev = numpy.log2(numpy.maximum(levels - black, 1e-9) / (white - black))
        result.append(numpy.histogram(ev, bins=-numpy.arange(48, -1, -1) / 3, weights=counts)[0])
        rows, columns = plane.shape[0] // 3, plane.shape[1] // 3
        blocks = plane[: 3 * rows, : 3 * columns].reshape(rows, 3, columns, 3).astype(numpy.int32)
        sums = blocks.sum(axis=(1, 3))
        weight = numpy.array([1, -2, 1], numpy.int32)
        residues = numpy.abs(numpy.einsum("ayxz,y,z->ax", blocks, weight, weight))
        kept = blocks.max(axis=(1, 3)) < white
        signal = numpy.clip((sums // 9 - black) / (white - black), 0, 1)
        bins = numpy.minimum(63, (64 * numpy.sqrt(signal)).astype(int))[kept]
        sizes, means = residues[kept], sums[kept]
        order = numpy.argsort(bins, kind="stable")
        edges = numpy.searchsorted(bins[order], numpy.arange(65))
        for low, high in zip(edges, edges[1:]):
            if high - low >= 100:
                result.append(numpy.median(sizes[order[low:high]]))
                result.append(means[order[low:high]].mean())
        return result

    def run():
        with rawpy.imread(INPUT) as raw:
            samples = raw.raw_image_visible
            white = raw.white_level
            results = []
            for index in range(4):
                plane = samples[index >> 1 :: 2, index & 1 :: 2]
                results.append(plane_statistics(plane, raw.black_level_per_channel[index], white))
            first = samples[0::2, 1::2].astype(numpy.int64)
            second = samples[1::2, 0::2].astype(numpy.int64)
            down, across = first.shape[0] // 8, first.shape[1] // 8
            cut = [
                plane[: 8 * down, : 8 * across].reshape(down, 8, across, 8).mean(axis=(1, 3))
                for plane in (first, second)
            ]
            results.append(
                numpy.percentile(numpy.abs(cut[0] - cut[1]) / (cut[0] + cut[1] + 1e-9) * 2, 95)
            )
            return len(results)

    return f"rawpy {rawpy.__version__} unpack and numpy {numpy.__version__}", run


def cpu_seconds():
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total


def megapixels():
    import rawpy

    with rawpy.imread(INPUT) as raw:
        return raw.sizes.raw_width * raw.sizes.raw_height / 1e6


PEERS = [
    ("dng.decode", flashraw_decode, RUNS),
    ("dng.decode", rawpy_decode, RUNS),
    ("dng.encode.losslessJPEG", turbo_encode, min(RUNS, 3)),
    ("dng.recompress", script_recompress, min(RUNS, 3)),
    ("dng.recompress.digests", script_recompress, min(RUNS, 3)),
    ("develop.full", rawpy_develop, min(RUNS, 3)),
    ("develop.full", flashraw_develop, min(RUNS, 3)),
    ("develop.draft", rawpy_draft, RUNS),
    ("develop.draft", flashraw_draft, RUNS),
    ("render.heic", rawpy_heic, 1),
    ("statistics.raw", numpy_statistics, min(RUNS, 3)),
]

size = megapixels()
for bench, make, runs in PEERS:
    if bench not in BENCHES:
        continue
    try:
        name, run = make()
        if runs > 1:
            run()
        times = []
        for _ in range(runs):
            before = cpu_seconds()
            run()
            times.append(cpu_seconds() - before)
    except Exception as error:  # a peer that fails is no failure of ours
        print(f"peers.py: {make.__name__}: {error}", file=sys.stderr)
        continue
    print(
        json.dumps(
            {
                "peer": name,
                "bench": bench,
                "megapixels": size,
                "cpuSecondsMedian": statistics.median(times),
            }
        ),
        flush=True,
    )
