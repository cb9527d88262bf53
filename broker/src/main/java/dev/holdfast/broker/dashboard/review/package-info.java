/** One review: its diff, its findings, what blocks an approval, and what a person does about it. */
@NullMarked
package dev.holdfast.broker.dashboard.review;

import org.jspecify.annotations.NullMarked;
