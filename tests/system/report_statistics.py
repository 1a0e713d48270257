# SPDX-License-Identifier: BSD-3-Clause
"""The statistics behind the numbers of `ricochet report`, on made-up series and paths whose means, errors and
diffusion coefficients are known."""
import sys
import unittest
from unittest import mock

import numpy as np

from support.report import REPORT_FOLDER

sys.path.insert(0, str(REPORT_FOLDER))

import averages  # noqa: E402
import diffusion  # noqa: E402
import lives  # noqa: E402
import reactions  # noqa: E402
from digits import with_error  # noqa: E402
from result import means_of_bins, power_of  # noqa: E402
from spreading import mean_of_particles  # noqa: E402


def correlated(random, number, memory):
    """A stationary series with mean 0, variance 1 and rho(k) = memory^k."""
    noise = random.normal(0, np.sqrt(1 - memory**2), number)
    values = np.empty(number)
    values[0] = random.normal()
    for k in range(1, number):
        values[k] = memory * values[k - 1] + noise[k]
    return values


class MadeUpResult:
    """Observables of three samples, each column with a last value of its own."""

    def __init__(self, **columns):
        """The labels and last values of each observable."""
        self.columns = columns

    def has_observable(self, name):
        return name in self.columns

    def labels(self, name):
        return list(self.columns[name])

    def thinned(self, name):
        last = np.array(list(self.columns[name].values()), float)
        return np.arange(3.0), np.outer([0, 0.5, 1], last)

    def label(self, what, **_powers):
        return what


class PlotsOfReactions(unittest.TestCase):
    def section(self, make, result):
        """The section, with (label, last value, style) of each line for its image."""
        def lines_of(figure):
            lines = figure.axes[0].lines
            return [(line.get_label(), line.get_ydata()[-1], line.get_linestyle()) for line in lines]

        with mock.patch.object(reactions, "png_of", lines_of), \
                mock.patch.object(reactions, "meaning_of", lambda _result, name: name):
            return make(result)

    def test_reactions_alone_are_drawn(self):
        """Bounces and passes are far more, and would leave reactions at zero. The CSV has all."""
        columns = {"A + B -> C": 3, "A + B -> C: bounced": 900, "A + D pass": 800, "A + D pass: bounced": 0,
                   "C + C -> pass": 2, "C + C -> pass: bounced": 70}
        section = self.section(reactions.outcomes, MadeUpResult(outcomes=columns))
        self.assertEqual([line[:2] for line in section.image], [("A + B -> C", 3), ("C + C -> pass", 2)])
        self.assertEqual(section.text, ["outcomes", "Bounces and passes are not drawn; outcomes.csv has them."])
        self.assertEqual(list(section.tables["outcomes.csv"]), ["time", *columns])
        only_passes = MadeUpResult(outcomes={"A + D pass": 800, "A + D pass: bounced": 0})
        section = self.section(reactions.outcomes, only_passes)
        self.assertEqual([line[:2] for line in section.image], [("A + D pass", 800)])
        self.assertEqual(section.text[1:], ["Bounces are not drawn; outcomes.csv has them."])

    def test_lines_left_out_are_told(self):
        """Of too many columns the largest are drawn, in their order."""
        rules = {name: value for k in range(20) for name, value in ((f"r{k}", k), (f"r{k}: bounced", 999))}
        section = self.section(reactions.outcomes, MadeUpResult(outcomes=rules))
        self.assertEqual([line[0] for line in section.image], [f"r{k}" for k in range(8, 20)])
        self.assertEqual(len({line[2] for line in section.image}), 2)
        self.assertIn("Drawn are the 12 of 20 with the largest values; outcomes.csv has all.", section.text)
        decays = MadeUpResult(decays={f"d{k}": 20 - k for k in range(12)})
        self.assertEqual(self.section(reactions.decays, decays).text, ["decays"])
        decays.columns["decays"]["more"] = 50
        section = self.section(reactions.decays, decays)
        self.assertEqual([line[0] for line in section.image], [f"d{k}" for k in range(11)] + ["more"])
        self.assertIn("Drawn are the 12 of 13", section.text[-1])


