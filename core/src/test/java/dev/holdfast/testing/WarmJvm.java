package dev.holdfast.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Starts one of our programs as its launcher does: from jars, with its classes in an AOT cache. Tests that start
 * hundreds of processes take a third of the time.
 *
 * <p>The cache is created once per class path by a training run, whose first line of output says that it has done
 * enough.
 */
public final class WarmJvm {
    private static final Map<String, List<String>> KNOWN = new ConcurrentHashMap<>();
    private static final List<String> OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=5", // most are over before compiling pays
            "-XX:-UsePerfData",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));

    private WarmJvm() {}

    /**
     * The command that starts programs like the trained one, up to the name of a main class.
     *
     * @param main the class for the training run
     * @param training its arguments; called only if there is no cache yet
     */
    public static List<String> of(String main, Supplier<List<String>> training) {
        return KNOWN.computeIfAbsent(main, name -> {
            try {
                return warm(name, training);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        });
    }

    private static List<String> warm(String main, Supplier<List<String>> training)
            throws IOException, InterruptedException {
        Path home = Files.createDirectories(Path.of("target", "warm").toAbsolutePath());
        // Surefire's forks share the folder.
        try (FileChannel lock =
                        FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = lock.lock()) {
            List<String> classPath = new ArrayList<>();
            for (String entry : TestClassPath.entries()) {
                Path path = Path.of(entry);
                classPath.add(Files.isDirectory(path) ? packed(path, home).toString() : entry);
            }
            String joined = String.join(System.getProperty("path.separator"), classPath);
            Path cache = home.resolve(main + "-" + HexFormat.of().toHexDigits(joined.hashCode()) + ".aot");
            if (!Files.exists(cache)) {
                train(main, training.get(), joined, cache);
            }
            List<String> words = new ArrayList<>(java());
            words.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off", "-Xlog:cds*=off", "-cp", joined));
            return List.copyOf(words);
        }
    }

    private static List<String> java() {
        List<String> words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(OPTIONS);
        return words;
    }

    private static void train(String main, List<String> training, String classPath, Path cache)
            throws IOException, InterruptedException {
        Path unfinished = Path.of(cache + ".new");
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of("-XX:AOTCacheOutput=" + unfinished, "-cp", classPath, main));
        command.addAll(training);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        process.inputReader().readLine();
        // Not Process.destroy, which closes the streams as well.
        process.toHandle().destroy();
        process.getInputStream().transferTo(OutputStream.nullOutputStream());
        if (!process.waitFor(60, TimeUnit.SECONDS) || !Files.exists(unfinished)) {
            process.destroyForcibly();
            throw new IOException("no AOT cache came of " + String.join(" ", command));
        }
        Files.move(unfinished, cache, StandardCopyOption.ATOMIC_MOVE);
    }

    /** A jar of these classes, named after their state. */
    private static Path packed(Path classes, Path home) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(classes)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        long state = files.size();
        for (Path file : files) {
            state = 31 * state
                    + file.hashCode()
                    + Files.getLastModifiedTime(file).toMillis()
                    + Files.size(file);
        }
        Path jar = home.resolve(classes.getFileName() + "-" + HexFormat.of().toHexDigits(state) + ".jar");
        if (!Files.exists(jar)) {
            Path unfinished = Path.of(jar + ".new");
            try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(unfinished))) {
                out.setLevel(1);
                for (Path folder : folders(files, classes)) { // migrations are looked up by folder
                    out.putNextEntry(new ZipEntry(folder.toString().replace('\\', '/') + "/"));
                    out.closeEntry();
                }
                for (Path file : files) {
                    out.putNextEntry(
                            new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
                    Files.copy(file, out);
                    out.closeEntry();
                }
            }
            Files.move(unfinished, jar, StandardCopyOption.ATOMIC_MOVE);
        }
        return jar;
    }

    private static SortedSet<Path> folders(List<Path> files, Path classes) {
        SortedSet<Path> folders = new TreeSet<>();
        for (Path file : files) {
            for (Path folder = classes.relativize(file).getParent(); folder != null; folder = folder.getParent()) {
                folders.add(folder);
            }
        }
        return folders;
    }
}
