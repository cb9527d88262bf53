import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks what a release consists of, by its SBOM: every library has a licence that is allowed, and none a known vulnerability.
 *
 * <p>java -cp 'cli/target/lib/*' Libraries.java SBOM ALLOWED ask|skip
 */
final class Libraries {
    private static final URI OSV = URI.create("https://api.osv.dev/v1/querybatch");

    private record Library(String purl, Set<String> licences) {}

    public static void main(String[] arguments) throws Exception {
        List<Library> all = new ArrayList<>();
        for (JsonObject one : JsonObject.of(Json.read(Files.readString(Path.of(arguments[0])))).objects("components")) {
            String purl = one.text("purl");
            if (purl != null && !purl.startsWith("pkg:maven/dev.holdfast/")) {
                all.add(new Library(purl.replaceAll("\\?.*", ""), licences(one)));
            }
        }
        if (all.isEmpty()) {
            throw new IOException(arguments[0] + " lists no library");
        }
        List<String> wrong = new ArrayList<>(forbidden(all, Path.of(arguments[1])));
        say(all.size() + " libraries, " + wrong.size() + " whose licence is not allowed");
        if (arguments[2].equals("ask")) {
            List<String> vulnerable = vulnerable(all);
            say(vulnerable.size() + " with a known vulnerability (OSV)");
            wrong.addAll(vulnerable);
        } else {
            say("known vulnerabilities were NOT checked");
        }
        wrong.forEach(Libraries::say);
        System.exit(wrong.isEmpty() ? 0 : 1);
    }

    private static void say(String text) {
        System.err.println("release: " + text);
    }

    private static Set<String> licences(JsonObject component) {
        Set<String> licences = new LinkedHashSet<>();
        for (JsonObject choice : component.objects("licenses")) {
            String expression = choice.text("expression");
            if (expression != null) {
                licences.addAll(List.of(expression.replaceAll("[()]", "").split(" OR ")));
            }
            String id = choice.object("license").text("id");
            String name = choice.object("license").text("name");
            if (id != null || name != null) {
                licences.add(id != null ? id : name);
            }
        }
        return licences;
    }

    /** One of its licences is enough: where a library has several, its user chooses. */
    private static List<String> forbidden(List<Library> all, Path allowed) throws IOException {
        Set<String> names = Files.readAllLines(allowed).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(String::strip)
                .collect(Collectors.toSet());
        return all.stream()
                .filter(library -> library.licences.stream().noneMatch(names::contains))
                .map(library -> library.purl + ": " + (library.licences.isEmpty() ? "no licence" : library.licences))
                .toList();
    }

    private static List<String> vulnerable(List<Library> all) throws Exception {
        List<Map<String, Object>> queries =
                all.stream().map(one -> Map.<String, Object>of("package", Map.of("purl", one.purl))).toList();
        HttpRequest request = HttpRequest.newBuilder(OSV)
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(Map.of("queries", queries))))
                .build();
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            List<JsonObject> results = JsonObject.of(Json.read(answer.body())).objects("results");
            if (answer.statusCode() != 200 || results.size() != all.size()) {
                throw new IOException("OSV answered " + answer.statusCode() + " about " + results.size() + " libraries");
            }
            List<String> found = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                String ids = results.get(i).objects("vulns").stream()
                        .map(one -> one.text("id"))
                        .collect(Collectors.joining(", "));
                if (!ids.isEmpty()) {
                    found.add(all.get(i).purl + ": " + ids);
                }
            }
            return found;
        } catch (IOException e) {
            throw new IOException(
                    "cannot ask " + OSV + " for known vulnerabilities (" + e.getMessage()
                            + "); without them: --without-advisories, and ask later",
                    e);
        }
    }
}
