package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The release script, for real: two builds of the commit that is checked out, whose bytes are compared. */
@Tag("heavy")
@Timeout(1_200)
class ReleaseTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private record Ran(int code, String output) {}

    private Ran run(Path in, String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), output);
    }

    @Test
    void a_release_is_built_twice_to_the_same_bytes_and_its_checksums_are_signed() throws Exception {
        Programs.assumeInstalled("ssh-keygen", "Debian's package openssh-client");
        Path sources = folder.resolve("sources"); // the commit, whatever is being edited here
        assertThat(run(folder, "git", "clone", "-q", "--no-hardlinks", ROOT.toString(), sources.toString())
                        .code())
                .isZero();
        Path key = folder.resolve("key");
        assertThat(run(folder, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString())
                        .code())
                .isZero();
        Path to = folder.resolve("out");
        Ran made = run(
                sources,
                "deploy/release/release.sh",
                "--key",
                key.toString(),
                "--to",
                to.toString(),
                "--without-advisories");
        System.out.print(made.output());
        assertThat(made.code()).as(made.output()).isZero();
        assertThat(made.output()).contains("are equal: ", " 0 whose licence is not allowed");

        Files.writeString(folder.resolve("allowed_signers"), "maintainer " + Files.readString(Path.of(key + ".pub")));
        List<String> verify = List.of(
                "sh",
                "-c",
                "ssh-keygen -Y verify -f ../allowed_signers -I maintainer -n holdfast-release -s SHA256SUMS.sig"
                        + " <SHA256SUMS && sha256sum -c SHA256SUMS");
        assertThat(run(to, verify.toArray(String[]::new)).code()).isZero();
        Path archive;
        try (Stream<Path> files = Files.list(to)) {
            archive = files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow();
        }
        assertThat(run(folder, "tar", "-xzf", archive.toString()).code()).isZero();
        Path unpacked = folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
        assertThat(run(unpacked, "bin/holdfast", "help").output()).contains("holdfast");
        Files.writeString(
                to.resolve("SHA256SUMS"),
                Files.readString(to.resolve("SHA256SUMS")).replaceFirst("^.", "x"));
        assertThat(run(to, verify.toArray(String[]::new)).code())
                .as("checksums that somebody has changed")
                .isNotZero();
    }
}
