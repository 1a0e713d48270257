// SPDX-License-Identifier: BSD-3-Clause
#include "gravity/far_coupling.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ricochet {

FarCoupling::FarCoupling(const PanelAxes& axes, const GravityLaw& law, const std::vector<Degrees>& terms)
    : counts_{axes[0].num_panels, axes[1].num_panels, axes[2].num_panels},
      num_terms_(terms.size()),
      order_(terms.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return parity_of(terms[a]) < parity_of(terms[b]); });
    std::vector<Degrees> sorted;
    for (const std::size_t k : order_) {
        sorted.push_back(terms[k]);
        ++first_[parity_of(terms[k]) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    matrices_ = far_matrices(axes, law, sorted);
}

std::vector<double> FarCoupling::coefficients_of(const std::vector<double>& moments) const {
    const std::size_t n = num_terms_;
    std::vector<double> sorted(moments.size()), coefficients(moments.size()), sums(n);
    for (std::size_t k = 0; k < moments.size(); ++k) sorted[k] = moments[k / n * n + order_[k % n]];
    for (std::size_t target = 0; target < num_panels(); ++target) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t source = 0; source < num_panels(); ++source)
            add(target, source, &sorted[source * n], sums.data());
        for (std::size_t k = 0; k < n; ++k) coefficients[target * n + order_[k]] = sums[k];
    }
    return coefficients;
}

void FarCoupling::add(std::size_t target, std::size_t source, const double* moments,
                      double* coefficients) const {
    const Panel to = panel_of(target), from = panel_of(source);
    Panel apart{};
    unsigned same = 0, above = 0;  // axes along which the source's panel is the target's, or a higher one
    for (unsigned axis = 0; axis < 3; ++axis) {
        same |= from[axis] == to[axis] ? 1u << axis : 0;
        above |= from[axis] > to[axis] ? 1u << axis : 0;
        apart[axis] = std::max(from[axis], to[axis]) - std::min(from[axis], to[axis]);
    }
    // The transpose is the matrix for a source below. It is read by rows, so that sums run side by side.
    const std::size_t block = (apart[0] * counts_[1] + apart[1]) * counts_[2] + apart[2];
    const double* const matrix = &matrices_[block * num_terms_ * num_terms_];
    for (unsigned of_source = 0; of_source < num_parities; ++of_source)
        for (unsigned of_target = 0; of_target < num_parities; ++of_target) {
            if (((of_source ^ of_target) & same) != 0) continue;
            const double sign = std::popcount((of_source ^ of_target) & above) % 2 == 1 ? -1 : 1;
            for (std::size_t j = first_[of_source]; j < first_[of_source + 1]; ++j)
                for (std::size_t i = first_[of_target]; i < first_[of_target + 1]; ++i)
                    coefficients[i] += matrix[j * num_terms_ + i] * (sign * moments[j]);
        }
}

}  // namespace ricochet
