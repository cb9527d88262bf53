package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** Nanoseconds since the machine was started, the time that it has slept included. Only Linux has it. */
record BootTime(Path file, LongSupplier nanoTime) implements LongSupplier {
    static BootTime ofThisMachine() {
        return new BootTime(Path.of("/proc/uptime"), System::nanoTime);
    }

    /** Where it is unknown: the time without any sleep. */
    @Override
    public long getAsLong() {
        try {
            String text = Files.readString(file);
            return (long) (Double.parseDouble(text.substring(0, text.indexOf(' '))) * 1e9);
        } catch (IOException | RuntimeException _) {
            return nanoTime.getAsLong();
        }
    }
}
