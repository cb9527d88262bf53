package dev.holdfast.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A replacement for pgbench, for machines without it. */
final class JdbcLoad implements RawLoad {
    @Override
    public String name() {
        return "pgjdbc";
    }

    @Override
    public Rate run(String url, String statement, int connections, int seconds) throws Exception {
        long start = System.nanoTime();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        List<Future<List<Long>>> runs = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
            Callable<List<Long>> one = () -> times(url, statement, end);
            for (int i = 0; i < connections; i++) {
                runs.add(threads.submit(one));
            }
        }
        List<Long> nanos = new ArrayList<>();
        for (Future<List<Long>> run : runs) {
            nanos.addAll(run.get());
        }
        double[] sorted = nanos.stream().mapToDouble(Long::doubleValue).sorted().toArray();
        return new Rate(sorted.length / (double) seconds, sorted[sorted.length / 2] / 1_000);
    }

    private static List<Long> times(String url, String statement, long end) throws Exception {
        List<Long> nanos = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url + "&prepareThreshold=1");
                PreparedStatement prepared = connection.prepareStatement(statement)) {
            for (long before = System.nanoTime(); before < end; ) {
                prepared.executeQuery().close();
                long after = System.nanoTime();
                nanos.add(after - before);
                before = after;
            }
        }
        return nanos;
    }
}
