"""What other readers see in a linear picture, as JSON.

linear_file.py FILE...    tifffile, OpenEXR, numpy: type, shape, channels, SHA-256 of the samples in row
                          order, interleaved, little endian, and what the file states of them
"""

import hashlib
import json
import sys

import numpy


def describe(samples):
    little = numpy.ascontiguousarray(samples.astype(samples.dtype.newbyteorder("<")))
    return {
        "type": samples.dtype.name,
        "shape": list(samples.shape),
        "samplesSHA256": hashlib.sha256(little.tobytes()).hexdigest(),
        "minimum": float(samples.min()),
        "maximum": float(samples.max()),
    }


def tiff(path):
    import tifffile

    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        tags = page.tags
        profile = tags[34675].value if 34675 in tags else b""
        report = describe(page.asarray())
        report["channels"] = page.samplesperpixel
        report["pages"] = len(file.pages)
        report["predictor"] = tags[317].value
        report["compression"] = int(page.compression)
        report["tile"] = [page.tilewidth, page.tilelength]
        report["description"] = page.description
        report["hasProfile"] = len(profile) > 0
        return report


def profile_colorants(path):
    """The primaries of the ICC profile, each in XYZ under D50, and whether the curves are linear."""
    import io

    import tifffile
    from PIL import ImageCms

    with tifffile.TiffFile(path) as file:
        data = file.pages[0].tags[34675].value
    profile = ImageCms.ImageCmsProfile(io.BytesIO(data)).profile
    return {
        "colorants": [
            list(profile.red_colorant[0]),
            list(profile.green_colorant[0]),
            list(profile.blue_colorant[0]),
        ],
        "name": profile.profile_description,
    }


def exr(path):
    import OpenEXR

    with OpenEXR.File(path, separate_channels=True) as file:
        header = file.header()
        names = [channel.name for channel in header["channels"]]
        order = [n for n in ("R", "G", "B", "X", "Y", "Z") if n in names]
        if "G1" in names:
            order = sorted(names)
        channels = file.channels()
        samples = numpy.stack([channels[n].pixels for n in order], axis=-1)
        report = describe(samples[..., 0] if len(order) == 1 else samples)
        report["channels"] = order
        for key in ("chromaticities", "adoptedNeutral", "whiteLuminance"):
            if key in header:
                value = header[key]
                report[key] = [float(v) for v in numpy.atleast_1d(numpy.asarray(value))]
        report["attributes"] = sorted(header)
        return report


def npy(path):
    with open(path, "rb") as file:
        version = numpy.lib.format.read_magic(file)
        numpy.lib.format.read_array_header_1_0(file)
        start = file.tell()
    report = describe(numpy.load(path))
    report["version"] = list(version)
    report["aligned"] = start % 64 == 0
    return report


def main():
    reports = []
    for path in sys.argv[1:]:
        if path.endswith(".tiff"):
            report = tiff(path)
            if report["hasProfile"]:
                report.update(profile_colorants(path))
        elif path.endswith(".exr"):
            report = exr(path)
        else:
            report = npy(path)
        reports.append(report)
    print(json.dumps(reports))


main()
