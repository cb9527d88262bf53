/** What a page is made of: the request, what it reads from, and the sheet that its template shows. */
@NullMarked
package dev.holdfast.broker.dashboard.page;

import org.jspecify.annotations.NullMarked;
