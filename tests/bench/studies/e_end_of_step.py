#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is lost by looking for overlaps at the end of a step only, against the length of the step.

Steps of 0.02 to 5 mean free times, volume fractions 0.01, 0.1 and 0.3. end_of_step.cpp says what is measured.
"""
import json

import studies


def main():
    chosen = studies.options(__doc__, contacts=40000)
    steps = [0.5] if chosen.quick else [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]
    contacts = 500 if chosen.quick else chosen.contacts
    rows = [json.loads(studies.run_program([chosen.build / "tests/end_of_step", f"fraction={fraction}",
                                            f"step={step}", f"contacts={contacts}"]))
            for fraction in (0.01, 0.1, 0.3) for step in steps]
    studies.write_csv(chosen.output / "e_end_of_step.csv", rows)
    panels = {title: {f"fraction {fraction}": [(row["step"], row[name]) for row in rows
                                               if row["fraction"] == fraction]
                      for fraction in (0.01, 0.1, 0.3)}
              for title, name in (("contacts of an exact run that are found", "found"),
                                  ("rate by itself over the exact one", "rate"))}
    studies.plot(chosen.output / "e_end_of_step.png", panels, "step in mean free times", "share")


if __name__ == "__main__":
    main()
