// SPDX-License-Identifier: BSD-3-Clause
#include "theory/hard_sphere_theory.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

using std::numbers::pi;

/// Sum of n_i diameter_i^power times the volume (area) of a unit-diameter sphere.
double moment(int dimension, std::span<const SizeClass> classes, int power) {
    double sum = 0;
    for (const SizeClass& c : classes) sum += c.number_density * std::pow(2 * c.radius, power);
    return sum * (dimension == 2 ? pi / 4 : pi / 6);
}

/// The contact value g of equal discs minus 1 / (1 - eta), divided by eta / (1 - eta)^2. It is 9/16 in
/// Henderson's theory. Here it follows from Liu's Z = 1 + 2 eta g, which has a virial part and a term for the
/// approach to freezing.
double disc_excess(double eta) {
    const double virial = 1.0 / 8 + eta * (1.0 / 18 - eta * 4 / 21);
    const double ordering =
        (2.66813e8 * std::pow(eta, 54) - 1.04191e8 * std::pow(eta, 51)) / (1 - eta / 0.75);
    return (1 + virial + (1 - eta) * (1 - eta) * ordering) / 2;
}

/// The pair distribution at contact, as a function of the mean curvature of a pair.
class ContactValue {
  public:
    ContactValue(int dimension, std::span<const SizeClass> classes)
        : dimension_(dimension),
          surface_(moment(dimension, classes, dimension - 1)),
          room_(1 - moment(dimension, classes, dimension)),
          disc_excess_(dimension == 2 ? disc_excess(1 - room_) : 0) {}

    double operator()(double radius_a, double radius_b) const {
        const double x = surface_ * 2 * radius_a * radius_b / (radius_a + radius_b) / room_;
        if (dimension_ == 2) return (1 + 2 * disc_excess_ * x) / room_;
        return (1 + x * (3 + x * (2 + (2 * room_ - 1) / 3))) / room_;
    }

  private:
    int dimension_;
    double surface_;
    double room_;
    double disc_excess_;
};

/// Relative speed averaged over Maxwell's distribution, times the cross-section: volume swept per time.
double swept_volume_rate(int dimension, double distance, double energy_over_mass) {
    if (dimension == 2) return 2 * distance * std::sqrt(pi * energy_over_mass / 2);
    return pi * distance * distance * std::sqrt(8 * energy_over_mass / pi);
}

}  // namespace

double equal_sphere_compressibility(int dimension, double fraction) {
    const double p = fraction;
    const double q = 1 - p;
    if (dimension == 2) return 1 + 2 * p * (1 + disc_excess(p) * p / q) / q;
    return (1 + p + p * p - 2.0 / 3 * p * p * p * (1 + p)) / (q * q * q);
}

double fraction_of(int dimension, std::span<const SizeClass> classes) {
    return moment(dimension, classes, dimension);
}

double contact_rate_density(int dimension, std::span<const SizeClass> classes, double thermal_energy) {
    if (fraction_of(dimension, classes) >= 1) return std::nan("");
    const ContactValue contact_value(dimension, classes);
    double sum = 0;
    for (const SizeClass& a : classes)
        for (const SizeClass& b : classes)
            sum +=
                a.number_density * b.number_density * contact_value(a.radius, b.radius) *
                swept_volume_rate(dimension, a.radius + b.radius, thermal_energy * (1 / a.mass + 1 / b.mass));
    return sum / 2;
}

double mixture_compressibility(int dimension, std::span<const SizeClass> classes) {
    const double fraction = fraction_of(dimension, classes);
    if (fraction >= 1) return std::nan("");
    const ContactValue contact_value(dimension, classes);
    double density = 0;
    double virial = 0;
    for (const SizeClass& a : classes) {
        density += a.number_density;
        for (const SizeClass& b : classes) {
            const double distance = a.radius + b.radius;
            const double inverse_mass = 1 / a.mass + 1 / b.mass;
            virial += a.number_density * b.number_density / 2 * contact_value(a.radius, b.radius) *
                      swept_volume_rate(dimension, distance, inverse_mass) * distance *
                      std::sqrt(2 * pi / inverse_mass);
        }
    }
    return 1 + virial / (dimension * density);
}

double mean_thermal_speed(int dimension) { return std::sqrt(dimension == 2 ? pi / 2 : 8 / pi); }

double share_faster_than(int dimension, double speed) {
    if (speed <= 0) return 1;
    const double tail = std::exp(-speed * speed / 2);
    if (dimension == 2) return tail;
    return std::erfc(speed / std::numbers::sqrt2) + std::sqrt(2 / pi) * speed * tail;
}

double diffusion_bias(int dimension, std::span<const SizeClass> classes, const SizeClass& of,
                      double thermal_energy, double timestep) {
    double sum = 0;
    double weight = 0;
    for (const SizeClass& c : classes) {
        const double distance = of.radius + c.radius;
        const double s = std::sqrt(thermal_energy * (1 / of.mass + 1 / c.mass) / 2) * timestep / distance;
        const double share = c.number_density * std::pow(distance, dimension - 1);
        sum += share * s * (0.53 + 0.2 * s);
        weight += share;
    }
    return weight > 0 ? sum / weight * fraction_of(dimension, classes) / 0.3 : 0;
}

}  // namespace ricochet
