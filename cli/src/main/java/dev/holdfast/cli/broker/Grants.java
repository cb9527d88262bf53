package dev.holdfast.cli.broker;

import dev.holdfast.cli.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the generations of claims granted to commands on this machine, so that users need not type them. They are
 * stored by broker and holder, readable only by this user. If one is missing or wrong, the user has to type the
 * generation.
 *
 * <p>A change is a line at the end of a file, {@code 3 key:deploy}, or {@code - key:deploy} for a claim that is gone. So commands
 * that run at the same time lose nothing of one another's, and nothing waits for a disk. Now and then the file is rewritten
 * with what still counts.
 */
public final class Grants {
    /** Which argument names the resource, and its kind; an empty kind: the argument includes it. */
    private record Named(String argument, String kind) {}

    private static final String STEP = "step:";

    private static final Map<String, Named> SHOWN = Map.of(
            "release", new Named("resource", ""),
            "heartbeat", new Named("resource", ""),
            "close_work", new Named("id", "work:"),
            "update_work", new Named("id", "work:"),
            "complete_step", new Named("step_id", STEP),
            "fail_step", new Named("step_id", STEP));

    private static final Set<String> ENDS = Set.of("release", "close_work", "complete_step", "fail_step");
    /** Refusals that mean the claim is gone. */
    private static final Set<String> GONE = Set.of("lost", "stale", "not_held", "wrong_holder", "not_found");

    private static final int SHORTEST = 4;
    private static final String FORGOTTEN = "-";
    /** How many lines that no longer count a file may have. */
    private static final int MOST_IDLE = 200;

    private final Path folder;
    private final String broker;

    /** @param broker its address */
    public Grants(Path state, String broker) {
        folder = state.resolve("grants");
        this.broker = broker;
    }

    /** The call's arguments, with a missing generation filled in if known. */
    Map<String, ?> shown(String verb, Map<String, ?> input) {
        Named named = SHOWN.get(verb);
        if (named == null || input.get("claim_generation") != null) {
            return input;
        }
        Long generation = generation(input.get("holder"), resource(named, input));
        if (generation == null) {
            return input;
        }
        Map<String, @Nullable Object> filled = new LinkedHashMap<>(input);
        filled.put("claim_generation", generation);
        return filled;
    }

    /** The generation of a claim that was granted on this machine; null: unknown. */
    public @Nullable Long generation(@Nullable Object holder, @Nullable String resource) {
        if (holder == null || resource == null) {
            return null;
        }
        Map<String, Long> grants = Kept.in(file(holder.toString())).grants;
        return grants.get(whole(grants, resource));
    }

    /** Expands an abbreviated id; in a step's id, the task's id is what may be abbreviated. */
    private static String whole(Map<String, Long> grants, String resource) {
        boolean enough = resource.length() - resource.indexOf(':') > SHORTEST;
        List<String> meant = grants.containsKey(resource) || !enough
                ? List.of()
                : grants.keySet().stream()
                        .filter(each -> each.startsWith(resource) || isStepOf(each, resource))
                        .toList();
        return meant.size() == 1 ? meant.getFirst() : resource;
    }

    private static boolean isStepOf(String whole, String resource) {
        int key = resource.indexOf('.');
        return resource.startsWith(STEP)
                && key >= STEP.length() + SHORTEST
                && whole.startsWith(resource.substring(0, key))
                && whole.indexOf('.') >= 0
                && whole.substring(whole.indexOf('.')).equals(resource.substring(key));
    }

    /** Learns from an answer. */
    void heard(String verb, Map<String, ?> input, boolean accepted, JsonObject answer) {
        Named named = SHOWN.get(verb);
        String resource = named == null ? null : resource(named, input);
        String code = answer.text("code");
        boolean ended =
                accepted ? ENDS.contains(verb) : code != null && GONE.contains(code) && isOfKept(resource, input);
        if (resource != null && ended) {
            change(String.valueOf(input.get("holder")), resource, null);
        }
        if (accepted && (verb.startsWith("claim") || verb.startsWith("reserve") || ENDS.contains(verb))) {
            JsonObject next = answer.object("next");
            for (JsonObject grant : List.of(answer, answer.object("claim"), next, next.object("claim"))) {
                keep(grant);
            }
        }
    }

    /** Whether a call used the stored generation: a refusal of a mistyped one says nothing about the stored one. */
    private boolean isOfKept(@Nullable String resource, Map<String, ?> input) {
        Long kept = generation(input.get("holder"), resource);
        return kept != null && input.get("claim_generation") instanceof Number shown && shown.longValue() == kept;
    }

    private void keep(JsonObject grant) {
        String step = grant.object("step").text("step_id");
        String resource = step == null ? grant.text("resource") : STEP + step;
        String holder = grant.text("holder");
        Number generation = grant.number("claim_generation");
        if (resource != null && holder != null && generation != null) {
            change(holder, resource, generation.longValue());
        }
    }

    private static @Nullable String resource(Named named, Map<String, ?> input) {
        Object id = input.get(named.argument);
        return id == null ? null : named.kind + id;
    }

    private Path file(String holder) {
        return folder.resolve(Hash.of(broker + "\n" + holder));
    }

    /** What a file says in the end, and how many lines it took to say it. */
    private record Kept(Map<String, Long> grants, int lines) {
        static Kept in(Path file) {
            Map<String, Long> grants = new LinkedHashMap<>();
            List<String> lines = lines(file);
            for (String line : lines) {
                int space = line.indexOf(' ');
                String resource = line.substring(space + 1);
                try {
                    if (line.startsWith(FORGOTTEN)) {
                        grants.remove(resource);
                    } else {
                        grants.put(resource, Long.valueOf(line.substring(0, Math.max(0, space))));
                    }
                } catch (NumberFormatException _) {
                    // damaged; the others still count
                }
            }
            return new Kept(grants, lines.size());
        }

        private static List<String> lines(Path file) {
            try {
                return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n"));
            } catch (IOException none) {
                return List.of();
            }
        }
    }

    private void change(String holder, String named, @Nullable Long generation) {
        Path file = file(holder);
        Kept kept = Kept.in(file);
        String resource = generation == null ? whole(kept.grants, named) : named;
        if (resource.indexOf('\n') >= 0 || Objects.equals(kept.grants.get(resource), generation)) {
            return;
        }
        String line = (generation == null ? FORGOTTEN : generation) + " " + resource + "\n";
        try {
            if (kept.lines - kept.grants.size() > MOST_IDLE) {
                rewrite(file, kept.grants);
            }
            PrivateFiles.folder(folder);
            Files.writeString(PrivateFiles.file(file), line, StandardOpenOption.APPEND);
        } catch (IOException e) {
            // the generation has been printed, and can be typed
        }
    }

    private void rewrite(Path file, Map<String, Long> grants) throws IOException {
        StringBuilder text = new StringBuilder();
        grants.forEach(
                (each, number) -> text.append(number).append(' ').append(each).append('\n'));
        Path made = Files.createTempFile(folder, "new", ""); // private from the start
        Files.writeString(made, text);
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
