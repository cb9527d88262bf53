/** The parts of every page: the request, the sources that it reads from, and the sheet that its template shows. */
@NullMarked
package dev.holdfast.broker.dashboard.page;

import org.jspecify.annotations.NullMarked;
