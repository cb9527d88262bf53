package dev.holdfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes the machine and software that the benchmarks ran on. */
final class Machine {
    private Machine() {}

    static Map<String, String> describe(Lab lab) throws Exception {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processor", procLine("/proc/cpuinfo", "model name"));
        machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        machine.put("memory", procLine("/proc/meminfo", "MemTotal"));
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        machine.put("pgjdbc", org.postgresql.util.DriverInfo.DRIVER_FULL_NAME);
        machine.put("sqlite", org.sqlite.SQLiteJDBCLoader.getVersion());
        if (lab.usedPostgres()) {
            machine.put("postgres", postgres(lab.server()));
            machine.put("raw_load", lab.rawLoad().name());
            machine.put("graphile_worker", Graphile.VERSION);
            machine.put("node", Shell.answer("node", "--version").orElse("not installed"));
        }
        return machine;
    }

    private static String postgres(PostgresServer server) throws SQLException {
        return PostgresServer.value(server.url("postgres"), "SHOW server_version");
    }

    private static String procLine(String file, String name) throws IOException {
        if (!Files.exists(Path.of(file))) {
            return "unknown";
        }
        return Files.readAllLines(Path.of(file)).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }
}
