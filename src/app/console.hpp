// SPDX-License-Identifier: BSD-3-Clause
//
// The Monitor of the program: rank 0 prints, the others are silent. A terminal shows one progress line, which
// is rewritten in place. Files get whole lines, every ten seconds at first and every minute later.
#pragma once

#include <string_view>

#include "ricochet/parallel/exchange.hpp"
#include "ricochet/run/monitor.hpp"

namespace ricochet {

class Console final : public Monitor {
  public:
    /// is_root: whether this rank prints. is_verbose: whether details are printed too.
    explicit Console(bool is_root, bool is_verbose = false);
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;
    Console(Console&&) = delete;
    Console& operator=(Console&&) = delete;
    ~Console() override { clear_progress(); }

    void note(const std::string& sentence) override;
    void detail(const std::string& sentence) override;
    void progress(const Progress& now) override;
    /// Prints the progress of the placement before the first step, in the same way.
    void start(const StartProgress& now, double seconds);
    /// To stderr: in a terminal in place, in a file all of the first turn and later lines as of progress.
    void turn(const std::string& sentence, double seconds, bool is_first) override;

    /// Prints text as it is, on the root.
    void print(std::string_view text);

  private:
    void clear_progress();
    void show(const std::string& line, double seconds);

    bool is_root_;
    bool is_verbose_;
    bool is_terminal_;
    bool has_progress_ = false;
    bool has_steps_ = false;  ///< progress() was called
    double next_line_ = 0;    ///< seconds into the run at which the next whole line is due
    Progress previous_;
};

}  // namespace ricochet
