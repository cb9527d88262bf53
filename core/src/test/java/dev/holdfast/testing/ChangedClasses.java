package dev.holdfast.testing;

import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Loads the product and its tests a second time, with some classes replaced, next to those that run. Libraries are
 * shared.
 */
final class ChangedClasses extends URLClassLoader {
    private static final long LONGEST_MINUTES = 3;
    private static final Set<String> SHARED = Set.of(Checker.class.getName(), TestSqlite.class.getName());

    private ChangedClasses(URL[] classes) {
        super(classes, ChangedClasses.class.getClassLoader());
    }

    /**
     * What this checker objects to when it runs with these classes.
     *
     * @param changed a folder with the replaced classes
     */
    static Optional<String> objection(Path changed, Class<? extends Checker> checker, List<String> arguments)
            throws Exception {
        try (ChangedClasses classes = before(changed)) {
            Checker again = (Checker) classes.loadClass(checker.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            FutureTask<Optional<String>> run = new FutureTask<>(() -> again.objection(arguments));
            Thread thread = new Thread(run, checker.getSimpleName());
            thread.setDaemon(true);
            thread.setContextClassLoader(classes);
            thread.start();
            return run.get(LONGEST_MINUTES, TimeUnit.MINUTES);
        }
    }

    private static ChangedClasses before(Path changed) {
        Stream<Path> ours = Stream.of(TestClassPath.entries()).map(Path::of).filter(Files::isDirectory);
        return new ChangedClasses(
                Stream.concat(Stream.of(changed), ours).map(ChangedClasses::url).toArray(URL[]::new));
    }

    private static URL url(Path folder) {
        try {
            return folder.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The resources are the same; the parent's are enough. */
    @Override
    public Enumeration<URL> findResources(String name) {
        return Collections.emptyEnumeration();
    }

    /**
     * Our classes are loaded here, except the type that the caller casts to and the empty store, whose tables are
     * created once for all.
     */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("dev.holdfast.") || SHARED.contains(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }
    }
}
