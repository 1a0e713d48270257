# SPDX-License-Identifier: BSD-3-Clause
"""Convex bodies with flat faces, from their corners about the centre of mass.

Faces are found among the planes through three corners: those with no corner above them. Corners in
one plane make one face. Quick for the corners that a shape may have (64).
"""
from itertools import combinations

import numpy as np

FLAT = 1e-7  # relative: what is nearer to a plane is in it


def around(points, middle, right, up):
    """The order in which points of a plane go around their middle, from `right` towards `up`."""
    return np.argsort(np.arctan2((points - middle) @ up, (points - middle) @ right), kind="stable")


def outline_of(corners):
    """[corner][2]: those of a polygon, in their order around its centre of mass, which is 0."""
    return corners[around(corners, np.zeros(2), np.array([1.0, 0]), np.array([0, 1.0]))]


def planes_of(corners):
    """(normals out of the body, which corners are in each) of the planes of its faces, each but once."""
    triples = corners[np.array(list(combinations(range(len(corners)), 3)))]
    normals = np.cross(triples[:, 1] - triples[:, 0], triples[:, 2] - triples[:, 0])
    length = np.linalg.norm(normals, axis=1)
    size = np.linalg.norm(corners, axis=1).max()
    heights = (normals * triples[:, 0]).sum(axis=1) / np.maximum(length, FLAT * size**2)
    may_be = (length > FLAT * size**2) & (abs(heights) > FLAT * size)  # 0 is inside, and in no face
    normals = normals[may_be] / (np.sign(heights[may_be]) * length[may_be])[:, None]
    above = corners @ normals.T - abs(heights[may_be])
    is_face = (above < FLAT * size).all(axis=0)
    inside = (abs(above) < FLAT * size)[:, is_face].T
    _, first = np.unique(inside, axis=0, return_index=True)
    return normals[is_face][first], inside[first]


def faces_of(corners):
    """[(normal, [corner][3])] of a body: of each face the corners, to the left around its normal."""
    faces = []
    for normal, inside in zip(*planes_of(corners)):
        points = corners[inside]
        middle = points.mean(axis=0)
        right = (points[0] - middle) / np.linalg.norm(points[0] - middle)
        faces.append((normal, points[around(points, middle, right, np.cross(normal, right))]))
    return faces
