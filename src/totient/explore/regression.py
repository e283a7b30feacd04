"""A figure as a function of parameters: a sum of closed-form counts, and what it leaves over.

    figure = sum of c_i f_i(parameters) * exp(r(parameters)),   c_i >= 0

The counts f_i are formulas, such as cells of an array. Their factors c_i are the non-negative ones
with the least squares of relative errors. r is a Gaussian process over the logarithms of the
parameters. It returns a mean and a standard deviation, so that each prediction has an interval.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from totient.common.formula import Formula
from totient.common.formula_arrays import values
from totient.explore.interval import Floats

Points = Mapping[str, NDArray[np.int64]]

_BLOCK = 16_384
"""Points for which a kernel is computed at once: its numbers stay in the processor's cache."""


@dataclass(frozen=True)
class Shape:
    """What a figure grows with.

    Attributes:
        counts: formulas of the parameters and terms.
        terms: of the formulas.
        inputs: formulas whose logarithms the remainder depends on; each above 0.
    """

    counts: Sequence[str]
    terms: Mapping[str, str]
    inputs: Sequence[str]

    def matrix(self, points: Points) -> Floats:
        """The counts of points: a row for each point."""
        return self._columns(self.counts, points)

    def coordinates(self, points: Points) -> Floats:
        """The logarithms of the inputs, to the base 2: a row for each point."""
        return np.log2(self._columns(self.inputs, points))

    def _columns(self, formulas: Sequence[str], points: Points) -> Floats:
        known = dict(points)
        for name, text in self.terms.items():
            known[name] = values(Formula(text), known)
        found = [values(Formula(text), known) for text in formulas]
        return np.stack(found, axis=-1).astype(np.float64)


class Distinct(NamedTuple):
    """Which of some points are the same.

    Attributes:
        first: place of the first of each distinct point.
        of: for each point its number among the distinct ones.
        counts: how often each distinct one is there.
    """

    first: NDArray[np.int64]
    of: NDArray[np.int64]
    counts: NDArray[np.int64]


