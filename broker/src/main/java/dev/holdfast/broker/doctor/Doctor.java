package dev.holdfast.broker.doctor;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.doctor.CheckResult.Level;
import dev.holdfast.terminal.Columns;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** {@code holdfast doctor}: checks everything that could be wrong, changes nothing, and says what to do. */
public final class Doctor {
    private static final int WELL = 0;
    private static final int PROBLEMS = 1;
    private static final int WARNINGS = 3;

    private Doctor() {}

    /**
     * Checks a broker with these settings.
     *
     * @param settings the file in which to change a setting
     * @param exposed warnings about settings files with secrets that others can read
     */
    public static List<CheckResult> look(
            Config config, Path settings, List<String> exposed, Map<String, String> environment, InstantSource clock) {
        List<CheckResult> findings = new ArrayList<>(new StoreChecks(config, clock).look());
        findings.addAll(new MachineChecks(config, settings, exposed, environment, clock).look());
        return findings;
    }

    /** 0: nothing is wrong; 1: there are problems; 3: there are warnings but no problems. */
    public static int exitCode(List<CheckResult> findings) {
        boolean warnings = findings.stream().anyMatch(finding -> finding.level() == Level.WARNING);
        return findings.stream().anyMatch(finding -> finding.level() == Level.PROBLEM)
                ? PROBLEMS
                : warnings ? WARNINGS : WELL;
    }

    /**
     * Prints each result on one line, with the advice on a second one.
     *
     * @param columns the terminal's width; 0: no limit, as for a pipe
     */
    public static void print(List<CheckResult> findings, int columns, PrintStream out) {
        int widest =
                findings.stream().mapToInt(one -> one.about().length()).max().orElse(0);
        for (CheckResult finding : findings) {
            String head =
                    padded(finding.level().toString(), Level.PROBLEM.toString().length()) + "  "
                            + padded(finding.about(), widest) + "  ";
            Columns.hanging(head, finding.text(), columns).forEach(out::println);
            if (!finding.advice().isEmpty()) {
                Columns.hanging(" ".repeat(head.length()) + "-> ", finding.advice(), columns)
                        .forEach(out::println);
            }
        }
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    public static String json(List<CheckResult> findings) {
        List<Map<String, String>> all = new ArrayList<>();
        for (CheckResult finding : findings) {
            Map<String, String> one = new LinkedHashMap<>();
            one.put("level", finding.level().toString());
            one.put("about", finding.about());
            one.put("text", finding.text());
            if (!finding.advice().isEmpty()) {
                one.put("advice", finding.advice());
            }
            all.add(one);
        }
        return JsonMapper.shared().writeValueAsString(Map.of("findings", all));
    }
}
