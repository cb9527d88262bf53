package dev.holdfast.broker.dashboard;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The templates in {@code src/main/jte}, which the build compiles to classes. They escape everything they are given,
 * and make hidden characters in it visible.
 */
final class Templates {
    private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

    byte[] render(String template, Map<String, Object> given) {
        StringOutput out = new StringOutput();
        engine.render(template + ".jte", given, new VisibleOutput(out));
        return Versions.in(out.toString()).getBytes(StandardCharsets.UTF_8);
    }
}
