package dev.holdfast.broker.mcp;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records the way of a call through Holdfast's classes, from the door to the database: the JVM notes the stack of every
 * statement that the driver runs. Nothing in Holdfast knows of it.
 */
final class WalkRecorder {
    private static final String OURS = "dev.holdfast.";

    /** The package that looks its rows up again once a second: by chance in the call that is recorded, or not. */
    private static final String ONCE_A_SECOND = "token";

    private static final String EVENT = "jdk.MethodTrace";
    private static final String STATEMENTS = "org.sqlite.jdbc3.JDBC3PreparedStatement::execute;"
            + "org.sqlite.jdbc3.JDBC3PreparedStatement::executeQuery;"
            + "org.sqlite.jdbc3.JDBC3PreparedStatement::executeUpdate;"
            + "org.postgresql.jdbc.PgPreparedStatement::execute;"
            + "org.postgresql.jdbc.PgPreparedStatement::executeQuery;"
            + "org.postgresql.jdbc.PgPreparedStatement::executeUpdate;"
            + "org.postgresql.jdbc.PgStatement::executeBatch";

    private static final Pattern LAMBDA = Pattern.compile("lambda\\$(\\w+)\\$\\d+");

    private WalkRecorder() {}

    /** @param type the class's name without its package */
    record Method(String pack, String type, String name) {
        @Override
        public String toString() {
            return type + "." + name;
        }
    }

    /**
     * @param methods those on the way, in the order in which they were entered, each once
     * @param hops how many calls from one class into another led from the door to the statements
     */
    record Walk(List<Method> methods, int hops) {
        long classes() {
            return methods.stream().map(Method::type).distinct().count();
        }
    }

    /** The way of this call, as far as it goes through a class of this name. */
    static Walk walk(String door, Path folder, Runnable call) throws IOException, JMException {
        deepStacks();
        Path file = Files.createTempFile(folder, "walk", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(EVENT).with("filter", STATEMENTS).withStackTrace();
            recording.start();
            call.run();
            recording.stop();
            recording.dump(file);
        }
        Set<Method> methods = new LinkedHashSet<>();
        Set<String> hops = new HashSet<>();
        List<RecordedEvent> statements = new ArrayList<>(RecordingFile.readAllEvents(file));
        statements.sort(Comparator.comparing(RecordedEvent::getStartTime));
        for (RecordedEvent statement : statements) {
            List<Method> stack = stack(statement);
            if (stack.stream().anyMatch(method -> method.type().equals(door))
                    && stack.stream().noneMatch(method -> method.pack().equals(ONCE_A_SECOND))) {
                methods.addAll(stack);
                for (int i = 1; i < stack.size(); i++) {
                    if (!stack.get(i).type().equals(stack.get(i - 1).type())) {
                        hops.add(stack.get(i - 1).type() + " " + stack.get(i).type());
                    }
                }
            }
        }
        return new Walk(List.copyOf(methods), hops.size());
    }

    /** Whole stacks, not their ends: once, before anything is recorded in this process. */
    private static void deepStacks() throws JMException {
        ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "jfrConfigure",
                        new Object[] {new String[] {"stackdepth=1024"}},
                        new String[] {String[].class.getName()});
    }

    private static List<Method> stack(RecordedEvent statement) {
        if (statement.getStackTrace() == null) {
            return List.of();
        }
        List<Method> stack = new ArrayList<>();
        for (RecordedFrame frame : statement.getStackTrace().getFrames().reversed()) {
            RecordedMethod method = frame.getMethod();
            String type = method.getType().getName();
            if (type.startsWith(OURS) && !type.contains("$$Lambda")) {
                Matcher lambda = LAMBDA.matcher(method.getName());
                int end = type.lastIndexOf('.');
                stack.add(new Method(
                        type.substring(OURS.length(), end),
                        type.substring(end + 1).replace('$', '.'),
                        lambda.matches() ? lambda.group(1) : method.getName()));
            }
        }
        return stack;
    }
}
