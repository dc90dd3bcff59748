"""Compares the samples of each NAME.dng of a folder with NAME.raw, as other readers give them.

NAME.raw holds the stored samples as 32-bit floats (little-endian, row order, interleaved). NAME.lossy, where it is
there, holds the root mean square error that the file may have; samples are then compared after the LinearizationTable.
Readers: tifffile with imagecodecs for every kind, Adobe's DNG
SDK (dngpy) for every kind, LibRaw (rawpy) for integers without loss.
"""

import os
import pathlib
import sys
import tempfile

import dngpy
import numpy
import rawpy
import tifffile


def tiff_samples(path):
    """Samples and tags of the raw image; fields of a mosaic are put together again."""
    with tifffile.TiffFile(path) as tiff:
        pages = list(tiff.pages) + [sub for page in tiff.pages for sub in (page.pages or [])]
        page = next(
            p for p in pages if p.tags[254].value == 0 and p.tags[262].value in (32803, 34892)
        )
        samples = page.asarray()
        rows = page.tags[50975].value if 50975 in page.tags else 1
        columns = page.tags[52547].value if 52547 in page.tags else 1
        if rows != 1 or columns != 1:
            height, width = samples.shape[:2]
            order = lambda count, fields: [i for f in range(fields) for i in range(f, count, fields)]
            whole = numpy.empty_like(samples)
            whole[numpy.ix_(order(height, rows), order(width, columns))] = samples
            samples = whole
        table = page.tags[50712].value if 50712 in page.tags else None
        return samples, table, page.tags[259].value, page.tags[339].value[0] if (
            339 in page.tags and not isinstance(page.tags[339].value, int)
        ) else (page.tags[339].value if 339 in page.tags else 1)


def check(path, reader, samples, table, expected, tolerance):
    if tolerance is not None and table is not None:
        samples = numpy.asarray(table)[numpy.asarray(samples)]
    samples = numpy.asarray(samples).astype(numpy.float64).squeeze()
    expected = expected.astype(numpy.float64).squeeze()
    if samples.shape != expected.shape:
        sys.exit(f"{path.name}: {reader} has {samples.shape}, not {expected.shape}")
    if tolerance is None:
        if not (samples == expected).all():
            sys.exit(f"{path.name}: {reader} differs by {numpy.abs(samples - expected).max()}")
    else:
        error = numpy.sqrt(((samples - expected) ** 2).mean())
        if not error <= tolerance:
            sys.exit(f"{path.name}: {reader} has an error of {error}, more than {tolerance}")


# The SDK warns of tiny pictures and reports digests that are wrong; what this script says goes to a copy of
# the descriptor.
sys.stderr = os.fdopen(os.dup(2), "w")
sdk_log = tempfile.TemporaryFile()
os.dup2(sdk_log.fileno(), 2)


def sdk_errors():
    """What the SDK called an error since the last call."""
    sdk_log.seek(0)
    lines = sdk_log.read().decode(errors="replace").splitlines()
    sdk_log.seek(0)
    sdk_log.truncate()
    return [line for line in lines if "*** Error" in line]


counts = {"tifffile": 0, "dngpy": 0, "rawpy": 0}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.dng")):
    lossy = path.with_suffix(".lossy")
    tolerance = float(lossy.read_text()) if lossy.exists() else None
    samples, table, compression, sample_format = tiff_samples(path)
    expected = numpy.fromfile(path.with_suffix(".raw"), dtype="<f4").reshape(samples.shape)
    check(path, "tifffile", samples, table, expected, tolerance)
    counts["tifffile"] += 1
    if path.with_suffix(".notsdk").exists():
        continue
    pixels = dngpy.Dng(str(path)).raw_pixels
    if errors := sdk_errors():
        sys.exit(f"{path.name}: dngpy says {errors}")
    check(path, "dngpy", pixels, table, expected, tolerance)
    counts["dngpy"] += 1
    # LibRaw reads no JPEG XL, takes Deflate for floating point alone, and applies tables as it unpacks.
    if compression in (1, 7) and sample_format == 1 and not path.with_suffix(".notlibraw").exists():
        with rawpy.imread(str(path)) as raw:
            image = raw.raw_image
            if expected.ndim == 3:
                image = image[..., : expected.shape[2]]
            linear = expected if table is None else numpy.asarray(table)[expected.astype(int)]
            check(path, "rawpy", image, None, linear, None)
        counts["rawpy"] += 1
sys.stdout.write(" ".join(f"{name} {count}" for name, count in counts.items()) + "\n")
