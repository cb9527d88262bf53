@NullMarked
package dev.holdfast.cli.http;

import org.jspecify.annotations.NullMarked;
