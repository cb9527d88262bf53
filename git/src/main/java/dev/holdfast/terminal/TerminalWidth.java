package dev.holdfast.terminal;

import dev.holdfast.git.SearchPath;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/** How many columns the terminal has. */
public final class TerminalWidth {
    private TerminalWidth() {}

    /** 0 when there is no terminal, or it does not say. */
    public static int ask() {
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            return 0;
        }
        try {
            Process process = new ProcessBuilder(SearchPath.of(System.getenv()).program("stty"), "size")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (InputStream answer = process.getInputStream();
                    Scanner numbers = new Scanner(answer, StandardCharsets.US_ASCII)) {
                return numbers.hasNextInt() && numbers.nextInt() >= 0 && numbers.hasNextInt() ? numbers.nextInt() : 0;
            }
        } catch (IOException e) {
            return 0;
        }
    }
}
