package dev.holdfast.broker.race;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the processors of a race were told, as they printed it.
 *
 * @param other lines that are none of these: a processor said something that it should not
 */
record RaceLog(List<Claim> claims, List<Finish> finishes, List<String> steps, List<String> other) {
    /** @param due it had been told, for the step that it had completed just before, that all are complete */
    record Claim(String taskId, String processor, boolean due, boolean eager, long micros, boolean claimed) {}

    /** @param seen how many steps had succeeded when it looked, before it asked */
    record Finish(String taskId, String processor, long generation, long seen, boolean finished, String message) {}

    static RaceLog of(Stream<String> lines) {
        List<String[]> all = lines.map(line -> line.split("\t", -1)).toList();
        return new RaceLog(
                all.stream()
                        .filter(words -> words[0].equals("claim") && words.length == 8)
                        .map(words -> new Claim(
                                words[1],
                                words[2],
                                Boolean.parseBoolean(words[3]),
                                Boolean.parseBoolean(words[4]),
                                Long.parseLong(words[5]),
                                Boolean.parseBoolean(words[6])))
                        .toList(),
                all.stream()
                        .filter(words -> words[0].equals("finish") && words.length == 8)
                        .map(words -> new Finish(
                                words[1],
                                words[2],
                                Long.parseLong(words[3]),
                                Long.parseLong(words[5]),
                                Boolean.parseBoolean(words[6]),
                                words[7]))
                        .toList(),
                all.stream()
                        .filter(words -> words[0].equals("step") && words.length == 3 && words[2].equals("succeeded"))
                        .map(words -> words[1])
                        .toList(),
                all.stream()
                        .filter(words ->
                                !List.of("claim", "finish", "step", "offered").contains(words[0]))
                        .map(words -> String.join(" ", words))
                        .toList());
    }

    /**
     * Which part of those who had completed the last step of a task got its claim at their first attempt.
     *
     * @param lastHolders who that was, by task
     * @param eager only of those who try after every step, or only of the others
     */
    double firstAttempts(Map<String, String> lastHolders, boolean eager) {
        return claims.stream()
                .filter(claim -> claim.due
                        && claim.eager == eager
                        && claim.processor.startsWith(lastHolders.get(claim.taskId) + "#"))
                .mapToInt(claim -> claim.claimed ? 1 : 0)
                .average()
                .orElse(1);
    }

    /** Milliseconds that so large a part of the claims did not exceed, answer included. */
    double claimMillis(double part) {
        long[] sorted = claims.stream().mapToLong(Claim::micros).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * part)] / 1_000.0;
    }
}
