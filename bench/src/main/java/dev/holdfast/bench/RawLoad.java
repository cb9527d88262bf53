package dev.holdfast.bench;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Runs one prepared statement repeatedly on several connections: pgbench where installed, otherwise the same in Java.
 */
interface RawLoad {
    /** @param p50Micros the median time of one statement */
    record Rate(double perSecond, double p50Micros) {}

    String name();

    Rate run(String url, String statement, int connections, int seconds) throws Exception;

    static RawLoad on(PostgresServer server, Path folder) {
        Optional<String> installed = Shell.answer("pgbench", "--version");
        return installed.isPresent() ? new Pgbench(server.port(), folder) : new JdbcLoad();
    }
}
