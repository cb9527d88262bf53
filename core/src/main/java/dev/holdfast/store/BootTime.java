package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** Nanoseconds since the machine booted, including time asleep. Only Linux provides it. */
record BootTime(Path file, LongSupplier nanoTime) implements LongSupplier {
    static BootTime ofThisMachine() {
        return new BootTime(Path.of("/proc/uptime"), System::nanoTime);
    }

    /** Falls back to a time that does not include sleep. */
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
