"""Profile tables and gain table maps in numpy, from the DNG specification's text.

Usage: profile_reference.py JSON INPUT OUTPUT
INPUT and OUTPUT are little-endian doubles, height x width x 3, linear RIMM. JSON has width, height and a
list of steps: {"kind": "hueSatMap", "divisions": [h, s, v], "entries": [[shift, s, v], ...], "sRGB": bool,
"pin": bool}, {"kind": "gainTableMap", ...} or {"kind": "gain", "factor": f} or {"kind": "curve", ...}.
"""

import json
import sys

import numpy as np
from scipy.interpolate import CubicSpline, RegularGridInterpolator


def encode(x):
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.power(np.maximum(x, 0), 1 / 2.4) - 0.055)


def decode(x):
    return np.where(x <= 0.04045, x / 12.92, np.power((np.maximum(x, 0) + 0.055) / 1.055, 2.4))


def to_hsv(rgb):
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    v = rgb.max(-1)
    c = v - rgb.min(-1)
    safe = np.where(c > 0, c, 1)
    h = np.select(
        [c == 0, v == r, v == g],
        [np.zeros_like(v), ((g - b) / safe) % 6, 2 + (b - r) / safe],
        4 + (r - g) / safe,
    )
    return h, np.where(v > 0, c / np.where(v > 0, v, 1), 0), v


def to_rgb(h, s, v):
    # The hexcone in closed form: f(n) = v - v s max(0, min(k, 4 - k, 1)), k = (n + h) mod 6.
    def channel(n):
        k = (n + h) % 6
        return v - v * s * np.clip(np.minimum(k, 4 - k), 0, 1)

    return np.stack([channel(5), channel(3), channel(1)], -1)


def hue_sat_map(rgb, step):
    hues, saturations, values = step["divisions"]
    table = np.array(step["entries"], float).reshape(values, hues, saturations, 3)
    # Hue wraps round: the first column once more at the end.
    table = np.concatenate([table, table[:, :1]], axis=1)
    if values == 1:
        table = np.concatenate([table, table], axis=0)
    rgb = np.clip(rgb, 0, 1 if step["pin"] else np.inf)
    h, s, v = to_hsv(rgb)
    position = encode(v) if step["sRGB"] and values > 1 else v
    axes = (
        np.linspace(0, 1, max(values, 2)),
        np.linspace(0, 6, hues + 1),
        np.linspace(0, 1, saturations),
    )
    look = RegularGridInterpolator(axes, table, method="linear")
    change = look(np.stack([np.clip(position, 0, 1), h, np.clip(s, 0, 1)], -1))
    h = h + change[..., 0] * 6 / 360
    s = np.minimum(s * change[..., 1], 1)
    scaled = np.minimum(position * change[..., 2], 1)
    v = decode(scaled) if step["sRGB"] and values > 1 else scaled
    return to_rgb(h, s, v)


def gain_table_map(rgb, step):
    height, width = rgb.shape[:2]
    points_v, points_h, points_n = step["points"]
    gains = np.array(step["gains"], float).reshape(points_v, points_h, points_n)
    exposed = np.clip(rgb, 0, 1) * 2 ** step["baselineExposure"]
    parts = [exposed[..., i] for i in range(3)] + [exposed.min(-1), exposed.max(-1)]
    w = sum(weight * part for weight, part in zip(step["weights"], parts))
    w = np.clip(w, 0, 1) ** step["gamma"]
    y, x = np.mgrid[0:height, 0:width]
    v = (y + 0.5) / height
    u = (x + 0.5) / width
    ym = np.clip((v - step["origin"][0]) / step["spacing"][0], 0, points_v - 1)
    xm = np.clip((u - step["origin"][1]) / step["spacing"][1], 0, points_h - 1)
    t = w * points_n
    gain = np.zeros((height, width))
    y0 = np.minimum(ym.astype(int), points_v - 1)
    x0 = np.minimum(xm.astype(int), points_h - 1)
    t0 = np.minimum(t.astype(int), points_n - 1)
    for dy, wy in ((0, 1 - (ym - y0)), (1, ym - y0)):
        for dx, wx in ((0, 1 - (xm - x0)), (1, xm - x0)):
            for dt, wt in ((0, 1 - (t - t0)), (1, t - t0)):
                yi = np.minimum(y0 + dy, points_v - 1)
                xi = np.minimum(x0 + dx, points_h - 1)
                ti = np.minimum(t0 + dt, points_n - 1)
                gain += wy * wx * wt * gains[yi, xi, ti]
    return rgb * (gain ** step["amount"])[..., None]


def curve(rgb, step):
    points = np.array(step["points"], float)
    spline = CubicSpline(points[:, 0], points[:, 1], bc_type="natural")

    def tone(x):
        x = np.clip(x, points[0, 0], points[-1, 0])
        return np.clip(spline(x), 0, 1)

    rgb = np.clip(rgb, 0, 1)
    low, high = rgb.min(-1), rgb.max(-1)
    tone_low, tone_high = tone(low), tone(high)
    span = np.where(high > low, high - low, 1)
    share = (rgb - low[..., None]) / span[..., None]
    return tone_low[..., None] + (tone_high - tone_low)[..., None] * share


def main():
    request = json.load(open(sys.argv[1]))
    shape = (request["height"], request["width"], 3)
    rgb = np.fromfile(sys.argv[2], "<f8").reshape(shape)
    for step in request["steps"]:
        kind = step["kind"]
        if kind == "hueSatMap":
            rgb = hue_sat_map(rgb, step)
        elif kind == "gainTableMap":
            rgb = gain_table_map(rgb, step)
        elif kind == "gain":
            rgb = rgb * step["factor"]
        else:
            rgb = curve(rgb, step)
    rgb.astype("<f8").tofile(sys.argv[3])


main()