class Averages(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(5)

    def test_correlation_times_are_found(self):
        for memory in (0, 0.5, 0.9):
            with self.subTest(memory=memory):
                times = [
                    averages.correlation_time(correlated(self.random, 4000, memory))
                    for _ in range(20)
                ]
                exact = (1 + memory) / (1 - memory) / 2
                self.assertAlmostEqual(np.mean(times) / exact, 1, delta=0.12)

    def test_alternating_values_count_as_independent(self):
        """Alternating values are not believed to be better than independent."""
        values = np.tile([1.0, -1.0], 50)
        self.assertEqual(averages.correlation_time(values), 0.5)

    def test_errors_are_the_scatter_of_many_series(self):
        """Also where independent values would have an error that is 6 times smaller."""
        for memory in (0, 0.5, 0.95):
            with self.subTest(memory=memory):
                means = [
                    averages.steady_mean(correlated(self.random, 1500, memory)) for _ in range(200)
                ]
                scatter = np.std([mean.value for mean in means])
                self.assertAlmostEqual(np.mean([m.error for m in means]) / scatter, 1, delta=0.17)

    def test_an_unrelaxed_start_is_left_out(self):
        start = 20 * np.exp(-np.arange(1000) / 30)
        mean = averages.steady_mean(correlated(self.random, 1000, 0.3) + start)
        self.assertTrue(60 < mean.first < 250, mean)
        self.assertLess(abs(mean.value), 4 * mean.error)
        self.assertTrue(mean.is_steady)
        self.assertEqual(mean.remark, "")

    def test_a_steady_series_keeps_nearly_all(self):
        kept = [
            1 - averages.steady_mean(correlated(self.random, 500, 0.3)).first / 500
            for _ in range(100)
        ]
        self.assertGreater(np.mean(kept), 0.97)

    def test_a_drift_is_marked(self):
        mean = averages.steady_mean(correlated(self.random, 1000, 0.3) + np.arange(1000) / 50)
        self.assertFalse(mean.is_steady)
        self.assertIn("not steady", mean.remark)

    def test_few_independent_values_are_marked(self):
        self.assertIn("independent", averages.steady_mean(correlated(self.random, 100, 0.9)).remark)

    def test_few_and_equal_values(self):
        few = averages.steady_mean([1.0, 2.0, 6.0], [1, 1, 2])
        self.assertEqual((few.value, few.error), (3.75, None))
        self.assertTrue(np.isnan(averages.steady_mean([]).value))
        equal = averages.steady_mean(np.full(20, 0.1))
        self.assertAlmostEqual(equal.value, 0.1)
        self.assertAlmostEqual(equal.error, 0)

    def test_weights_are_lengths(self):
        values = self.random.normal(3, 1, 40)
        weights = self.random.uniform(1, 2, 40)
        mean = averages.steady_mean(values, weights)
        expected = np.average(values[mean.first :], weights=weights[mean.first :])
        self.assertAlmostEqual(mean.value, expected)

    def test_bins_weigh_their_intervals(self):
        edges = np.array([0, 1, 3, 4, 6, 7.0])
        values = np.array([[1, 10], [2, 20], [3, 30], [4, 40], [5, 50.0]])
        for columns in (values, values[:, 0]):
            middle, mean, length = means_of_bins(edges, columns, 2)
            self.assertEqual(middle.tolist(), [1.5, 4.5, 6.5])
            self.assertEqual(length.tolist(), [3, 3, 1])
            first = mean if mean.ndim == 1 else mean[:, 0]
            self.assertTrue(np.allclose(first, [5 / 3, 11 / 3, 5]))


class Digits(unittest.TestCase):
    def test_errors_in_brackets(self):
        for value, error, text in (
            (0.011, 0.004, "0.011(4)"),
            (6.4538, 0.0013, "6.4538(13)"),
            (45.67, 2.3, "46(2)"),
            (45.67, 1.3, "45.7(1.3)"),
            (1234.5, 23, "1230(20)"),
            (1.24, 0.00096, "1.2400(10)"),
            (0.99999, 0.0002, "1.0000(2)"),
            (9.876e-4, 1.2e-6, "9.876(12)e-4"),
            (-3.1e7, 2e5, "-3.10(2)e7"),
            (0.0, 0.1, "0.00(10)"),
            (3.98426123, None, "3.9843"),
            (2.5, 0.0, "2.5"),
            (2.5, float("nan"), "2.5"),
        ):
            self.assertEqual(with_error(value, error), text)

    def test_units(self):
        for word, power, text in (
            ("nm", 1, "nm"),
            ("nm", 2, "nm²"),
            ("sigma", 3, "sigma³"),
            ("sigma sqrt(m/kT)", 1, "(sigma sqrt(m/kT))"),
            ("m/s", 2, "(m/s)²"),
            ("s", 4, "s^4"),
        ):
            self.assertEqual(power_of(word, power), text)


class Diffusion(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(6)

    def walk(self, num_frames, num_particles, coefficient, interval):
        steps = self.random.normal(
            0, np.sqrt(2 * coefficient * interval), (num_frames, num_particles, 3)
        )
        return steps.cumsum(axis=0)

    def paths(self, places, interval):
        number = places.shape[1]
        return diffusion.Paths(interval, places, np.zeros(number, int), np.ones(number), np.ones(number))

    def test_all_origins_are_in_the_displacements(self):
        places = 100 + self.walk(37, 5, 0.7, 0.5)
        squares = diffusion.displacements_squared(places)
        for lag in range(37):
            apart = places[lag:] - places[: 37 - lag]
            direct = (apart**2).sum(axis=2).mean(axis=0)
            self.assertTrue(np.allclose(squares[lag], direct, atol=1e-9), lag)

    def test_coefficients_and_errors_of_many_runs(self):
        """Coefficients and errors are those of many runs."""
        found = []
        for _ in range(150):
            paths = self.paths(self.walk(60, 40, 0.7, 0.5), 0.5)
            found.append(mean_of_particles(diffusion.spreading_of(paths, [3]).coefficient))
        values, errors = np.array(found).T
        self.assertAlmostEqual(values.mean(), 0.7, delta=4 * values.std() / np.sqrt(len(values)))
        self.assertAlmostEqual(errors.mean() / values.std(), 1, delta=0.15)

    def test_blocks_of_particles_change_nothing(self):
        paths = self.paths(self.walk(20, 30, 0.7, 0.5), 0.5)
        paths.species = np.arange(30) % 2
        whole = diffusion.spreading_of(paths, [3, 3])
        with mock.patch.object(diffusion, "PLACES_AT_ONCE", 140):
            parts = diffusion.spreading_of(paths, [3, 3])
        self.assertTrue(np.allclose(whole.msd, parts.msd, rtol=1e-12))
        self.assertTrue(np.allclose(whole.coefficient, parts.coefficient, rtol=1e-12))

    def followed(self, places, species, interval=0.5):
        return lives.Lives(interval, places, species, np.ones(species.shape), np.ones(species.shape))

    def test_lives_end_where_species_change(self):
        places = self.walk(30, 60, 0.7, 0.5)
        species = np.where(self.random.random((30, 60)) < 0.1, 1, 0).cumsum(axis=0) % 3 - 1  # -1: not there
        found = lives.diffusion_of(self.followed(places, species), [3, 3])
        for lag in (0, 1, 4, 11):
            for k in range(2):
                squares = [
                    ((places[t + lag, i] - places[t, i]) ** 2).sum() for i in range(60) for t in range(30 - lag)
                    if (species[t : t + lag + 1, i] == k).all()
                ]
                self.assertAlmostEqual(found.msd[lag, k], np.mean(squares), places=9)

    def test_survivors_have_the_coefficient_of_all(self):
        """Where lives end at random: coefficients and errors are those of many runs."""
        found = []
        for _ in range(100):
            places = self.walk(60, 200, 0.7, 0.5)
            ended = self.random.exponential(20, 200)
            species = np.where(np.arange(60)[:, None] < ended, 0, -1)
            found.append(lives.diffusion_of(self.followed(places, species), [3]).coefficient[0])
        values, errors = np.array(found).T
        self.assertAlmostEqual(values.mean(), 0.7, delta=4 * values.std() / np.sqrt(len(values)))
        self.assertAlmostEqual(errors.mean() / values.std(), 1, delta=0.25)

    def test_short_lives_have_no_coefficient(self):
        places, species = self.walk(10, 40, 0.7, 0.5), np.full((10, 40), -1)
        species[::3] = 0
        found = lives.diffusion_of(self.followed(places, species), [3, 3])
        self.assertEqual((found.coefficient, found.num_lags.tolist()), ([None, None], [1, 0]))
        self.assertTrue(np.isnan(found.msd[1:]).all())

    def test_lags_of_the_fit(self):
        for num_frames, first, last in ((6, 1, 2), (11, 1, 4), (21, 2, 8), (2001, 200, 800)):
            lags = diffusion.fit_lags(num_frames)
            self.assertEqual((lags[0], lags[-1]), (first, last))


if __name__ == "__main__":
    unittest.main()
