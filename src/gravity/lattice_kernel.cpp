// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/lattice_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "core/math.hpp"
#include "ricochet/core/check.hpp"

namespace ricochet {
namespace {

const double root_of_pi = std::sqrt(fixed::pi);
/// Gaussians of more than this many widths, below exp(-40), do not count beside 1.
constexpr double most_widths = 6.4;

/// What one axis does in one Gaussian, by separation.
enum class AxisFactor {
    lattice,  ///< all images; one Gaussian along an open axis
    near,     ///< the images that are summed one by one; one Gaussian along an open axis
    deficit,  ///< 1 minus one Gaussian
    one
};

double gaussian(double distance, double t) {
    const double x = distance * t;
    return std::abs(x) > most_widths ? 0 : fixed::exp(-(x * x));
}

/// Over images -most to most, from the outermost inwards.
double sum_of_images(double distance, double edge, double t, int most) {
    double sum = 0;
    for (int n = most; n > 0; --n) sum += gaussian(distance + n * edge, t) + gaussian(distance - n * edge, t);
    return sum + gaussian(distance, t);
}

/// The mean of theta.
double mean_along(const PanelAxis& axis, double t) { return root_of_pi / (t * axis.edge); }
bool is_mean(const PanelAxis& axis, double t) { return t * axis.edge < 0.5; }

double factor_at(const PanelAxis& axis, AxisFactor factor, double distance, double t) {
    if (factor == AxisFactor::one) return 1;
    if (factor == AxisFactor::deficit) {
        const double x = distance * t;
        return fixed::one_minus_exp_of_minus(x * x);
    }
    if (!axis.is_periodic) return gaussian(distance, t);
    if (factor == AxisFactor::near) return sum_of_images(distance, axis.edge, t, 1);
    if (is_mean(axis, t)) return mean_along(axis, t);
    // the farthest separation is an edge
    const auto most = static_cast<int>(most_widths / (t * axis.edge)) + 2;
    return sum_of_images(distance, axis.edge, t, most);
}

/// From values at Chebyshev's nodes to coefficients: row k has T_k at the nodes, times (2 - [k = 0])/n.
class ChebyshevTransform {
  public:
    explicit ChebyshevTransform(std::size_t num_terms) : nodes_(num_terms), rows_(num_terms * num_terms) {
        const auto n = static_cast<double>(num_terms);
        for (std::size_t j = 0; j < num_terms; ++j) {
            const double turns = (static_cast<double>(j) + 0.5) / (2 * n);
            nodes_[j] = num_terms == 1 ? 0 : fixed::sincos_2pi(turns).cos;
            double before = 1, here = nodes_[j];
            for (std::size_t k = 0; k < num_terms; ++k) {
                rows_[k * num_terms + j] = (k == 0 ? 1 : 2) / n * (k == 0 ? 1 : here);
                if (k == 0) continue;
                const double next = 2 * nodes_[j] * here - before;
                before = here;
                here = next;
            }
        }
    }

    std::span<const double> nodes() const { return nodes_; }
    /// The coefficients of a function of the distance alone; values[i n + j] is that at target i and source j. They
    /// have the symmetry of such functions in every bit.
    std::vector<double> of_pairs(const std::vector<double>& values) const {
        const std::size_t n = nodes_.size();
        std::vector<double> half(n * n), all(n * n);
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) {
                double sum = 0;
                for (std::size_t i = 0; i < n; ++i) sum += rows_[k * n + i] * values[i * n + j];
                half[k * n + j] = sum;
            }
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t l = k; l < n; ++l) {
                double sum = 0;
                for (std::size_t j = 0; j < n; ++j) sum += rows_[l * n + j] * half[k * n + j];
                all[k * n + l] = sum;
                all[l * n + k] = (k + l) % 2 == 0 ? sum : -sum;
            }
        return all;
    }

  private:
    std::vector<double> nodes_, rows_;
};

/// The coefficients of one factor of one axis, one matrix after another for each distance of panels.
class AxisTable {
  public:
    AxisTable(const PanelAxis& axis, const ChebyshevTransform& transform, AxisFactor factor, double t)
        : num_terms_(axis.num_terms) {
        for (std::size_t apart = 0; apart < axis.num_panels; ++apart)
            add_matrix(axis, transform, factor, t, static_cast<double>(apart));
        find_highest();
    }
    /// Of the pair of terms at this distance.
    double at(std::size_t apart, std::size_t target, std::size_t source) const {
        return all_[(apart * num_terms_ + target) * num_terms_ + source];
    }
    /// Coefficients of higher degrees are rounding errors, or do not count.
    std::size_t highest() const { return highest_; }

