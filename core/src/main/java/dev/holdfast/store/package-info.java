/** The database underneath: transactions, the combined write path, clocks and migrations, for SQLite and PostgreSQL. */
@NullMarked
package dev.holdfast.store;

import org.jspecify.annotations.NullMarked;
