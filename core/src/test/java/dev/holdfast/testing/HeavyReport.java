package dev.holdfast.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Records the results of the heavy tests in docs/heavy.md. The launcher runs it after {@code ./holdfast test -Pheavy},
 * as a single source file. Running only some tests leaves the rows of the others unchanged, and so does skipping one. A
 * "not run" row, which HeavyRowsTest adds for a new test, is replaced once there is a result.
 *
 * <p>{@code HeavyReport PAGE WHEN SUREFIRE_XML...}
 */
public final class HeavyReport {
    private static final String BEGIN = "<!-- heavy: generated -->\n";
    private static final String END = "<!-- end of heavy -->";
    private static final String HEAD = "| test | result | seconds | when |\n| --- | --- | --- | --- |\n";
    private static final String SKIPPED = "skipped";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`.*?`) \\| (\\S.*)$");

    private HeavyReport() {}

    public static void main(String[] arguments) throws Exception {
        Path page = Path.of(arguments[0]);
        String text = Files.readString(page);
        int from = text.indexOf(BEGIN);
        int to = text.indexOf(END);
        if (from < 0 || to < 0) {
            throw new IOException(page + " has no lines " + BEGIN.strip() + " and " + END);
        }
        Map<String, String> rows = rows(text.substring(from, to));
        for (String report : List.of(arguments).subList(2, arguments.length)) {
            read(Path.of(report), arguments[1], rows);
        }
        StringBuilder table = new StringBuilder(HEAD);
        rows.forEach((test, rest) ->
                table.append("| ").append(test).append(" | ").append(rest).append('\n'));
        Files.writeString(page, text.substring(0, from) + BEGIN + "\n" + table + "\n" + text.substring(to));
    }

    private static Map<String, String> rows(String table) {
        Map<String, String> rows = new TreeMap<>();
        Matcher row = ROW.matcher(table);
        while (row.find()) {
            rows.put(row.group(1), row.group(2));
        }
        return rows;
    }

    private static void read(Path report, String when, Map<String, String> rows) throws Exception {
        NodeList cases = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element one = (Element) cases.item(i);
            String type = one.getAttribute("classname");
            String name = type.substring(type.lastIndexOf('.') + 1) + "#"
                    + one.getAttribute("name").replace(' ', '_'); // jqwik writes blanks
            String row = "`" + name.replace("|", "/").replace("`", "'") + "`";
            String result = result(one);
            if (result.equals(SKIPPED) && rows.containsKey(row)) {
                continue; // what it needs is missing here; the last result still says more
            }
            rows.computeIfPresent(
                    "`" + name.replaceFirst("[^\\w#].*", "") + "`",
                    (_, rest) -> rest.startsWith("not run") ? null : rest);
            String seconds = one.getAttribute("time").replace(",", "").replaceFirst("\\..*", "");
            rows.put(row, result + " | " + seconds + " | " + when + " |");
        }
    }

    private static String result(Element one) {
        for (Node child = one.getFirstChild(); child != null; child = child.getNextSibling()) {
            switch (child.getNodeName()) {
                case "failure", "error" -> {
                    return "**failed**";
                }
                case "skipped" -> {
                    return SKIPPED;
                }
                default -> {
                    // the test's output
                }
            }
        }
        return "passed";
    }
}
