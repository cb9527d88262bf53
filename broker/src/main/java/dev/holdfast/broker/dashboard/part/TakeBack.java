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
                        "claim_generation",
                        generation));
    }
}
