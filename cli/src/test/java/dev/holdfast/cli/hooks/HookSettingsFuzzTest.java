package dev.holdfast.cli.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.broker.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever stands in a host's settings: our hooks are put in and taken out again and all else stays to the byte, or it is refused
 * and nothing changes. How many inputs, and from which seed: {@code holdfast.fuzz.inputs}, {@code holdfast.fuzz.seed}.
 */
@Tag("fuzz")
class HookSettingsFuzzTest {
    private static final int INPUTS = Integer.getInteger("holdfast.fuzz.inputs", 5_000);
    private static final long SEED = Long.getLong("holdfast.fuzz.seed", 16);
    private static final Duration HANGS = Duration.ofSeconds(Long.getLong("holdfast.fuzz.hangs", 20));
    /** One in so many goes through a file; the others are text only. */
    private static final int ONE_IN_A_FILE = 20;

    private static final String SETTINGS = """
            {
              // mine
              "model": "opus", "permissions": {"allow": ["Bash(git:*)"], "deny": []},
              "hooks": {
                "PreToolUse": [
                  {"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "./check.sh \\"x\\" \\u00e4", "timeout": 5}]},
                  {"hooks": []}
                ],
                "Stop": []
              },
              "disableAllHooks": false, "n": -1.5e10, "nothing": null
            }
            """;

    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u12",
            "//",
            "/*",
            "*/",
            "\n",
            "\r",
            "\u0000",
            "\ufeff",
            "\ud800",
            "null",
            "true",
            "-",
            "1e999999",
            "\"hooks\": {}",
            "\"hooks\": [],",
            "\"PreToolUse\": {},",
            "\"hooks\": null,",
            "[".repeat(20_000),
            "{\"a\":".repeat(20_000),
            "{\"hooks\":[{\"command\":\"sh /x/holdfast-hook.sh claude call\"}]}");

    private final List<String> wrong = new ArrayList<>();
    private int understood;
    private long slowest;

    @Test
    void hook_settings(@TempDir Path folder) throws IOException {
        Random random = new Random(SEED);
        List<Map<String, String>> hosts = Arrays.stream(AgentHost.values())
                .map(host -> host.groups(
                        Path.of("/home/ann/holdfast-hook.sh"),
                        new AgentHost.HookOptions("http://127.0.0.1:8321", true, false, false)))
                .toList();
        long began = System.nanoTime();
        for (int i = 0; i < INPUTS; i++) {
            String text = damaged(random);
            Map<String, String> groups = hosts.get(random.nextInt(hosts.size()));
            long sent = System.nanoTime();
            try {
                if (i % ONE_IN_A_FILE == 0) {
                    throughAFile(folder.resolve("settings.json"), text, groups);
                } else {
                    inAndOut(text, groups);
                }
            } catch (Failure _) {
                // that is what it is for
            } catch (RuntimeException | StackOverflowError e) {
                wrong.add(e + ": " + shown(text));
            }
            slowest = Math.max(slowest, System.nanoTime() - sent);
        }
        long took = System.nanoTime() - began;
        System.out.printf(
                "fuzzing hook settings: %d inputs, seed %d, %d s, %d a second, slowest %d ms, {read=%d, refused=%d}, %d wrong%n",
                INPUTS,
                SEED,
                took / 1_000_000_000,
                INPUTS * 1_000_000_000L / took,
                slowest / 1_000_000,
                understood,
                INPUTS - understood,
                wrong.size());
        assertThat(Duration.ofNanos(slowest)).isLessThan(HANGS);
        assertThat(understood).isGreaterThan(INPUTS / 50);
        assertThat(wrong.stream().limit(20)).isEmpty();
    }

    private static String damaged(Random random) {
        StringBuilder text = new StringBuilder(SETTINGS);
        for (int times = random.nextInt(4); times > 0 && !text.isEmpty(); times--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(6)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(32, 127));
                case 1 -> text.deleteCharAt(at);
                case 2, 3 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 4 -> text.setLength(at);
                default -> text.delete(at, Math.min(text.length(), at + random.nextInt(1, 60)));
            }
        }
        return text.toString();
    }

    private void inAndOut(String text, Map<String, String> groups) {
        SettingsText before = new SettingsText(text).checked();
        SettingsText with = before.with(groups);
        understood++;
        if (!with.checked().ours().keySet().containsAll(groups.keySet())) {
            wrong.add("our hooks are not there: " + shown(with.text()));
        }
        SettingsText without = with.without();
        if (!without.checked().ours().isEmpty()) {
            wrong.add("our hooks are still there: " + shown(without.text()));
        }
    }

    private void throughAFile(Path file, String text, Map<String, String> groups) throws IOException {
        byte[] before = text.getBytes(StandardCharsets.UTF_8);
        Files.write(file, before);
        boolean ours;
        try {
            ours = !new SettingsFile(file).text().ours().isEmpty();
            new SettingsFile(file).install(groups);
        } catch (Failure refused) {
            if (!Arrays.equals(before, Files.readAllBytes(file))) {
                wrong.add("refused, and yet changed: " + shown(text));
            }
            throw refused;
        }
        understood++;
        new SettingsFile(file).uninstall();
        if (!ours && !text.isBlank() && !Arrays.equals(before, Files.readAllBytes(file))) {
            wrong.add("not as it was: " + shown(text) + "\nbut: " + shown(Files.readString(file)));
        }
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.resolveSibling("settings.json.before-holdfast"));
    }

    private static String shown(String text) {
        return text.length() > 1_500 ? text.substring(0, 1_500) + "… (" + text.length() + ")" : text;
    }
}
