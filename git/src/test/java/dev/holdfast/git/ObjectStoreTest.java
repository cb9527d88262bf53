package dev.holdfast.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What honest people have: every kind of repository tells what is in it, and stays as it is. */
@Timeout(120)
class ObjectStoreTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temporary;

    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private TrappedRepository repository;

    @BeforeEach
    void a_repository_without_traps() throws Exception {
        folder = temporary.toRealPath();
        repository = TrappedRepository.in(folder);
    }

    @Test
    void a_file_is_as_its_commit_has_it() {
        try (ObjectStore objects = find(repository.folder()).objects()) {
            assertThat(text(objects.file(head(), TrappedRepository.FILE, 100)))
                    .isEqualTo(TrappedRepository.TEXT.replace("seven", "7"));
            assertThat(objects.file(head(), "none", 100)).isEmpty();
            assertThat(objects.file(head(), "../trap.txt", 100)).isEmpty();
            assertThat(objects.file(head(), "module", 100)).as("no file").isEmpty();
            assertThat(objects.file("0".repeat(40), TrappedRepository.FILE, 100))
                    .isEmpty();
            assertThatThrownBy(() -> objects.file(head(), TrappedRepository.FILE, 10))
                    .isInstanceOfSatisfying(
                            GitFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(GitFailure.Kind.TOO_MUCH));
        }
    }

    @Test
    void the_repository_stays_as_it_is_and_nothing_is_left_behind() throws Exception {
        List<String> before = files();
        LocalRepository found = find(repository.folder());
        try (ObjectStore objects = found.objects()) {
            objects.checkOutAttributes(head());
            objects.ask(List.of("merge-tree", "--write-tree", commit(found, "main"), commit(found, "side")));
            new ExactDiff(objects).staged(head());
        }
        assertThat(files()).isEqualTo(before);
        try (Stream<Path> temporaries = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(temporaries)
                    .noneMatch(path -> path.getFileName()
                            .toString()
                            .startsWith(
                                    "holdfast-git-" + ProcessHandle.current().pid() + "-"));
        }
    }

    @Test
    void attributes_of_the_change_itself_say_what_is_binary() throws Exception {
        repository.write(".gitattributes", "*.dat -diff\n");
        repository.write("x.dat", "text\n");
        repository.git("add", ".gitattributes", "x.dat");
        repository.write(".gitattributes", "");
        assertThat(staged(repository.folder())).contains("b/x.dat", "GIT binary patch");
        repository.git("commit", "-q", "-m", "data");
        try (ObjectStore objects = find(repository.folder()).objects()) {
            assertThat(new ExactDiff(objects).between(commit(find(repository.folder()), "HEAD~1"), head()))
                    .contains("GIT binary patch");
        }
    }

    @Test
    void merges_that_git_does_by_its_own_means_are_done_so() throws Exception {
        repository.git("reset", "-q", "--hard");
        repository.write(".gitattributes", "list merge=union\n");
        repository.write("list", "first\n");
        repository.commit("a list");
        repository.git("checkout", "-q", "-b", "other");
        repository.write("list", "first\ntheirs\n");
        repository.commit("theirs");
        repository.git("checkout", "-q", "main");
        repository.write("list", "first\nours\n");
        repository.commit("ours");
        LocalRepository found = find(repository.folder());
        try (ObjectStore objects = found.objects()) {
            objects.checkOutAttributes(head());
            GitResult merged = objects.run(List.of("merge-tree", "--write-tree", head(), commit(found, "other")));
            assertThat(merged.exitCode()).isZero();
            assertThat(text(objects.file(merged.lines().getFirst(), "list", 100)))
                    .contains("ours\n", "theirs\n")
                    .doesNotContain("<<<");
        }
    }

    @Test
    void an_index_in_two_parts_and_a_sparse_one_are_read() throws Exception {
        repository.git("update-index", "--split-index");
        try (Stream<Path> files = Files.list(repository.folder().resolve(".git"))) {
            assertThat(files).anyMatch(file -> file.getFileName().toString().startsWith("sharedindex."));
        }
        assertThat(staged(repository.folder())).contains("-four\n+4\n");
        repository.git("update-index", "--no-split-index");
        repository.write("deep/down/file", "x\n");
        repository.git("add", "deep");
        repository.git("commit", "-q", "-m", "deep");
        repository.write("new", "x\n");
        repository.git("sparse-checkout", "set", "--cone", "--sparse-index", "docs");
        repository.git("add", "new");
        assertThat(staged(repository.folder())).contains("b/new").doesNotContain("deep");
    }

    @Test
    void other_working_trees_and_shallow_clones_and_new_repositories_tell_too() throws Exception {
        Path tree = folder.resolve("tree");
        repository.git("worktree", "add", "-q", "-b", "tree", tree.toString());
        Files.writeString(tree.resolve("more"), "more\n");
        repository.git("-C", tree.toString(), "add", "more");
        assertThat(staged(tree)).contains("+more\n").doesNotContain("four");

        Path shallow = folder.resolve("shallow");
        repository.git(
                "-c",
                "protocol.file.allow=always",
                "clone",
                "-q",
                "--depth",
                "1",
                "file://" + repository.folder(),
                shallow.toString());
        Files.writeString(shallow.resolve("more"), "more\n");
        repository.git("-C", shallow.toString(), "add", "more");
        assertThat(staged(shallow)).contains("+more\n");

        Path empty = Files.createDirectory(folder.resolve("empty"));
        repository.git("-C", empty.toString(), "init", "-q");
        Files.writeString(empty.resolve("more"), "more\n");
        repository.git("-C", empty.toString(), "add", "more");
        assertThat(staged(empty)).contains("+more\n");
    }

    @Test
    void another_format_of_objects_is_understood() throws Exception {
        Path other = Files.createDirectory(folder.resolve("sha256"));
        repository.git("-C", other.toString(), "init", "-q", "--object-format=sha256");
        Files.writeString(other.resolve("file"), "one\n");
        repository.git("-C", other.toString(), "add", "file");
        repository.git("-C", other.toString(), "commit", "-q", "-m", "one");
        Files.writeString(other.resolve("file"), "two\n");
        repository.git("-C", other.toString(), "add", "file");
        assertThat(staged(other)).contains("-one\n+two\n");
    }

    @Test
    void a_path_with_odd_characters_is_no_trouble() throws Exception {
        Path odd = folder.resolve("a \"quoted\" 'folder' $HOME: \\ with;everything");
        Files.createDirectory(odd);
        TrappedRepository there = TrappedRepository.in(odd);
        assertThat(staged(there.folder())).contains("-four\n+4\n");
    }

    private String staged(Path where) {
        LocalRepository found = find(where);
        try (ObjectStore objects = found.objects()) {
            return new ExactDiff(objects).staged(found.head().orElseGet(objects::emptyTree));
        }
    }

    private List<String> files() throws Exception {
        try (Stream<Path> all = Files.walk(repository.folder())) {
            return all.map(file -> file + " " + file.toFile().lastModified() + " "
                            + file.toFile().length())
                    .sorted()
                    .toList();
        }
    }

    private String head() {
        return commit(find(repository.folder()), "HEAD");
    }

    private static String commit(LocalRepository found, String named) {
        return found.commit(named).orElseThrow();
    }

    private static String text(Optional<byte[]> file) {
        return new String(file.orElseThrow(), StandardCharsets.UTF_8);
    }

    private LocalRepository find(Path where) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        return Git.alone(environment).find(where, GitTimeout.each(Duration.ofSeconds(60)));
    }
}