  private:
    void add_matrix(const PanelAxis& axis, const ChebyshevTransform& transform, AxisFactor factor, double t,
                    double apart) {
        const auto nodes = transform.nodes();
        std::vector<double> values(num_terms_ * num_terms_);
        for (std::size_t i = 0; i < num_terms_; ++i)
            for (std::size_t j = 0; j < num_terms_; ++j) {
                const double distance = (apart + 0.5 * (nodes[j] - nodes[i])) * axis.panel();
                const bool is_known = apart == 0 && j < i;  // an even function
                values[i * num_terms_ + j] =
                    is_known ? values[j * num_terms_ + i] : factor_at(axis, factor, distance, t);
            }
        std::vector<double> matrix = transform.of_pairs(values);
        all_.insert(all_.end(), matrix.begin(), matrix.end());
    }
    void find_highest() {
        double largest = 0;
        for (const double entry : all_) largest = std::max(largest, std::abs(entry));
        for (std::size_t k = 0; k < all_.size(); ++k)
            if (std::abs(all_[k]) > 1e-15 * largest)
                highest_ = std::max(highest_, k / num_terms_ % num_terms_);
    }

    std::size_t num_terms_;
    std::vector<double> all_;
    std::size_t highest_ = 0;
};

/// Adds up products over axes.
class FarSum {
  public:
    FarSum(const PanelAxes& axes, const std::vector<Degrees>& terms)
        : axes_(axes),
          terms_(terms),
          transforms_{ChebyshevTransform(axes[0].num_terms), ChebyshevTransform(axes[1].num_terms),
                      ChebyshevTransform(axes[2].num_terms)} {
        for (std::size_t x = 0; x < axes[0].num_panels; ++x)
            for (std::size_t y = 0; y < axes[1].num_panels; ++y)
                for (std::size_t z = 0; z < axes[2].num_panels; ++z) apart_.push_back({x, y, z});
        matrices_.resize(apart_.size() * terms.size() * terms.size());
    }

    /// Adds weight times the product over axes of these factors.
    void add(double weight, double t, const std::array<AxisFactor, 3>& factors) {
        const Tables tables{AxisTable(axes_[0], transforms_[0], factors[0], t),
                            AxisTable(axes_[1], transforms_[1], factors[1], t),
                            AxisTable(axes_[2], transforms_[2], factors[2], t)};
        UsedTerms used;
        for (std::size_t k = 0; k < terms_.size(); ++k)
            if (terms_[k][0] <= tables[0].highest() && terms_[k][1] <= tables[1].highest() &&
                terms_[k][2] <= tables[2].highest())
                used[parity_of(terms_[k])].push_back(k);
        for (std::size_t block = 0; block < apart_.size(); ++block) {
            const unsigned same = same_axes(block);
            for (unsigned first = 0; first < num_parities; ++first)
                for (unsigned second = first; second < num_parities; ++second)
                    if (((first ^ second) & same) == 0)
                        add_pairs(weight, block, tables, used[first], used[second]);
        }
    }
    void add_constant(double value) { constant_ += value; }

    std::vector<double> completed() {
        const std::size_t n = terms_.size();
        for (std::size_t block = 0; block < apart_.size(); ++block) {
            double* const matrix = &matrices_[block * n * n];
            matrix[0] += constant_;
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    const unsigned odd = (parity_of(terms_[i]) ^ parity_of(terms_[j])) & ~same_axes(block);
                    matrix[i * n + j] = (std::popcount(odd) % 2 == 1 ? -1 : 1) * matrix[j * n + i];
                }
        }
        return std::move(matrices_);
    }

  private:
    using Tables = std::array<AxisTable, 3>;
    using UsedTerms = std::array<std::vector<std::size_t>, num_parities>;

    /// Pairs of a term of the one list with one of the other that is not before it.
    void add_pairs(double weight, std::size_t block, const Tables& tables,
                   const std::vector<std::size_t>& targets, const std::vector<std::size_t>& sources) {
        const std::size_t n = terms_.size();
        const auto [x, y, z] = apart_[block];
        for (const std::size_t i : targets) {
            const Degrees& target = terms_[i];
            for (const std::size_t j : sources) {
                if (j < i) continue;
                const Degrees& source = terms_[j];
                matrices_[(block * n + i) * n + j] += weight * tables[0].at(x, target[0], source[0]) *
                                                      tables[1].at(y, target[1], source[1]) *
                                                      tables[2].at(z, target[2], source[2]);
            }
        }
    }

    /// Axes along which the panels are the same: F is even there.
    unsigned same_axes(std::size_t block) const {
        unsigned same = 0;
        for (unsigned axis = 0; axis < 3; ++axis) same |= apart_[block][axis] == 0 ? 1u << axis : 0;
        return same;
    }

    const PanelAxes& axes_;
    const std::vector<Degrees>& terms_;
    std::array<ChebyshevTransform, 3> transforms_;
    std::vector<std::array<std::size_t, 3>> apart_;  ///< distances of panels, by matrix
    std::vector<double> matrices_;
    double constant_ = 0;
};

