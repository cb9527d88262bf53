/** Repositories: each has one key, by which its reviews, work and reservations are known. */
@NullMarked
package dev.holdfast.repository;

import org.jspecify.annotations.NullMarked;
