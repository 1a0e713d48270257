// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/brownian.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "dynamics/normal.hpp"
#include "ricochet/core/check.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr std::size_t batch_size = 256;

/// Normal numbers of a batch of particles; z stays 0 in two dimensions.
struct Batch {
    std::array<ParticleId, batch_size> ids{};
    std::array<double, batch_size> x{}, y{}, z{};

    void fill(std::span<const Motion> motion, int dimension, const RandomKey& key) {
        const std::size_t count = motion.size();
        for (std::size_t k = 0; k < count; ++k) ids[k] = motion[k].id;
        standard_normals3(key, {ids.data(), count}, {x.data(), count}, {y.data(), count},
                          {z.data(), dimension == 3 ? count : 0});
    }
};

/// The factor sqrt(2 D/dt), computed anew only when D changes: a species with one D costs no roots.
class Amplitude {
  public:
    explicit Amplitude(double dt) : two_over_dt_(2 / dt) {}
    double operator()(double diffusion) {
        if (diffusion != diffusion_) {
            diffusion_ = diffusion;
            amplitude_ = std::sqrt(two_over_dt_ * diffusion);
        }
        return amplitude_;
    }

  private:
    double two_over_dt_;
    double diffusion_ = 0, amplitude_ = 0;
};

}  // namespace

void drive_brownian(Particles& particles, int dimension, double dt, std::uint64_t seed, std::uint64_t step,
                    Stream stream) {
    if (step >= max_random_step)
        throw RunError("the run has used up its 2^48 random steps; start another with a new seed");
    RICOCHET_CHECK_GT(dt, 0);
    const RandomKey key{.seed = seed, .stream = stream, .step = step};
    Batch batch;
    Amplitude amplitude(dt);
    for (std::size_t first = 0; first < particles.size(); first += batch_size) {
        const std::size_t count = std::min(batch_size, particles.size() - first);
        const std::span<Motion> motion(&particles.motion[first], count);
        batch.fill(motion, dimension, key);
        for (std::size_t k = 0; k < count; ++k) {
            const Attributes& of = particles.attributes[first + k];
            motion[k].velocity = amplitude(of.diffusion) * Vec3{batch.x[k], batch.y[k], batch.z[k]};
            if (of.frozen_axes != 0) motion[k].velocity = without_axes(motion[k].velocity, of.frozen_axes);
        }
    }
}

}  // namespace ricochet
