// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of a study (study/study.hpp) as people and programs read them. One table in study_text.cpp names the
// columns of the CSV file, says what they mean, and computes them.
#pragma once

#include <string>

#include "study/study.hpp"

namespace ricochet {

/// What the command does and what the columns of the CSV file mean, for --help.
std::string describe_study();
/// For the terminal: one line per method.
std::string study_table(const StudyResult& study);
/// A line of names, and one line per method. Numbers that are not defined are nan.
std::string study_csv(const StudyResult& study);

}  // namespace ricochet
