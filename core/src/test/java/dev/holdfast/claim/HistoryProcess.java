package dev.holdfast.claim;

import dev.holdfast.store.PostgresStore;
import dev.holdfast.testing.ChildJvm;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.WarmJvm;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A separate process that works on a shared database and writes its history to a file. */
final class HistoryProcess {
    private HistoryProcess() {}

    /**
     * Starts one that works on this database and writes its history to this file.
     *
     * @param wrapper a program that starts it, such as {@code faketime}
     * @param options for the JVM
     */
    static ChildJvm start(
            List<String> wrapper,
            List<String> options,
            String database,
            String name,
            int threads,
            int calls,
            Path file) {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(WarmJvm.of(HistoryProcess.class.getName(), HistoryProcess::training));
        command.addAll(options);
        command.add(HistoryProcess.class.getName());
        command.addAll(words(database, name, threads, calls, file));
        return ChildJvm.start(command);
    }

    private static List<String> training() {
        return words(TestPostgres.freshDatabase(), "training", 2, 40, Path.of("target", "warm", "history"));
    }

    private static List<String> words(String database, String name, int threads, int calls, Path file) {
        return List.of(database, name, "" + threads, "" + calls, file.toString());
    }

    /** @param args the database, this process's name, the number of threads, the calls of each, the file */
    public static void main(String[] args) throws IOException, SQLException {
        int threads = Integer.parseInt(args[2]);
        int calls = Integer.parseInt(args[3]);
        List<Call> made;
        TestPostgres.connect(args[0]).close(); // without a time limit: it loads the driver, which can be slow here
        try (PostgresStore store = PostgresStore.open(args[0])) {
            made = HistoryWorkload.of(args[1], threads, calls, args[1].hashCode())
                    .run(store);
        }
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(Path.of(args[4])))) {
            out.writeInt(made.size());
            for (Call call : made) {
                out.writeObject(call);
            }
        }
        System.out.println("done");
    }

    static List<Call> read(Path file) throws IOException, ClassNotFoundException {
        List<Call> calls = new ArrayList<>();
        try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
            for (int left = in.readInt(); left > 0; left--) {
                calls.add((Call) in.readObject());
            }
        }
        return calls;
    }
}
