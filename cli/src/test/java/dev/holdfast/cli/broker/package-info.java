@NullMarked
package dev.holdfast.cli.broker;

import org.jspecify.annotations.NullMarked;
