package dev.holdfast.broker.mcp;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a resource is: {@code review://{id}} or {@code review://{id}/rounds/{n}}.
 *
 * @param round null: the review as a whole
 */
record ReviewAddress(String id, @Nullable Long round) {
    static final String REVIEW = "review://{id}";
    static final String ROUND = "review://{id}/rounds/{n}";

    private static final Pattern FORM = Pattern.compile("review://([^/?#]+)(?:/rounds/([1-9][0-9]{0,8}))?");

    static ReviewAddress of(String id) {
        return new ReviewAddress(id, null);
    }

    /** Empty when it is written otherwise. */
    static Optional<ReviewAddress> read(String uri) {
        Matcher form = FORM.matcher(uri);
        if (!form.matches()) {
            return Optional.empty();
        }
        try {
            String id = URLDecoder.decode(form.group(1).replace("+", "%2B"), StandardCharsets.UTF_8);
            return Optional.of(new ReviewAddress(id, form.group(2) == null ? null : Long.valueOf(form.group(2))));
        } catch (IllegalArgumentException _) {
            return Optional.empty(); // a percent sign that begins nothing
        }
    }

    @Override
    public String toString() {
        String review =
                "review://" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        return round == null ? review : review + "/rounds/" + round;
    }
}
