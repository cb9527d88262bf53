package dev.holdfast.broker.dashboard.part;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The values for the dialog that takes a claim from its holder. */
public final class TakeBack {
    private TakeBack() {}

    /** For {@code data-fill}. */
    public static String fill(String resource, String holder, long generation) {
        return JsonMapper.shared()
                .writeValueAsString(Map.of(
                        "resource",
                        resource,
                        "holder",
                        holder,
                        "who",
                        new Actor(holder).shown(),
                        "what",
                        named(resource),
                        "claim_generation",
                        generation));
    }

    /** As people call it: a work item by its id, a step by its key. */
    private static String named(String resource) {
        String kind = resource.substring(0, resource.indexOf(':'));
        String id = resource.substring(kind.length() + 1);
        return switch (kind) {
            case "work" -> id;
            case "review" -> "review " + ReviewTitle.shortId(id);
            case "step" -> "step " + id.substring(id.lastIndexOf('.') + 1);
            default -> resource;
        };
    }
}
