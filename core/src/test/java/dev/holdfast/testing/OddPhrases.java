package dev.holdfast.testing;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Phrases that were in our texts and made native-speaking engineers stumble. Tests look for them in pages, help,
 * descriptions, refusals and log lines; "dependency cycle", "fix that", "again", "regardless of" read better.
 */
public final class OddPhrases {
    public static final Pattern PATTERN = Pattern.compile(
            "\\b("
                    + String.join(
                            "|",
                            List.of(
                                    "anew",
                                    "for ever",
                                    "so many",
                                    "after so long",
                                    "no such thing",
                                    "took back",
                                    "in a circle",
                                    "not said why",
                                    "put (?:it |that |this )?right",
                                    "mended",
                                    "small letters",
                                    "left lying",
                                    "only to be known",
                                    "to be begun",
                                    "(?:is|are|was|were) told(?! to)",
                                    "told (?:so|of)",
                                    "tells? (?:which|of)",
                                    "does not tell",
                                    "whoever",
                                    "everybody",
                                    "need not",
                                    "or the like",
                                    "what came of",
                                    "is to be done",
                                    "is owed",
                                    "for want of",
                                    "of one's own",
                                    "of which nobody",
                                    "stands (?:here|in between)",
                                    "stay so",
                                    "hands? (?:it )?in",
                                    "good for",
                                    "put off",
                                    "(?:go|goes|going|gone) on (?:with|at|from|to|where|by)",
                                    "nearest is",
                                    "called wrongly",
                                    "read on their way",
                                    "so that (?:nothing|none|trusting)",
                                    "(?<!there )is no (?:range|JSON|git|repository|claim|diff)",
                                    "(?:this|that|the) very (?:same|content|file|claim|place|ref|token)",
                                    "brings? along",
                                    "brought along",
                                    "holds? \\w+ against",
                                    "held against",
                                    "who (?:waits|has lost|gets nothing|is not known)"))
                    + ")\\b",
            Pattern.CASE_INSENSITIVE);

    private OddPhrases() {}
}
