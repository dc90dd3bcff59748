"""Writes DNGs of every kind that the specification allows, with the samples that they hold.

    dng_kinds.py FOLDER

FOLDER gets N.dng and N.raw: the stored samples in row order, little endian, as unsigned integers of
8, 16 or 32 bits, or as 32-bit floats. The containers are written here, byte by byte; the coding is
imagecodecs', and what tifffile can read is compared with it before it counts. Prints the number of
files and of those that tifffile confirmed, and one line `N description` for each file.
"""
import os
import struct
import sys

import imagecodecs
import numpy
import tifffile

FOLDER = sys.argv[1]
random = numpy.random.default_rng(20240817)


class Container:
    """One IFD with image data; values in the byte order of the file."""

    def __init__(self, order, big):
        self.order, self.big, self.tags = order, big, {}

    def set(self, tag, kind, values):
        if isinstance(values, bytes):
            data, count = values, len(values)
        else:
            values = values if isinstance(values, (list, tuple)) else [values]
            if kind in (5, 10):
                flat = [part for pair in values for part in pair]
                data = struct.pack(self.order + 'IiI'[1 if kind == 10 else 0] * len(flat), *flat)
            else:
                data = struct.pack(self.order + {1: 'B', 3: 'H', 4: 'I', 16: 'Q'}[kind] * len(values),
                                   *values)
            count = len(values)
        self.tags[tag] = (kind, count, data)

    def bytes(self, segments, is_tiled):
        offsets, counts = (324, 325) if is_tiled else (273, 279)
        kind = 16 if self.big else 4
        self.set(counts, kind, [len(s) for s in segments])
        self.set(offsets, kind, [0] * len(segments))
        inline, head = (8, 16) if self.big else (4, 8)
        entry_size = 20 if self.big else 12
        count_size = 8 if self.big else 2
        end = head + count_size + entry_size * len(self.tags) + inline
        places = {}
        for tag in sorted(self.tags):
            if len(self.tags[tag][2]) > inline:
                end += end % 2
                places[tag] = end
                end += len(self.tags[tag][2])
        starts = []
        for segment in segments:
            end += end % 2
            starts.append(end)
            end += len(segment)
        self.set(offsets, kind, starts)
        file = bytearray(end)
        magic = b'II' if self.order == '<' else b'MM'
        if self.big:
            file[:16] = magic + struct.pack(self.order + 'HHHQ', 43, 8, 0, 16)
            file[16:24] = struct.pack(self.order + 'Q', len(self.tags))
        else:
            file[:8] = magic + struct.pack(self.order + 'HI', 42, 8)
            file[8:10] = struct.pack(self.order + 'H', len(self.tags))
        at = head + count_size
        for tag in sorted(self.tags):
            kind, count, data = self.tags[tag]
            file[at:at + entry_size - inline] = struct.pack(
                self.order + ('HHQ' if self.big else 'HHI'), tag, kind, count)
            value = data.ljust(inline, b'\0')
            if tag in places:
                value = struct.pack(self.order + ('Q' if self.big else 'I'), places[tag])
                file[places[tag]:places[tag] + len(data)] = data
            file[at + entry_size - inline:at + entry_size] = value
            at += entry_size
        for start, segment in zip(starts, segments):
            file[start:start + len(segment)] = segment
        return bytes(file)


def pack(tile, bits):
    """Rows of samples of any depth, high bits first, each row on whole bytes."""
    out = b''
    for row in tile:
        row = row.reshape(-1).astype('u8')
        planes = numpy.zeros((row.size, bits), 'u1')
        for bit in range(bits):
            planes[:, bit] = (row >> numpy.uint64(bits - 1 - bit)) & numpy.uint64(1)
        out += numpy.packbits(planes.reshape(-1)).tobytes()
    return out


def float24(values, order):
    return imagecodecs.float24_encode(numpy.ascontiguousarray(values.astype('f4')), byteorder=order)


