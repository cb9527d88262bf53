package dev.holdfast.broker.dashboard;

import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Styles, scripts and icons. Their addresses contain a hash of all of them, so a browser can keep them for a year and
 * still fetches them again as soon as one changes. The style sheets, one per component, are served as one file.
 */
public final class Assets {
    static final String PATH = "/ui/assets/";
    private static final String FOLDER = "assets/";
    private static final String HTMX = "/META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js";

    /** In this order: later ones override earlier ones. */
    static final List<String> STYLES = List.of(
            "tokens",
            "base",
            "layout",
            "panel",
            "control",
            "tabs",
            "mark",
            "table",
            "filter",
            "needs",
            "chart",
            "review",
            "diff",
            "timeline",
            "board",
            "graph",
            "log",
            "empty",
            "dialog",
            "page",
            "laptop",
            "phone",
            "motion");

    static final List<String> SCRIPTS = List.of(
            "theme",
            "main",
            "live",
            "arrivals",
            "swap",
            "times",
            "complete",
            "keys",
            "palette",
            "actions",
            "select",
            "diff",
            "follow",
            "signin");

    static final List<String> PICTURES = List.of("icons.svg", "favicon.svg");

    /** The assets of this copy of Holdfast, which never change while it runs. */
    private static final Assets OURS = new Assets();

    private record Asset(String type, byte[] content) {}

    private final Map<String, Asset> assets = new LinkedHashMap<>();
    private final String base;

    private Assets() {
        ByteArrayOutputStream styles = new ByteArrayOutputStream();
        STYLES.forEach(name -> styles.writeBytes(own("css/" + name + ".css")));
        assets.put("holdfast.css", new Asset("text/css; charset=utf-8", styles.toByteArray()));
        SCRIPTS.forEach(name -> assets.put("js/" + name + ".js", script(own("js/" + name + ".js"))));
        assets.put("js/htmx.js", script(read(HTMX)));
        PICTURES.forEach(name -> assets.put(name, new Asset("image/svg+xml", own(name))));
        base = PATH + hash() + "/";
    }

    /** The address of an asset. */
    public static String at(String name) {
        if (!OURS.assets.containsKey(name)) {
            throw new IllegalArgumentException("there is no asset " + name);
        }
        return OURS.base + name;
    }

    /** The address of an icon in the sprite. */
    public static String icon(String name) {
        return OURS.base + "icons.svg#" + name;
    }

    /**
     * Also answers addresses with another hash, for pages that stayed open across an update, but without letting
     * browsers keep those.
     */
    static void serve(Context request) {
        String path = request.path().substring(PATH.length());
        Asset asset = OURS.assets.get(path.substring(path.indexOf('/') + 1));
        if (asset == null) {
            request.status(404).result("there is no such file\n");
            return;
        }
        request.header(
                "Cache-Control",
                request.path().startsWith(OURS.base) ? "public, max-age=31536000, immutable" : "no-cache");
        request.contentType(asset.type());
        request.result(asset.content());
    }

    private static Asset script(byte[] content) {
        return new Asset("text/javascript; charset=utf-8", content);
    }

    private static byte[] own(String name) {
        return read(FOLDER + name);
    }

    private static byte[] read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("this copy of Holdfast is incomplete: there is no " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            assets.forEach((name, asset) -> {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(asset.content());
            });
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
