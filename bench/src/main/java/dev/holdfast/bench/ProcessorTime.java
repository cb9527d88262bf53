package dev.holdfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;

/**
 * CPU time used so far by this JVM and by the PostgreSQL server it works with. On a busy machine, CPU time per unit of
 * work is steadier than units per second.
 */
record ProcessorTime(double jvmMicros, double postgresMicros) {
    private static final double MICROS_PER_TICK = 10_000; // the kernel reports in hundredths of a second

    /** @param url the database whose server to measure; other stores than PostgreSQL have no server */
    static ProcessorTime now(String url) throws SQLException {
        double jvm =
                ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
        return new ProcessorTime(jvm, url.startsWith("jdbc:postgresql:") ? ofServer(url) : 0);
    }

    private static double ofServer(String url) throws SQLException {
        String postmaster = PostgresServer.value(url, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)");
        return ProcessHandle.of(Long.parseLong(postmaster)).stream()
                .flatMap(ProcessHandle::children)
                .mapToDouble(process -> ticks(Path.of("/proc", Long.toString(process.pid()), "stat")) * MICROS_PER_TICK)
                .sum();
    }

    private static double ticks(Path stat) {
        try {
            String[] fields = Files.readString(stat).replaceFirst("^.*\\) ", "").split(" ");
            return Double.parseDouble(fields[11]) + Double.parseDouble(fields[12]); // utime and stime
        } catch (IOException _) {
            return 0; // it has just ended
        }
    }

    /** Adds the CPU time per unit since then. */
    void tellSince(ProcessorTime start, long units, Map<String, Double> details) {
        details.put("jvm cpu us per unit", (jvmMicros - start.jvmMicros) / units);
        details.put("postgres cpu us per unit", (postgresMicros - start.postgresMicros) / units);
    }
}
