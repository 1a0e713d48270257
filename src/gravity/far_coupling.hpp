// SPDX-License-Identifier: BSD-3-Clause
//
// From moments of masses to coefficients of the field of their far images: the matrices of lattice_kernel.hpp, between
// each two panels.
//
// Layout: terms are sorted by the parities of their degrees. Where two panels are the same along an axis, terms of
// different parity along it do not act on each other. So whole blocks of a matrix are zero, and left out. Each
// coefficient adds its moments in one order, panel by panel.
//
// Cost: up to K^2 n^2 for K panels and n terms, an eighth of it for one panel in space. All ranks do all of it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gravity/lattice_kernel.hpp"

namespace ricochet {

class FarCoupling {
  public:
    /// Of these axes, the law and the terms on each panel.
    FarCoupling(const PanelAxes& axes, const GravityLaw& law, const std::vector<Degrees>& terms);

    /// Of these moments. Both are by panel, z fastest, then by term in the order of `terms`.
    std::vector<double> coefficients_of(const std::vector<double>& moments) const;

  private:
    using Panel = std::array<std::size_t, 3>;

    std::size_t num_panels() const { return counts_[0] * counts_[1] * counts_[2]; }
    Panel panel_of(std::size_t k) const {
        return {k / counts_[2] / counts_[1], k / counts_[2] % counts_[1], k % counts_[2]};
    }
    void add(std::size_t target, std::size_t source, const double* moments, double* coefficients) const;

    Panel counts_{};  ///< of panels along the axes
    std::size_t num_terms_ = 0;
    std::vector<std::size_t> order_;  ///< given terms, sorted by parity
    std::array<std::size_t, num_parities + 1> first_{};
    std::vector<double> matrices_;
};

}  // namespace ricochet
