"""A farm's small DNGs of known cameras, and the statistics that must come of them.

statistics_farm.py make FOLDER COUNT
    Writes COUNT DNGs of 192x144 pixels with masked columns, in folders of 50. Two cameras, four
    sensitivities; of the camera `Farm Two` the sensor stops below the declared white level.

statistics_farm.py check FOLDER MEASURED CSV VIEWS SAMPLE
    Compares the statistics in MEASURED (documents), CSV (`rawmill export statistics`) and VIEWS (an object
    with the rows of the four views) with a recomputation: documents of SAMPLE files from the samples
    themselves, the views from all of the CSV. Prints `ok` and numbers, or `wrong` lines.
"""

import collections
import csv
import json
import math
import os
import random
import statistics
import struct
import subprocess
import sys

import numpy

WIDTH, HEIGHT, MASK = 192, 144, 16
# ISO: S, O of the variance of the signal.
NOISE = {100: (1e-4, 4e-7), 400: (4e-4, 1.6e-6), 1600: (1.6e-3, 8e-6), 6400: (6.4e-3, 4e-5)}
CAMERAS = {"Farm One": (512, 16383, 16383), "Farm Two": (256, 4095, 3700)}


def entry(tag, kind, values):
    """A field: its tag, type, count and bytes."""
    if kind == 2:
        data = values.encode() + b"\0"
        return tag, kind, len(data), data
    if kind in (5, 10):
        code = "<II" if kind == 5 else "<ii"
        return tag, kind, len(values), b"".join(struct.pack(code, *pair) for pair in values)
    code = {1: "B", 3: "H", 4: "I", 12: "d"}[kind]
    return tag, kind, len(values), struct.pack(f"<{len(values)}{code}", *values)


def directory(entries, offset):
    """An IFD at an offset with the data that does not fit into it behind."""
    entries = sorted(entries)
    head = struct.pack("<H", len(entries))
    place = offset + 2 + 12 * len(entries) + 4
    tail = b""
    for tag, kind, count, data in entries:
        if len(data) <= 4:
            value = data.ljust(4, b"\0")
        else:
            value = struct.pack("<I", place + len(tail))
            tail += data + b"\0" * (len(data) % 2)
        head += struct.pack("<HHI", tag, kind, count) + value
    return head + struct.pack("<I", 0) + tail


