package dev.holdfast.cli.http;

import dev.holdfast.cli.http.HttpFailure.Kind;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An answer's status line and headers. If a header is repeated, the last value counts. */
record ResponseHead(int status, Map<String, String> headers) {
    private static final int LONGEST_LINE = 16 * 1024;
    private static final int MAX_LINES = 200;

    static ResponseHead read(InputStream in) throws IOException {
        int status;
        Map<String, String> headers;
        do {
            status = status(line(in));
            headers = headers(in);
        } while (status < 200);
        return new ResponseHead(status, headers);
    }

    @Nullable
    String header(String name) {
        return headers.get(name);
    }

    boolean isChunked() {
        String coding = header("transfer-encoding");
        return coding != null && coding.toLowerCase(Locale.ROOT).endsWith("chunked");
    }

    private static int status(String line) throws HttpFailure {
        if (line.length() >= 12 && line.startsWith("HTTP/1.") && line.charAt(8) == ' ') {
            try {
                return Integer.parseUnsignedInt(line, 9, 12, 10);
            } catch (NumberFormatException e) {
                throw notHttp("the status line has no status", e);
            }
        }
        throw notHttp("the answer is not HTTP", null);
    }

    private static Map<String, String> headers(InputStream in) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < MAX_LINES; i++) {
            String line = line(in);
            if (line.isEmpty()) {
                return headers;
            }
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw notHttp("a header has no colon", null);
            }
            headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        throw notHttp("the answer has too many headers", null);
    }

    /** The next line, without its line end. */
    static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed before the answer was complete");
            }
            if (line.size() == LONGEST_LINE) {
                throw notHttp("the answer has an endless line", null);
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    static HttpFailure notHttp(String message, @Nullable Throwable cause) {
        return new HttpFailure(Kind.NOT_HTTP, message, cause);
    }
}
