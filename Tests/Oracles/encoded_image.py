"""What other readers see in an encoded picture, as JSON.

encoded_image.py heic FILE [RGB]    pillow-heif: size, profile, Exif, thumbnails; with the raw RGB
                                    bytes of the original also the PSNR of luma and of all channels
encoded_image.py tiff FILE          tifffile: size, type, tags, SHA-256 of the samples, Exif tags
"""

import hashlib
import json
import sys

import numpy


def psnr(a, b):
    mean = ((a - b) ** 2).mean()
    return 99.0 if mean == 0 else float(10 * numpy.log10(255**2 / mean))


def heic(path, original=None):
    import pillow_heif

    image = pillow_heif.open_heif(path)
    pixels = numpy.asarray(image)
    exif = image.info.get("exif") or b""
    report = {
        "size": list(image.size),
        "images": len(pillow_heif.open_heif(path)),
        "mode": image.mode,
        "bitDepth": image.info["bit_depth"],
        "iccSHA256": hashlib.sha256(image.info.get("icc_profile", b"")).hexdigest(),
        # pillow-heif puts the JPEG marker's name before the block.
        "exif": exif.removeprefix(b"Exif\0\0").hex(),
        "thumbnails": image.info["thumbnails"],
        "decodedShape": list(pixels.shape),
    }
    if original:
        shape = (image.size[1], image.size[0], 3)
        source = numpy.fromfile(original, numpy.uint8).reshape(shape).astype(float)
        pixels = pixels[..., :3].astype(float)
        luma = numpy.array([0.299, 0.587, 0.114])
        report["psnr"] = psnr(pixels, source)
        report["psnrLuma"] = psnr(pixels @ luma, source @ luma)
    return report


def plain(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (int, float, str)):
        return value
    return str(value)


def tiff(path):
    import tifffile

    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        samples = page.asarray()
        tags = {tag.name: plain(tag.value) for tag in page.tags if tag.name != "InterColorProfile"}
        return {
            "pages": len(file.pages),
            "shape": list(samples.shape),
            "type": str(samples.dtype),
            "byteOrder": file.byteorder,
            "samplesSHA256": hashlib.sha256(samples.tobytes()).hexdigest(),
            "iccSHA256": hashlib.sha256(page.tags["InterColorProfile"].value).hexdigest(),
            "tags": tags,
        }


def main():
    report = {"heic": heic, "tiff": tiff}[sys.argv[1]](*sys.argv[2:])
    print(json.dumps(report))


main()
