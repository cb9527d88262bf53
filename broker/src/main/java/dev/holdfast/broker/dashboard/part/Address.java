package dev.holdfast.broker.dashboard.part;

import dev.holdfast.claim.Resource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Where things are shown. Ids are others' text, so they are encoded. */
public final class Address {
    private Address() {}

    public static String review(String id) {
        return "/reviews/" + encoded(id);
    }

    public static String work(String id) {
        return "/work/" + encoded(id);
    }

    public static String task(String id) {
        return "/tasks/" + encoded(id);
    }

    /** The page of a claimed resource, if it has one; a step is shown with its task. */
    public static Optional<String> of(Resource claimed) {
        String id = claimed.id();
        return switch (claimed.kind()) {
            case REVIEW -> Optional.of(review(id));
            case WORK -> Optional.of(work(id));
            case STEP -> Optional.of(task(id.substring(0, Math.max(0, id.lastIndexOf('.')))));
            case FINALIZATION -> Optional.of(task(id));
            case PATH, KEY, RESERVATION, BROKER -> Optional.empty();
        };
    }

    /** Encoded for use in a path or as a query value. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
