package dev.holdfast.broker.pool.engine;

import dev.holdfast.review.record.Project;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reviewers' prompt: a text with placeholders. {@code {reviewer_id}} is required; {@code {display_name}}, {@code
 * {project_scope}}, {@code {server}}, {@code {workspace}} and {@code {claim_generation_note}} are optional.
 */
public final class Prompt {
    private static final Set<String> KNOWN =
            Set.of("reviewer_id", "display_name", "project_scope", "server", "workspace", "claim_generation_note");

    private static final int LONGEST = 100_000;

    private final String template;

    private Prompt(String where, String template) {
        Placeholders.refuseUnknown(where, template, KNOWN);
        if (Placeholders.in(template).noneMatch("reviewer_id"::equals)) {
            throw new UnusableLaunchException(
                    where + ": {reviewer_id} is missing, so a reviewer would not know its own name");
        }
        this.template = template;
    }

    /** The built-in prompt. */
    public static Prompt builtIn() {
        try (InputStream in = Objects.requireNonNull(Prompt.class.getResourceAsStream("prompt.md"))) {
            return new Prompt("prompt", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws UnusableLaunchException when the file cannot be used; the message says why */
    public static Prompt read(Path file) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new UnusableLaunchException(file + ": is longer than " + LONGEST + " bytes");
            }
            return new Prompt(file.toString(), Files.readString(file));
        } catch (NoSuchFileException _) {
            throw new UnusableLaunchException(file + ": no such file");
        } catch (CharacterCodingException _) {
            throw new UnusableLaunchException(file + ": is not UTF-8 text");
        } catch (IOException e) {
            throw new UnusableLaunchException(file + ": cannot be read: " + e.getMessage());
        }
    }

    /**
     * The prompt of one reviewer.
     *
     * @param project the only project it reviews, in any spelling; null: any
     * @param workspace the folder as the reviewer sees it
     */
    public String of(String reviewer, String displayName, @Nullable String project, String workspace) {
        String scope = scope(project);
        String text = Placeholders.fill(
                template,
                Map.of(
                        "reviewer_id", reviewer,
                        "display_name", displayName,
                        "project_scope", scope,
                        "server", ReviewerTools.SERVER,
                        "workspace", workspace,
                        "claim_generation_note",
                                "Keep the claim_generation of the answer: submit_verdict and release_review need it."));
        boolean named = Placeholders.in(template).anyMatch("project_scope"::equals);
        return named || project == null ? text : text + "\n" + scope + "\n";
    }

    /** The tools that the prompt names but reviewers do not get. */
    public Set<String> missingTools() {
        return ReviewerTools.missing(of("", "", null, ""));
    }

    /** Names the project by its key, which has only letters and digits, so that no caller's text gets into a prompt. */
    private static String scope(@Nullable String project) {
        return project == null
                ? "You review what claim_next_review gives you."
                : "You review only for project \"" + Project.key(project) + "\": give project \"" + Project.key(project)
                        + "\" to every claim_next_review.";
    }
}
