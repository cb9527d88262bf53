package dev.holdfast.broker.verb;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.BusyException;
import dev.holdfast.store.UnstorableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns exceptions into refusals that can be sent as answers. The only place that does. */
public final class Refusals {
    private static final Shape<RefusalBody> BODY = Shapes.withoutBounds().result(RefusalBody.class);

    private Refusals() {}

    /** The fields of a refusal. */
    public static List<Property> properties() {
        return BODY.properties();
    }

    /** The refusal that an exception means; empty when it is a fault. */
    public static Optional<Answer> of(Throwable thrown) {
        return switch (thrown) {
            case InvalidException invalid -> Optional.of(invalid(invalid));
            case UnstorableException unstorable -> Optional.of(invalid(unstorable));
            case RefusedException refused ->
                Optional.of(Answer.refused(refused.code(), BODY.write(RefusalBody.of(refused))));
            case BusyException busy -> Optional.of(Answer.refused(RefusalCode.BUSY, String.valueOf(busy.getMessage())));
            default -> Optional.empty();
        };
    }

    private static Answer invalid(RuntimeException said) {
        return Answer.refused(RefusalCode.INVALID, String.valueOf(said.getMessage()))
                .asBroken();
    }

    static Map<String, @Nullable Object> body(RefusalCode code, String text, @Nullable String id) {
        return BODY.write(RefusalBody.of(code, text, id));
    }
}
