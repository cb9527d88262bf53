package dev.holdfast.broker.dashboard;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The templates of {@code src/main/jte}, which the build turns into classes. They escape whatever they are given, and show what would
 * hide in it.
 */
final class Templates {
    private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

    byte[] render(String template, Map<String, Object> given) {
        Utf8ByteOutput out = new Utf8ByteOutput();
        engine.render(template + ".jte", given, new ShownOutput(out));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(out.getContentLength());
        try {
            out.writeTo(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
