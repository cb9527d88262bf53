package dev.holdfast.broker.auth;

import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;

/**
 * A request without trailing slashes in its path. Clients send them or not and mean the same, so they are removed
 * before anything compares paths: every guard and the router see the same path.
 */
final class NormalizedPath extends Request.Wrapper {
    private final HttpURI plain;

    private NormalizedPath(Request request, HttpURI plain) {
        super(request);
        this.plain = plain;
    }

    static Request of(Request request) {
        HttpURI uri = request.getHttpURI();
        String path = String.valueOf(uri.getPath());
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return end == path.length()
                ? request
                : new NormalizedPath(
                        request,
                        HttpURI.build(uri, path.substring(0, end), null, uri.getQuery())
                                .asImmutable());
    }

    @Override
    public HttpURI getHttpURI() {
        return plain;
    }
}
