package dev.holdfast.broker.mcp;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a resource: {@code review://{id}} or {@code review://{id}/rounds/{n}}, optionally followed by
 * {@code ?reviewer_id=} to say who reads it.
 *
 * @param round null: the whole review
 * @param reviewer null: not given
 */
record ReviewUri(String id, @Nullable Long round, @Nullable String reviewer) {
    static final String REVIEW = "review://{id}";
    static final String ROUND = "review://{id}/rounds/{n}";

    private static final Pattern FORM =
            Pattern.compile("review://([^/?#]+)(?:/rounds/([1-9][0-9]{0,8}))?(?:\\?reviewer_id=([^&?#]+))?");

    static ReviewUri of(String id) {
        return new ReviewUri(id, null, null);
    }

    /** Empty when it has another form. */
    static Optional<ReviewUri> read(String uri) {
        Matcher form = FORM.matcher(uri);
        if (!form.matches()) {
            return Optional.empty();
        }
        try {
            String reviewer = form.group(3);
            return Optional.of(new ReviewUri(
                    decoded(form.group(1)),
                    form.group(2) == null ? null : Long.valueOf(form.group(2)),
                    reviewer == null ? null : decoded(reviewer)));
        } catch (IllegalArgumentException _) {
            return Optional.empty(); // an invalid percent escape
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        String review =
                "review://" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        return round == null ? review : review + "/rounds/" + round;
    }
}
