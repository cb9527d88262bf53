package dev.holdfast.broker.dashboard;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.dashboard.page.Person;
import dev.holdfast.claim.RefusedException;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** Who is at the browser, provided that the name it keeps is theirs to use. */
record People(Callers callers, Origins origins) {
    /**
     * Null: no name was given, or it belongs to a token or a pool reviewer and the request does not prove that it is
     * theirs.
     */
    @Nullable
    Person of(Context request) {
        Person person = Person.of(request);
        if (person == null) {
            return null;
        }
        try {
            check(person, request);
            return person;
        } catch (RefusedException _) {
            return null;
        }
    }

    /** @throws RefusedException when the name is somebody else's, saying whose */
    void check(Person person, Context request) {
        callers.reader(person.name(), origins.of(request).authorization());
    }

    /** The process that really calls: an agent can drive a browser, or act like one. */
    Caller caller(Context request) {
        return callers.caller(origins.of(request));
    }
}
