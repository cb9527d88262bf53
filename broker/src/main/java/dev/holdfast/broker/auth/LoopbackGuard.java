package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.CidrBlock;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Rejects what a web page could make a browser send here: a request meant for another host, whose name now points at
 * this machine, or one from another site's page. It comes before all endpoints.
 *
 * <p>Callers from other machines must send a token, which pages of other hosts do not have. So for them the broker may
 * have any name, and pages may call the host that served them.
 */
public final class LoopbackGuard extends Handler.Wrapper {
    private static final Set<String> NAMES = Set.of("localhost", "[::1]");
    /** Unlike a name, an address cannot be made to point elsewhere. */
    private static final Pattern ADDRESS = Pattern.compile("127(\\.\\d{1,3}){3}");

    private static final Pattern SCHEME = Pattern.compile("^https?://");

    private static final int MISDIRECTED = 421;

    /** The web framework would use its value as the method, which the guards have not seen. */
    private static final String METHOD_OVERRIDE = "X-HTTP-Method-Override";

    private final String ownName;
    private final boolean reachable;
    private final List<CidrBlock> proxies;

    /**
     * @param host what the broker listens on
     * @param reachable whether other machines can reach it without a proxy
     */
    public LoopbackGuard(String host, boolean reachable, List<CidrBlock> proxies) {
        ownName = host.toLowerCase(Locale.ROOT);
        this.reachable = reachable;
        this.proxies = proxies;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        int port = Request.getLocalPort(request);
        HttpFields headers = request.getHeaders();
        String host = headers.get(HttpHeader.HOST);
        Client client = Client.of(request, proxies);
        boolean anyName = client.proxied() || (reachable && !client.local());
        if (hasSeveral(headers, HttpHeader.HOST) || !(anyName || isOurs(host, port))) {
            refuse(
                    response,
                    callback,
                    MISDIRECTED,
                    "this broker answers to localhost:" + port + " and 127.0.0.1:" + port + ", not to the Host "
                            + (host == null ? "that is missing" : "'" + shortened(host) + "'"));
            return true;
        }
        for (HttpField origin : headers) {
            if (origin.getHeader() == HttpHeader.ORIGIN
                    && !(anyName
                            ? isSame(origin.getValue(), host)
                            : isOurOrigin(origin.getValue(), port, request.isSecure()))) {
                refuse(
                        response,
                        callback,
                        RefusalCode.FORBIDDEN.status(),
                        "pages of '" + shortened(String.valueOf(origin.getValue())) + "' may not call this broker");
                return true;
            }
        }
        if (isOfAnotherSite(request)) {
            refuse(
                    response,
                    callback,
                    RefusalCode.FORBIDDEN.status(),
                    "a page of another site may only link to this broker");
            return true;
        }
        if (headers.contains(METHOD_OVERRIDE)) {
            refuse(
                    response,
                    callback,
                    RefusalCode.INVALID.status(),
                    "send the method itself, without the header " + METHOD_OVERRIDE);
            return true;
        }
        boolean byProxy = client.secure() && !request.isSecure();
        return super.handle(byProxy ? new Secured(request) : request, response, callback);
    }

    private static boolean hasSeveral(HttpFields headers, HttpHeader name) {
        int count = 0;
        for (HttpField header : headers) {
            count += header.getHeader() == name ? 1 : 0;
        }
        return count > 1;
    }

    /**
     * Whether another site's page makes the browser send this, other than by a link that somebody follows. Even a
     * request whose answer the page cannot read has a cost.
     */
    private static boolean isOfAnotherSite(Request request) {
        String site = request.getHeaders().get("Sec-Fetch-Site");
        boolean elsewhere = "cross-site".equals(site) || "same-site".equals(site);
        boolean followed = "navigate".equals(request.getHeaders().get("Sec-Fetch-Mode"))
                && "document".equals(request.getHeaders().get("Sec-Fetch-Dest"));
        return elsewhere && !followed;
    }

    /** A request that reached a trusted proxy by TLS: browsers return secure cookies only over TLS. */
    private static final class Secured extends Request.Wrapper {
        Secured(Request request) {
            super(request);
        }

        @Override
        public boolean isSecure() {
            return true;
        }
    }

    boolean isOurs(@Nullable String host, int port) {
        if (host == null) {
            return false;
        }
        String given = host.strip().toLowerCase(Locale.ROOT);
        int colon = given.lastIndexOf(':');
        boolean withPort = colon > given.lastIndexOf(']') && colon >= 0;
        String name = withPort ? given.substring(0, colon) : given;
        String itsPort = withPort ? given.substring(colon + 1) : "80";
        return itsPort.equals(Integer.toString(port))
                && (NAMES.contains(name)
                        || name.equals(ownName)
                        || ADDRESS.matcher(name).matches());
    }

    private boolean isOurOrigin(@Nullable String origin, int port, boolean secure) {
        return origin != null && origin.startsWith(secure ? "https://" : "http://") && isOurs(authority(origin), port);
    }

    /** Whether the page was served by the host that the request goes to. */
    static boolean isSame(@Nullable String origin, @Nullable String host) {
        return origin != null
                && host != null
                && SCHEME.matcher(origin).find()
                && authority(origin).equalsIgnoreCase(host.strip());
    }

    private static String authority(String origin) {
        return SCHEME.matcher(origin).replaceFirst("");
    }

    private static void refuse(Response response, Callback callback, int status, String text) {
        EarlyRefusal.send(response, callback, status, Answer.refused(RefusalCode.FORBIDDEN, text));
    }

    private static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
