"""Lines over numbers, and bars over names, as SVG."""

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 40, 50
# Told apart by people who do not see all colours, too.
COLOURS = ("#d55e00", "#0072b2", "#cc79a7", "#e69f00", "#009e73", "#000000", "#888888")


@dataclass
class Line:
    name: str
    points: list
    dashed: bool = False


def plot(title, across, up, lines, logarithmic):
    """The text of an SVG file. Points are pairs of numbers; with `logarithmic`, the second ones must be positive."""
    points = [point for line in lines for point in line.points]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low, high = scale(ys, logarithmic)
    left, right = min(xs), max(xs)

    def at(x, y):
        share = (math.log10(max(y, low)) - math.log10(low)) / (math.log10(high) - math.log10(low)) if logarithmic else y / high
        return (LEFT + (x - left) / max(right - left, 1) * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM))

    out = frame(title, up)
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, across, "middle"))
    for value in marks(low, high, logarithmic):
        _, y = at(left, value)
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>')
        out.append(text(LEFT - 6, y + 4, f"{value:g}", "end"))
    for value in sorted(set(xs)):
        x, _ = at(value, low or high)
        out.append(text(x, HEIGHT - BOTTOM + 18, f"{value:g}", "middle"))
    for number, line in enumerate(lines):
        if not line.points:
            continue
        colour = COLOURS[number % len(COLOURS)]
        places = [at(x, y) for x, y in line.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        dashes = ' stroke-dasharray="5 4"' if line.dashed else ""
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        out += legend(number, line.name, f'stroke="{colour}" stroke-width="2"{dashes}')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def bars(title, up, names, series):
    """The text of an SVG file: beside each name, a bar for each of the series, which are pairs of a name and as many
    numbers as there are names; nothing in the place of a number leaves the bar out."""
    _, high = scale([value for _, values in series for value in values if value is not None], False)
    across, upright = (WIDTH - LEFT - RIGHT) / len(names), HEIGHT - TOP - BOTTOM
    thick = across * 0.8 / len(series)
    out = frame(title, up)
    for value in marks(0, high, False):
        y = HEIGHT - BOTTOM - value / high * upright
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>')
        out.append(text(LEFT - 6, y + 4, f"{value:g}", "end"))
    for place, name in enumerate(names):
        # Long names have their last part below.
        for row, part in enumerate(name.rsplit("_", 1)):
            out.append(text(LEFT + (place + 0.5) * across, HEIGHT - BOTTOM + 18 + 11 * row, part, "middle", size=9))
    for number, (name, values) in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        for place, value in enumerate(values):
            if value is not None:
                x, height = LEFT + (place + 0.1) * across + number * thick, value / high * upright
                out.append(f'<rect x="{x:.1f}" y="{HEIGHT - BOTTOM - height:.1f}" width="{thick:.1f}" height="{height:.1f}" fill="{colour}"/>')
        out += legend(number, name, f'stroke="{colour}" stroke-width="10"')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def frame(title, up):
    """The beginning of a picture, with the name of its vertical axis."""
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            text(LEFT, 22, title, "start", size=15),
            f'<g transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)">{text(0, 0, up, "middle")}</g>']


def legend(number, name, look):
    height = TOP + 14 + 20 * number
    return [f'<line x1="{WIDTH - RIGHT + 14}" y1="{height}" x2="{WIDTH - RIGHT + 38}" y2="{height}" {look}/>',
            text(WIDTH - RIGHT + 44, height + 4, name, "start")]


def text(x, y, words, anchor, size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def scale(values, logarithmic):
    """From where to where the vertical axis goes."""
    if logarithmic:
        return 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values) * 1.01))
    step = step_for(max(values))
    return 0, math.ceil(max(values) / step) * step


def step_for(high):
    """A round number of which five to ten fit below `high`."""
    power = 10 ** math.floor(math.log10(high / 5))
    return next(power * factor for factor in (1, 2, 5, 10) if high / (power * factor) <= 8)


def marks(low, high, logarithmic):
    if logarithmic:
        return [10.0 ** power for power in range(round(math.log10(low)), round(math.log10(high)) + 1)]
    step = step_for(high)
    return [step * number for number in range(round(high / step) + 1)]
