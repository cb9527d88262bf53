/** Graphs, laid out in layers by what comes before what. */
@NullMarked
package dev.holdfast.broker.dashboard.graph;

import org.jspecify.annotations.NullMarked;
