"""Traffic of one sweep in lines, in closed form, for arrays that no cache holds.

A stencil over rows (or planes) of a grid fetches a line of the grid again for each layer that has
left the cache before the sweep comes back to it. `holds` says for each boundary whether the layers
fit into the caches above it: "planes" (all layers: every line is fetched once), "rows" (3-D only:
the planes are fetched apart), "nothing" (2-D: the rows are fetched apart)."""

LINE = 64
ELEMENT = 8


def lines(elements):
    assert elements * ELEMENT % LINE == 0, "sizes are whole lines, so that halos are too"
    return elements * ELEMENT // LINE


def triad(n, _holds):
    """a = b + s c: b and c are read, a is read for the write-allocate and written."""
    return {"read": 3 * lines(n), "written": lines(n)}


def jacobi2d(n, holds):
    """Rows 1 .. n-2 are updated; rows 0 .. n-1 are read, the outer two as halo. The corner elements
    share their lines with elements that are read."""
    inner = n - 2
    row = lines(n)
    fetched = {"planes": n, "nothing": 3 * inner}[holds]
    return {"read": (fetched + inner) * row, "written": inner * row}


def stencil7(n, holds):
    """Plane k is read with its halo rows; planes k - 1 and k + 1 without."""
    inner = n - 2
    row = lines(n)
    fetched_rows = {
        "planes": inner * n + 2 * inner,  # inner planes with halo rows, the outer two without
        "rows": inner * (n + 2 * inner),
    }[holds]
    return {"read": (fetched_rows + inner * inner) * row, "written": inner * inner * row}


def traffic_bytes(form, n, holds):
    return {direction: LINE * count for direction, count in form(n, holds).items()}
