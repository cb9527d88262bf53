package dev.holdfast.cli.server;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.terminal.Shell;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens the dashboard. */
public final class OpenCommand implements Command.Action {
    private static final Set<String> PAGES =
            Set.of("overview", "reviews", "work", "tasks", "pool", "agents", "events", "settings");

    private static final String OF_TEAM = "hf_";

    public static final Command DEFINITION = Command.define("open", "Open the dashboard in a browser.")
            .description(
                    "Prints its address; without a browser, that is all it does. If you have a token, the address signs a browser in with it, once,"
                            + " within five minutes: keep it to yourself. Exit code 7: no broker answers.")
            .parameters(Parameter.optional(
                    "PAGE", "overview (default), reviews, work, tasks, pool, agents, events or settings."))
            .options(Option.flag("--print", "Only print the address."))
            .examples("holdfast open", "holdfast open reviews", "holdfast open --print")
            .runs(new OpenCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        String page = invocation.arguments().parameter(0);
        if (page != null && !PAGES.contains(page)) {
            throw Failure.invalid("there is no page '" + page
                    + "'; the pages are overview, reviews, work, tasks, pool, agents, events and settings");
        }
        String base = invocation.broker().http().address().toString().replaceAll("/+$", "");
        String address = base + "/" + (page == null || page.equals("overview") ? "" : page);
        Shell shell = invocation.shell();
        Optional<String> link = link(invocation);
        String opened = link.map(secret -> base + "/sign-in?next=" + address.substring(base.length()) + "#" + secret)
                .orElse(address);
        if (invocation.arguments().has("--json")) {
            invocation.printDocument(Json.write(Map.of("url", opened)));
        } else {
            shell.out().println(opened);
        }
        if (!invocation.arguments().has("--print")) {
            browser(shell)
                    .ifPresent(
                            program -> start(program, link.isPresent() ? leading(opened, invocation) : opened, shell));
        }
        return ExitCode.DONE;
    }

    /**
     * What signs a browser in with the token that this command has: the broker makes it for one sign-in. Empty: there
     * is no token, or the dashboard opens without one and this one is not for it.
     */
    private static Optional<String> link(Invocation invocation) {
        BrokerClient broker = invocation.broker();
        boolean asks = broker.asksForToken(); // fails if no broker answers
        String token = broker.token().at(broker.http().address());
        if (token == null || !(asks || token.startsWith(OF_TEAM))) {
            return Optional.empty();
        }
        Reply reply = broker.signInLink();
        if (reply.accepted()) {
            return Optional.ofNullable(reply.json().text("link"));
        }
        if (asks) {
            throw Failure.refused(reply, "cannot sign in to the dashboard");
        }
        return Optional.empty();
    }

    /** Writes a private file that leads to the link: everybody on the machine can see a program's arguments. */
    private static String leading(String link, Invocation invocation) {
        Path file = invocation
                .broker()
                .token()
                .file(invocation.broker().http().address())
                .resolveSibling("open.html");
        try {
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    file,
                    "<!doctype html><title>Holdfast</title><meta http-equiv=\"refresh\" content=\"0;url=" + link
                            + "\">");
            return file.toUri().toString();
        } catch (IOException e) {
            throw Failure.failed("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** The command that opens an address here; empty: none. */
    private static Optional<List<String>> browser(Shell shell) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (system.startsWith("windows")) {
            return Optional.of(List.of("rundll32", "url.dll,FileProtocolHandler"));
        }
        if (system.startsWith("mac")) {
            return onPath(shell, "open").map(List::of);
        }
        boolean screen = shell.variable("DISPLAY") != null || shell.variable("WAYLAND_DISPLAY") != null;
        Optional<String> windows = onPath(shell, "wslview");
        return windows.isPresent()
                ? windows.map(List::of)
                : screen ? onPath(shell, "xdg-open").map(List::of) : Optional.empty();
    }

    private static Optional<String> onPath(Shell shell, String program) {
        @Nullable String path = shell.variable("PATH");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
            try {
                Path file = Path.of(folder).resolve(program);
                if (file.isAbsolute() && Files.isExecutable(file)) {
                    return Optional.of(file.toString());
                }
            } catch (InvalidPathException another) {
                // try the next folder
            }
        }
        return Optional.empty();
    }

    private static void start(List<String> program, String address, Shell shell) {
        List<String> words = new ArrayList<>(program);
        words.add(address);
        try {
            new ProcessBuilder(words)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            shell.err().println("cannot start " + program.getFirst() + ": open the address yourself");
        }
    }
}