def distinct(points: Points) -> Distinct:
    """The points with different parameters."""
    rows = np.stack(list(points.values()), axis=-1)
    _, first, of, counts = np.unique(
        rows, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    return Distinct(first, of.ravel(), counts)


class Prediction(NamedTuple):
    """A figure of each point: its median, and the standard deviation of its logarithm."""

    median: Floats
    deviation: Floats


@dataclass(frozen=True)
class Regression:
    """A fitted figure.

    Attributes:
        shape: what it grows with.
        factors: of the counts.
        amplitude: standard deviation of the remainder, over all parameters.
        lengths: distance in each coordinate over which the remainder changes.
        noise: standard deviation of a single measurement's logarithm.
        known: coordinates of the measured points, a row each.
        remainders: of the measured points; the mean, of one that was measured several times.
        repeats: measurements of each point.
    """

    shape: Shape
    factors: Floats
    amplitude: float
    lengths: Floats
    noise: float
    known: Floats
    remainders: Floats
    repeats: Floats

    def predict(self, points: Points) -> Prediction:
        """The figure at points."""
        whole = self.shape.matrix(points) @ self.factors
        at = (self.shape.coordinates(points) / self.lengths).astype(np.float32)
        mean, variance = np.empty(len(whole)), np.empty(len(whole))
        for start in range(0, len(whole), _BLOCK):
            part = slice(start, start + _BLOCK)
            near = self._near(at[part])
            mean[part] = near @ self._weights
            variance[part] = self.amplitude**2 - np.sum((near @ self._unroot) ** 2, axis=1)
        deviation = np.sqrt(np.maximum(variance, 0) + self.noise**2)
        return Prediction(whole * np.exp(mean), deviation)

    def with_points(self, points: Points, figures: Floats) -> "Regression":
        """The same fit with further measurements: factors, lengths and deviations stay.

        Args:
            points: parameters of the measurements.
            figures: of each point, above 0.
        """
        left = np.log(figures / (self.shape.matrix(points) @ self.factors))
        known = np.concatenate([self.known, self.shape.coordinates(points)])
        remainders = np.concatenate([self.remainders, left])
        repeats = np.concatenate([self.repeats, np.ones(len(left))])
        return replace(self, known=known, remainders=remainders, repeats=repeats)

    def _near(self, at: NDArray[np.float32]) -> NDArray[np.float32]:
        """The kernel between points and the measured ones: a row for each point.

        From |a - b|^2 = |a|^2 - 2 a b + |b|^2, which is one product of matrices.
        """
        far = at @ (2 * self._scaled.T)
        far -= np.sum(at**2, axis=1)[:, None]
        far -= np.sum(self._scaled**2, axis=1)
        far *= np.float32(0.5)
        np.exp(far, out=far)
        far *= np.float32(self.amplitude**2)
        return far

    @cached_property
    def _scaled(self) -> NDArray[np.float32]:
        return (self.known / self.lengths).astype(np.float32)

    @cached_property
    def _root(self) -> Floats:
        at = self.known / self.lengths
        far = np.sum((at[:, None, :] - at[None, :, :]) ** 2, axis=-1)
        kernel = self.amplitude**2 * np.exp(-0.5 * far)
        return np.linalg.cholesky(kernel + np.diag(self.noise**2 / self.repeats))

    @cached_property
    def _unroot(self) -> NDArray[np.float32]:
        return np.linalg.inv(self._root).T.astype(np.float32)

    @cached_property
    def _weights(self) -> NDArray[np.float32]:
        half = np.linalg.solve(self._root, self.remainders)
        return np.asarray(np.linalg.solve(self._root.T, half), np.float32)

    def to_json(self) -> dict[str, Any]:
        """The fit, without the shape."""
        return {
            "factors": _rounded(self.factors),
            "amplitude": float(f"{self.amplitude:.6g}"),
            "lengths": _rounded(self.lengths),
            "noise": float(f"{self.noise:.6g}"),
            "known": [_rounded(row) for row in self.known],
            "remainders": _rounded(self.remainders),
            "repeats": _rounded(self.repeats),
        }

    @classmethod
    def from_json(cls, shape: Shape, data: Mapping[str, Any]) -> "Regression":
        """Parse the JSON of `to_json`.

        Raises:
            KeyError, TypeError, ValueError: a part is missing or malformed.
        """
        arrays = {
            name: np.array(data[name], np.float64)
            for name in ("factors", "lengths", "known", "remainders", "repeats")
        }
        return cls(shape, amplitude=data["amplitude"], noise=data["noise"], **arrays)


def _rounded(row: Floats) -> list[float]:
    return [float(f"{value:.6g}") for value in row]


def fit(shape: Shape, points: Points, figures: Floats) -> Regression:
    """Fit a figure to measured points.

    Args:
        shape: what it grows with.
        points: parameters of the measured points.
        figures: of each point, above 0. A point measured several times is there as often.
    """
    from scipy.optimize import nnls
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    counts = shape.matrix(points)
    factors, _ = nnls(counts / figures[:, None], np.ones(len(figures)))
    remainders = np.log(figures / (counts @ factors))
    known = shape.coordinates(points)
    smooth = ConstantKernel(0.05**2, (1e-5, 1)) * RBF(np.full(known.shape[1], 2.0), (0.5, 30))
    kernel = smooth + WhiteKernel(0.02**2, (1e-5, 0.1))
    process = GaussianProcessRegressor(kernel, n_restarts_optimizer=4, random_state=1)
    with warnings.catch_warnings():
        # A remainder of nearly nothing, or one that a coordinate does not change, is at a bound.
        warnings.simplefilter("ignore", ConvergenceWarning)
        process.fit(known, remainders)
    found, noise = process.kernel_.k1, process.kernel_.k2.noise_level
    lengths = np.broadcast_to(found.k2.length_scale, known.shape[1]).astype(np.float64)
    # Measurements of one point say as much as their mean, with a smaller deviation.
    unique = distinct(points)
    return Regression(
        shape,
        np.asarray(factors),
        float(np.sqrt(found.k1.constant_value)),
        lengths,
        float(np.sqrt(noise)),
        known[unique.first],
        np.bincount(unique.of, remainders) / unique.counts,
        unique.counts.astype(np.float64),
    )
