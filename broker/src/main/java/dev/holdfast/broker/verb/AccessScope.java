package dev.holdfast.broker.verb;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.util.function.Predicate;

/**
 * How far a caller reaches, for verbs whose arguments do not show what they will touch or tell.
 *
 * @param everything whether there is nothing that it may not see
 * @param sees whether a resource exists for it
 * @param mayName whether it may let somebody of this name hold something
 * @param covers whether the project with this key exists for it
 * @param readOnly whether it may change nothing, so that not even the repository it calls from is recorded
 */
public record AccessScope(
        boolean everything,
        Predicate<Resource> sees,
        Predicate<String> mayName,
        Predicate<String> covers,
        boolean readOnly) {
    static final AccessScope UNLIMITED = new AccessScope(true, _ -> true, _ -> true, _ -> true, false);

    /** For a caller that may change nothing, but see everything. */
    public static final AccessScope READER = new AccessScope(true, _ -> true, _ -> false, _ -> true, true);

    /** Whether it may make the repository with this key known. */
    public boolean reports(String repository) {
        return !readOnly && covers.test(repository);
    }

    /** Whether this work item exists for the caller. */
    public boolean seesWork(String id) {
        try {
            return everything || sees.test(new Resource(Kind.WORK, id));
        } catch (InvalidException _) {
            return false; // not the id of anything
        }
    }
}