def as_bytes(tile, kind, order):
    """The tile's samples as they stand uncompressed, in an array of rows of bytes."""
    form, bits = kind
    height = tile.shape[0]
    if form == 'float':
        if bits == 24:
            data = float24(tile, order)
        else:
            data = tile.astype(order + 'f%d' % (bits // 8)).tobytes()
    elif bits in (8, 16, 32):
        data = tile.astype(order + 'u%d' % (bits // 8)).tobytes()
    else:
        data = pack(tile, bits)
    return numpy.frombuffer(data, 'u1').reshape(height, -1)


def predicted(tile, kind, order, predictor):
    form, bits = kind
    size = bits // 8
    samples = tile.shape[2]
    if predictor == 1:
        return as_bytes(tile, kind, order).tobytes()
    distance = {2: 1, 34892: 2, 34893: 4, 3: 1, 34894: 2, 34895: 4}[predictor] * samples
    if predictor in (2, 34892, 34893):
        rows = as_bytes(tile, kind, order).copy().view(order + 'u%d' % size)
        rows = rows.astype('u%d' % size)
        out = rows.copy()
        out[:, distance:] = rows[:, distance:] - rows[:, :-distance] if rows.shape[1] > distance else 0
        return out.astype(order + 'u%d' % size).tobytes()
    # Highest bytes first, in planes.
    rows = as_bytes(tile, kind, '>').reshape(tile.shape[0], -1, size)
    planes = numpy.ascontiguousarray(rows.transpose(0, 2, 1)).reshape(tile.shape[0], -1)
    out = planes.copy()
    if planes.shape[1] > distance:
        out[:, distance:] = planes[:, distance:] - planes[:, :-distance]
    return out.tobytes()


def coded(tile, kind, order, compression, predictor):
    form, bits = kind
    if compression == 1:
        return as_bytes(tile, kind, order).tobytes()
    if compression in (8, 32946):
        return imagecodecs.zlib_encode(predicted(tile, kind, order, predictor), level=6)
    if compression == 7:
        # A mosaic as two components of half the width, as cameras do, where that can be.
        flat = tile.astype('u1' if bits <= 8 else 'u2')
        if flat.shape[2] == 1 and flat.shape[1] % 2 == 0 and bits % 4 == 0:
            flat = flat.reshape(flat.shape[0], -1, 2)
            flat = numpy.ascontiguousarray(flat)
        if flat.shape[2] == 2 or flat.shape[2] == 4:
            # libjpeg-turbo codes 1 and 3 components by itself: one row of components then.
            flat = flat.reshape(flat.shape[0], -1, 1)
        return imagecodecs.jpeg_encode(numpy.ascontiguousarray(flat.squeeze(2) if flat.shape[2] == 1
                                                               else flat),
                                       lossless=True, bitspersample=bits, predictor=predictor,
                                       colorspace='RGB' if flat.shape[2] == 3 else None,
                                       outcolorspace='RGB' if flat.shape[2] == 3 else None)
    if compression == 34892:
        flat = tile.astype('u1')
        if flat.shape[2] == 1:
            return imagecodecs.jpeg_encode(flat[..., 0], level=95)
        return imagecodecs.jpeg_encode(flat, level=95, colorspace='RGB', outcolorspace='RGB')
    if compression == 52546:
        flat = tile.astype('f2') if form == 'float' else tile.astype('u1' if bits <= 8 else 'u2')
        if flat.shape[2] == 1:
            flat = flat[..., 0]
        options = {} if form == 'float' else {'bitspersample': bits}
        return imagecodecs.jpegxl_encode(numpy.ascontiguousarray(flat), lossless=True, effort=3,
                                         **options)
    raise ValueError(compression)


def samples(shape, kind, compression):
    form, bits = kind
    height, width, count = shape
    y, x, s = numpy.mgrid[0:height, 0:width, 0:count]
    slope = (3 * x + 5 * y + 40 * s) / 400
    noise = random.random(shape) / 50
    value = numpy.clip(slope % 1 + noise, 0, 1)
    if form == 'float':
        values = (value - 0.05).astype('f4')
        if bits == 16:
            values = values.astype('f2').astype('f4')
            if compression == 52546:
                # libjxl 0.7 takes subnormal half floats from 2^-15 on for others.
                values[numpy.abs(values) < 2.0 ** -14] = 0
        elif bits == 24:
            values = imagecodecs.float24_decode(float24(values, '>'), byteorder='>').astype('f4')
            values = values.reshape(shape)
        return values
    full = (1 << bits) - 1
    return numpy.clip(numpy.rint(value * full), 0, full).astype('u8')


def interleaved(image, row_factor, column_factor):
    rows = numpy.concatenate([numpy.arange(f, image.shape[0], row_factor) for f in range(row_factor)])
    columns = numpy.concatenate(
        [numpy.arange(f, image.shape[1], column_factor) for f in range(column_factor)])
    return image[rows][:, columns]


def blocked(tile, block):
    rows, columns = block
    height, width, count = tile.shape
    parts = tile.reshape(height // rows, rows, width // columns, columns, count)
    return numpy.ascontiguousarray(parts.transpose(0, 2, 1, 3, 4)).reshape(height, width, count)


cases = []


def case(size, count, kind, compression, predictor=1, tile=None, rows=None, order='<', big=False,
         factors=(1, 1), block=(1, 1), padding=0, cfa=None):
    cases.append((size, count, kind, compression, predictor, tile, rows, order, big, factors, block,
                  padding, cfa if cfa is not None else count == 1))


def write(index, size, count, kind, compression, predictor, tile, rows, order, big, factors, block,
          padding, cfa):
    form, bits = kind
    width, height = size
    image = samples((height, width, count), kind, compression)
    stored = interleaved(image, *factors)
    container = Container(order, big)
    segments = []
    decoded = numpy.zeros_like(stored)
    if tile:
        boxes = [(y, x, tile[1], tile[0]) for y in range(0, height, tile[1])
                 for x in range(0, width, tile[0])]
    else:
        rows = rows or height
        boxes = [(y, 0, min(rows, height - y), width) for y in range(0, height, rows)]
    for y, x, h, w in boxes:
        part = stored[y:y + h, x:x + w]
        full = numpy.pad(part, ((0, h - part.shape[0]), (0, w - part.shape[1]), (0, 0)), 'edge')
        data = coded(blocked(full, block), kind, order, compression, predictor)
        if compression == 34892:
            # Lossy: what the file holds is what a decoder gives.
            back = imagecodecs.jpeg_decode(data, colorspace='RGB' if count == 3 else None,
                                           outcolorspace='RGB' if count == 3 else None)
            back = back.reshape(h, w, count)
            decoded[y:y + h, x:x + w] = back[:part.shape[0], :part.shape[1]]
        segments.append(data + bytes([7, 9] * (padding // 2)))
    if compression == 34892:
        image = decoded
    container.set(254, 4, 0)
    container.set(256, 4, width)
    container.set(257, 4, height)
    container.set(258, 3, [bits] * count)
    container.set(259, 3, compression)
    container.set(262, 3, 32803 if cfa else 34892)
    container.set(274, 3, 1)
    container.set(277, 3, count)
    if tile:
        container.set(322, 4, tile[0])
        container.set(323, 4, tile[1])
    else:
        container.set(278, 4, rows)
    if compression in (8, 32946) and predictor != 1:
        container.set(317, 3, predictor)
    if form == 'float':
        container.set(339, 3, [3] * count)
    if cfa:
        container.set(33421, 3, [2, 2])
        container.set(33422, 1, [0, 1, 1, 2])
    container.set(50706, 1, [1, 7, 1, 0])
    container.set(50707, 1, [1, 7, 1, 0] if factors[1] > 1 else [1, 4, 0, 0])
    container.set(50708, 2, b'Every Kind\0')
    if cfa or count == 3:
        container.set(50721, 10, [(v, 1) for v in (1, 0, 0, 0, 1, 0, 0, 0, 1)])
        container.set(50728, 5, [(1, 1)] * 3)
    if block != (1, 1):
        container.set(50974, 4, list(block))
    if factors[0] != 1:
        container.set(50975, 4, factors[0])
    if factors[1] != 1:
        container.set(52547, 4, factors[1])
    file = container.bytes(segments, bool(tile))
    with open(os.path.join(FOLDER, '%d.dng' % index), 'wb') as out:
        out.write(file)
    if form == 'float':
        expected = image.astype('<f4')
    else:
        expected = image.astype('<u1' if bits <= 8 else '<u2' if bits <= 16 else '<u4')
    with open(os.path.join(FOLDER, '%d.raw' % index), 'wb') as out:
        out.write(expected.tobytes())
    description = '%dx%dx%d %s%d compression %d predictor %d %s %s%s factors %s block %s%s' % (
        width, height, count, form, bits, compression, predictor,
        'tile %dx%d' % tile if tile else 'strip %d' % rows, order, ' big' if big else '', factors,
        block, ' padded' if padding else '')
    return description, confirmed(os.path.join(FOLDER, '%d.dng' % index), expected, factors, block,
                                  description)


def confirmed(path, expected, factors, block, description):
    """Whether tifffile reads the same; False where it doesn't read the kind."""
    if factors != (1, 1) or block != (1, 1):
        return False
    try:
        with tifffile.TiffFile(path) as file:
            image = file.pages[0].asarray()
    except Exception:
        return False
    if image.size != expected.size:
        return False
    image = image.reshape(expected.shape)
    if image.dtype.kind == 'f':
        same = numpy.array_equal(image.astype('f4').view('u4'), expected.view('u4'))
    else:
        same = numpy.array_equal(image.astype('u8'), expected.astype('u8'))
    # tifffile takes packed integers in another order in some files; the specification's order is what
    # is written here. Of floats it knows the order: what it reads must agree.
    assert same or image.dtype.kind != 'f', description
    return same


for size, tile, rows in [((1, 1), None, None), ((7, 5), None, None), ((7, 5), (16, 16), None),
                         ((50, 37), None, 8), ((50, 37), (16, 16), None), ((64, 48), (32, 16), None)]:
    for order in '<>':
        for count in (1, 2, 3, 4):
            shape = dict(tile=tile, rows=rows, order=order)
            for bits in (8, 9, 10, 12, 14, 15, 16, 20, 24, 32):
                if count == 1 or bits in (8, 10, 12, 16, 32):
                    case(size, count, ('int', bits), 1, **shape)
            for bits in (16, 24, 32):
                case(size, count, ('float', bits), 1, **shape)
                for predictor in (1, 3, 34894, 34895):
                    case(size, count, ('float', bits), 8, predictor, **shape)
            for bits in (8, 16, 32):
                for predictor in (1, 2, 34892, 34893):
                    case(size, count, ('int', bits), 8, predictor, **shape)
            case(size, count, ('int', 12), 8, **shape)
            case(size, count, ('int', 16), 32946, 2, **shape)
        for count in (1, 3):
            shape = dict(tile=tile, rows=rows, order=order)
            for bits in (8, 10, 12, 14, 16):
                case(size, count, ('int', bits), 52546, **shape)
            case(size, count, ('float', 16), 52546, **shape)
            case(size, count, ('int', 8), 34892, cfa=False, **shape)
            for bits, predictor in [(8, 1), (10, 2), (12, 3), (14, 4), (16, 5), (16, 6), (12, 7)]:
                case(size, count, ('int', bits), 7, predictor, **shape)
for compression, kind in [(1, ('int', 12)), (1, ('float', 24)), (8, ('int', 16)), (7, ('int', 14)),
                          (52546, ('int', 16)), (8, ('float', 16))]:
    for factors in [(2, 1), (1, 2), (2, 2), (3, 5)]:
        case((51, 39), 1, kind, compression, tile=(16, 32), factors=factors)
        case((50, 38), 3, kind, compression, rows=7, factors=factors, order='>')
    for block in [(2, 2), (4, 8), (1, 16)]:
        case((51, 39), 1, kind, compression, tile=(16, 32), block=block)
        case((51, 39), 3, kind, compression, tile=(16, 32), block=block, factors=(2, 2), order='>')
    case((48, 32), 1, kind, compression, rows=8, block=(2, 4))
    case((51, 39), 1, kind, compression, tile=(16, 16), big=True)
    case((51, 39), 3, kind, compression, rows=16, big=True, order='>')
case((51, 39), 1, ('int', 12), 1, rows=8, padding=10)
case((51, 39), 1, ('int', 16), 8, tile=(16, 16), padding=10)

descriptions, count = [], 0
for index, arguments in enumerate(cases):
    description, is_confirmed = write(index, *arguments)
    descriptions.append(description)
    count += is_confirmed
print(len(cases), count)
for index, description in enumerate(descriptions):
    print(index, description)