def dng(index):
    """The bytes of one DNG, and in which folder it is."""
    generator = numpy.random.default_rng(index)
    camera = list(CAMERAS)[index % 2]
    iso = list(NOISE)[index // 2 % 4]
    slope, offset = NOISE[iso]
    black, white, stop = CAMERAS[camera]
    # Exposure drifts over a folder; the brightest clip.
    gain = 0.45 + 0.012 * (index % 50)
    y, x = numpy.mgrid[:HEIGHT, :WIDTH]
    scene = 0.04 + 0.9 * ((x // 48) / 3.0) ** 2
    filters = numpy.array([[0.6, 1.0], [1.0, 0.45]])
    signal = gain * scene * filters[y % 2, x % 2]
    noisy = signal + generator.normal(size=signal.shape) * numpy.sqrt(slope * signal + offset)
    codes = black + noisy * (white - black)
    dark = black + generator.normal(size=(HEIGHT, MASK)) * math.sqrt(offset) * (white - black)
    samples = numpy.concatenate([dark, codes], axis=1)
    samples = numpy.clip(numpy.rint(samples), 0, stop).astype("<u2")
    strip = samples.tobytes()
    second = index * 7
    date = f"2024:06:{1 + second // 86400 % 28:02}"
    time = f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
    exif = [
        entry(33434, 5, [(1, 200)]), entry(33437, 5, [(4, 1)]), entry(34855, 3, [iso]),
        entry(36867, 2, f"{date} {time}"),
    ]
    total = WIDTH + MASK
    matrix = [(10000, 10000), (0, 1), (0, 1), (0, 1), (10000, 10000), (0, 1), (0, 1), (0, 1), (10000, 10000)]
    start = 8 + len(strip)
    exif_bytes = directory(exif, start)
    entries = [
        entry(254, 4, [0]), entry(256, 4, [total]), entry(257, 4, [HEIGHT]), entry(258, 3, [16]),
        entry(259, 3, [1]), entry(262, 3, [32803]), entry(271, 2, "Farm"), entry(272, 2, camera),
        entry(273, 4, [8]), entry(274, 3, [1]), entry(277, 3, [1]), entry(278, 4, [HEIGHT]),
        entry(279, 4, [len(strip)]), entry(284, 3, [1]), entry(33421, 3, [2, 2]),
        entry(33422, 1, [0, 1, 1, 2]), entry(34665, 4, [start]),
        entry(50706, 1, [1, 4, 0, 0]), entry(50707, 1, [1, 3, 0, 0]), entry(50708, 2, camera),
        entry(50714, 4, [black]), entry(50717, 4, [white]),
        entry(50719, 4, [0, 0]), entry(50720, 4, [WIDTH, HEIGHT]), entry(50721, 10, matrix),
        entry(50728, 5, [(6, 10), (1, 1), (45, 100)]), entry(50778, 3, [21]),
        entry(50829, 4, [0, MASK, HEIGHT, total]), entry(50830, 4, [0, 0, HEIGHT, MASK]),
        entry(51041, 12, [slope, offset] * 3),
    ]
    main = directory(entries, start + len(exif_bytes))
    header = b"II*\0" + struct.pack("<I", start + len(exif_bytes))
    return header + strip + exif_bytes + main, f"shoot{index // 50:04}"


def make(folder, count):
    for index in range(count):
        data, shoot = dng(index)
        os.makedirs(f"{folder}/{shoot}", exist_ok=True)
        with open(f"{folder}/{shoot}/{index:06}.dng", "wb") as file:
            file.write(data)


def close(found, wanted, bound=1e-9):
    if found is None or wanted is None:
        return found is None and wanted is None
    return abs(found - wanted) <= bound * max(abs(wanted), 1e-12)


def number(text):
    return None if text in ("", None) else float(text)


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def check(folder, measured, table, views, sample):
    wrong = []
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    views = json.load(open(views))
    photos = collections.defaultdict(list)
    for row in rows:
        photos[row["path"]].append(row)

    # Documents of a sample against the samples themselves; the CSV's rows against the documents.
    names = sorted(
        os.path.relpath(os.path.join(root, name), folder)
        for root, _, files in os.walk(folder) for name in files if name.endswith(".dng")
    )
    chosen = random.Random(1).sample(names, min(sample, len(names)))
    pairs = []
    for name in chosen:
        document = os.path.join(measured, name[:-4] + ".statistics.json")
        pairs += [os.path.join(folder, name), document]
        planes = {plane["plane"]: plane for plane in json.load(open(document))["planes"]}
        mine = [row for path, rows in photos.items() if path.endswith(name) for row in rows]
        if len(mine) != 4:
            wrong.append(f"{name}: {len(mine)} rows")
        for row in mine:
            plane = planes[row["plane"]]
            noise, masked = plane["noise"] or {}, plane["masked"] or {}
            for column, value in (
                ("samples", plane["count"]), ("black", plane["black"]), ("white", plane["white"]),
                ("mean", plane["mean"]), ("sigma", plane["standardDeviation"]),
                ("p50", plane["p50"]), ("p99_9", plane["p99_9"]), ("clipped", plane["clippedCount"]),
                ("saturation_level", plane["saturationLevel"]), ("masked_mean", masked.get("mean")),
                ("noise_slope", noise.get("slope")), ("noise_offset", noise.get("offset")),
                ("mean_ev", plane["meanEV"]), ("headroom_ev", plane["headroomEV"]),
            ):
                if number(row[column]) != value:
                    wrong.append(f"{name} {row['plane']} {column}: {row[column]} instead of {value}")
    script = os.path.join(os.path.dirname(__file__), "statistics_document.py")
    for start in range(0, len(pairs), 100):
        run = subprocess.run(
            [sys.executable, script, *pairs[start : start + 100]], capture_output=True, text=True
        )
        if run.returncode:
            wrong.append(run.stderr[-300:])
        wrong += [line for line in run.stdout.splitlines() if not line.startswith("ok ")]

    # clipping_per_shoot
    shoots = collections.defaultdict(list)
    for path, planes in photos.items():
        share = max(
            max(float(p["clipped"]), number(p["saturated"]) or 0) / float(p["samples"]) for p in planes
        )
        shoots[os.path.dirname(path)].append(share)
    found = {row["folder"]: row for row in views["clipping_per_shoot"]}
    if set(found) != set(shoots):
        wrong.append("clipping_per_shoot: other folders")
    for shoot, shares in shoots.items():
        row = found.get(shoot) or {}
        if (
            row.get("photos") != len(shares)
            or row.get("clipped_photos") != sum(share > 0.01 for share in shares)
            or not close(row.get("mean_clipped"), sum(shares) / len(shares))
            or not close(row.get("worst_clipped"), max(shares))
        ):
            wrong.append(f"clipping_per_shoot: {row}")

    # exposure_drift
    series = collections.defaultdict(list)
    for path, planes in photos.items():
        greens = [number(p["mean_ev"]) for p in planes if p["plane"].startswith("green")]
        one = planes[0]
        value = math.log2(
            float(one["f_number"]) ** 2 / float(one["exposure_time"]) * 100 / float(one["iso"])
        )
        series[one["camera"]].append((one["captured_at"], path, sum(greens) / 2, value))
    found = {row["path"]: row for row in views["exposure_drift"]}
    for camera, shots in series.items():
        shots.sort()
        for index, (_, path, ev, value) in enumerate(shots):
            near = [shot[2] for shot in shots[max(0, index - 7) : index + 8]]
            step = ev - shots[index - 1][2] if index else None
            row = found.get(path) or {}
            if (
                not close(row.get("mean_ev"), ev)
                or (row.get("step_ev") is None) != (step is None)
                or (step is not None and abs(row["step_ev"] - step) > 1e-9)
                or abs(row.get("drift_ev", 99) - (ev - sum(near) / len(near))) > 1e-9
                or not close(row.get("exposure_value"), value)
            ):
                wrong.append(f"exposure_drift: {row}")

    # iso_noise, and that it is what the cameras have
    groups = collections.defaultdict(list)
    for row in rows:
        if row["noise_slope"]:
            groups[row["camera"], int(row["iso"]), row["plane"]].append(row)
    found = {(row["camera"], row["iso"], row["plane"]): row for row in views["iso_noise"]}
    if set(found) != set(groups):
        wrong.append("iso_noise: other groups")
    for key, members in groups.items():
        row = found.get(key) or {}
        for column in ("noise_slope", "noise_offset", "declared_noise_slope", "snr_18"):
            if not close(row.get(column), median([number(m[column]) for m in members])):
                wrong.append(f"iso_noise: {key} {column} {row.get(column)}")
        slope, offset = NOISE[key[1]]
        at18 = math.sqrt(0.18 * slope + offset)
        if len(members) >= 20 and abs(0.18 / row["snr_18"] / at18 - 1) > 0.1:
            wrong.append(f"iso_noise: {key} noise at 18 % is {0.18 / row['snr_18']}, made with {at18}")

    # wrong_white_level: the second camera's, and nothing else
    levels = collections.defaultdict(list)
    for row in rows:
        levels[row["camera"], int(row["iso"]), row["plane"]].append(row)
    expected = {}
    for key, members in levels.items():
        tops = [int(m["saturation_level"]) for m in members if m["saturation_level"]]
        if not tops:
            continue
        counts = collections.Counter(tops)
        most = min(level for level, count in counts.items() if count == max(counts.values()))
        white = float(members[0]["white"])
        black = sum(float(m["black"]) for m in members) / len(members)
        if abs(white - most) / (white - black) > 0.01:
            expected[key] = (len(tops), most)
    found = {
        (row["camera"], row["iso"], row["plane"]): (row["saturated_photos"], row["saturation_level"])
        for row in views["wrong_white_level"]
    }
    if found != expected:
        wrong.append(f"wrong_white_level: {found} instead of {expected}")
    if {key[0] for key in found} - {"Farm Two"} or {level for _, level in found.values()} - {3700}:
        wrong.append(f"wrong_white_level: {found}")

    for line in wrong[:40]:
        print("wrong", line)
    if not wrong:
        print("ok", len(photos), "photos,", len(chosen), "recomputed,", len(found), "white levels")


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]))
else:
    check(*sys.argv[2:6], int(sys.argv[6]))
