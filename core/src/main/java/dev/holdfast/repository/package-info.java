/** Repositories: each has one key, which its reviews, work and reservations use. */
@NullMarked
package dev.holdfast.repository;

import org.jspecify.annotations.NullMarked;