/// The integral over t.
class Integral {
  public:
    Integral(const PanelAxes& axes, const GravityLaw& law, FarSum& sum) : axes_(axes), law_(law), sum_(sum) {
        for (const PanelAxis& axis : axes) {
            longest_ = std::max(longest_, axis.edge);
            if (!axis.is_periodic) continue;
            ++num_periodic_;
            num_near_ *= 3;
            longest_periodic_ = std::max(longest_periodic_, axis.edge);
            shortest_periodic_ = shortest_periodic_ > 0 ? std::min(shortest_periodic_, axis.edge) : axis.edge;
        }
    }

    void run() {
        constexpr double step = 0.14, first = -3.7, smallest = 1e-17;
        const double unit = 0.03 / std::max(longest_, law_.softening);
        const double last = fixed::log(1 / (smallest * shortest_periodic_ * unit));
        for (int k = 0; first + k * step < last; ++k) {
            const double s = first + k * step, below = fixed::exp(-s);
            const double t = unit * fixed::exp(s - below);
            add(t, step * t * (1 + below) * density(t));
        }
        if (law_.form == GravityForm::inverse) sum_.add_constant(num_near_ * fixed::log(longest_));
    }

  private:
    /// How much of each Gaussian there is in the law.
    double density(double t) const {
        return law_.form == GravityForm::inverse_square ? 2 / root_of_pi : 1 / t;
    }

    void add(double t, double weight) {
        using enum AxisFactor;
        const double softened = weight * gaussian(law_.softening, t);
        double mean = 1;
        for (const PanelAxis& axis : axes_)
            if (axis.is_periodic) mean *= mean_along(axis, t);
        const bool is_all_mean = t * longest_periodic_ < 0.5;
        sum_.add_constant(constant(t, weight, softened, mean, is_all_mean));
        if (t * shortest_periodic_ > most_widths) return;  // all far images are an edge away
        sum_.add(-softened, t, {near, near, near});
        if (!is_all_mean)
            sum_.add(softened, t, {lattice, lattice, lattice});
        else
            add_deficits(-softened * mean, t);
    }

    /// Adds 1 minus the Gaussian of all open axes, axis by axis: 1 - ab = (1 - a) + a (1 - b).
    void add_deficits(double weight, double t) {
        std::array<AxisFactor, 3> factors{AxisFactor::one, AxisFactor::one, AxisFactor::one};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (axes_[axis].is_periodic || axes_[axis].edge == 0) continue;
            factors[axis] = AxisFactor::deficit;
            sum_.add(weight, t, factors);
            factors[axis] = AxisFactor::near;  // one Gaussian
        }
    }

    /// What does not depend on D: the background, and the units of logarithms.
    double constant(double t, double weight, double softened, double mean, bool is_all_mean) const {
        double sum = 0;
        if (law_.form == GravityForm::inverse_square && num_periodic_ == 1) {
            const double x = longest_periodic_ * t, e = law_.softening * t;
            sum += is_all_mean
                       ? weight * mean *
                             (fixed::one_minus_exp_of_minus(x * x) - fixed::one_minus_exp_of_minus(e * e))
                       : -weight * mean * gaussian(longest_periodic_, t);
        } else if (!is_all_mean) {
            sum -= softened * mean;
        }
        if (law_.form == GravityForm::inverse) sum += weight * num_near_ * gaussian(longest_, t);
        return sum;
    }

    const PanelAxes& axes_;
    const GravityLaw& law_;
    FarSum& sum_;
    double longest_ = 0, longest_periodic_ = 0, shortest_periodic_ = 0;
    int num_periodic_ = 0, num_near_ = 1;
};

}  // namespace

std::vector<double> far_matrices(const PanelAxes& axes, const GravityLaw& law,
                                 const std::vector<Degrees>& terms) {
    FarSum sum(axes, terms);
    Integral(axes, law, sum).run();
    return sum.completed();
}

}  // namespace ricochet
