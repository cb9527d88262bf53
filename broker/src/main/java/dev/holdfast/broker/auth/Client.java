package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.CidrBlock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * The machine that a request comes from. Forwarding headers count only from a proxy that the configuration trusts; any
 * other sender of such a header is treated as an unknown proxy.
 *
 * @param address the machine's address
 * @param here whether a program on this machine sent it for itself; it may have the address of a trusted proxy
 * @param proxied whether it came from the address of a trusted proxy
 * @param secure whether it was encrypted all the way
 */
record Client(InetAddress address, boolean here, boolean proxied, boolean secure) {
    private static final String KNOWN = Client.class.getName();
    private static final String FORWARDED_FOR = "X-Forwarded-For";
    /** Headers that proxies add, about the client or only about the host name or port. One of them is enough. */
    private static final Pattern OF_A_PROXY = Pattern.compile(
            "forwarded|via|x-(forwarded|original|envoy|proxy|proxied)(-.*)?|x-(real|client|cluster-client|remote)-ip"
                    + "|true-client-ip|(cf|fastly)-.*",
            Pattern.CASE_INSENSITIVE);

    /** Some proxies add the port: {@code 203.0.113.1:4711}, {@code [2001:db8::1]:4711}. */
    private static final Pattern WITH_PORT = Pattern.compile("^(?:([0-9.]+):\\d+|\\[([0-9A-Fa-f:.]+)](?::\\d+)?)$");

    /** Headers that nearly every request has, and no proxy adds; the others are compared with {@link #OF_A_PROXY}. */
    private static final Set<HttpHeader> ORDINARY = EnumSet.of(
            HttpHeader.HOST,
            HttpHeader.CONTENT_TYPE,
            HttpHeader.CONTENT_LENGTH,
            HttpHeader.ACCEPT,
            HttpHeader.ACCEPT_ENCODING,
            HttpHeader.AUTHORIZATION,
            HttpHeader.CONNECTION,
            HttpHeader.USER_AGENT);

    /** Found out once for each request: every guard asks. */
    static Client of(Request request, List<CidrBlock> proxies) {
        if (request.getAttribute(KNOWN) instanceof Client known) {
            return known;
        }
        Client client = look(request, proxies);
        request.setAttribute(KNOWN, client);
        return client;
    }

    private static Client look(Request request, List<CidrBlock> proxies) {
        HttpFields headers = request.getHeaders();
        InetAddress peer = request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress remote
                ? remote.getAddress()
                : InetAddress.getLoopbackAddress();
        boolean trusted = contain(proxies, peer);
        boolean forwarded = isForwarded(headers);
        boolean here = peer.isLoopbackAddress() && !forwarded;
        return trusted
                ? new Client(farthest(headers, proxies, peer), here, true, request.isSecure() || wasSecure(headers))
                : new Client(peer, here, false, request.isSecure());
    }

    /** Whether it calls from this machine, and certainly not through a proxy. */
    boolean local() {
        return here && !proxied;
    }

    private static boolean isForwarded(HttpFields headers) {
        for (HttpField header : headers) {
            if (isOfAProxy(header)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfAProxy(HttpField header) {
        return (header.getHeader() == null || !ORDINARY.contains(header.getHeader()))
                && OF_A_PROXY.matcher(header.getName()).matches();
    }

    /** The address that the outermost trusted proxy reported: anything before that may be forged. */
    private static InetAddress farthest(HttpFields headers, List<CidrBlock> proxies, InetAddress peer) {
        List<String> forwarded = headers.getValuesList(FORWARDED_FOR).stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .toList();
        InetAddress farthest = peer;
        for (String one : forwarded.reversed()) {
            Optional<InetAddress> address = CidrBlock.parse(
                            WITH_PORT.matcher(one.strip()).replaceFirst("$1$2"))
                    .map(CidrBlock::address);
            if (address.isEmpty()) {
                return farthest;
            }
            farthest = address.get();
            if (!contain(proxies, farthest)) {
                return farthest;
            }
        }
        return farthest;
    }

    private static boolean wasSecure(HttpFields headers) {
        List<String> forwarded = headers.getValuesList("X-Forwarded-Proto");
        return !forwarded.isEmpty()
                && forwarded.getLast().strip().toLowerCase(Locale.ROOT).endsWith("https");
    }

    private static boolean contain(List<CidrBlock> proxies, InetAddress address) {
        return !proxies.isEmpty() && proxies.stream().anyMatch(proxy -> proxy.contains(address));
    }
}
