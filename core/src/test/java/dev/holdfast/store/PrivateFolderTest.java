package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import dev.holdfast.testing.OtherUser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    @TempDir
    private Path folder;

    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path openFolder(String name, String... files) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        for (String file : files) {
            Files.writeString(made.resolve(file), "");
            allow(made.resolve(file), "rw-r--r--");
        }
        allow(made, "rwxr-xr-x");
        return made;
    }

    private static void useStore(Path data) {
        try (Store store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            claims.claim(ClaimRequest.of(Resource.key("deploy"), "ann"));
            assertThat(data).satisfies(PrivateFolderTest::isClosed);
        }
    }

    private static void isClosed(Path data) throws IOException {
        assertThat(permissions(data)).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(data)) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file ->
                            assertThat(permissions(file)).as(file.toString()).isEqualTo("rw-------"));
        }
    }

    @Test
    void why_a_folder_cannot_be_used_is_said() throws IOException {
        Path file = Files.writeString(folder.resolve("a-file"), "");
        assertThatThrownBy(() -> SqliteStore.open(file))
                .hasMessage("cannot use the folder " + file + ": there is a file of that name");
    }

    @Test
    void a_store_makes_its_folder_and_every_file_in_it_for_its_owner_alone() throws IOException {
        Path data = folder.resolve("new").resolve("data");
        useStore(data);
        assertThat(permissions(data.resolve(".."))).isEqualTo("rwx------");
    }

    @Test
    void a_folder_that_others_could_read_is_closed_with_all_that_is_in_it_when_the_store_is_opened()
            throws IOException {
        Path data = openFolder("data");
        useStore(data);
        allow(data, "rwxrwxr-x");
        try (Stream<Path> files = Files.list(data)) {
            for (Path file : files.toList()) {
                allow(file, "rw-rw-r--");
            }
        }
        useStore(data);
    }

    @Test
    void a_folder_that_has_others_things_in_it_stays_as_it_is_and_our_files_in_it_are_closed() throws IOException {
        Path shared = openFolder("shared", "letter.txt", "holdfast.db", "holdfast.lock");
        PrivateFolder.open(shared);
        assertThat(permissions(shared)).isEqualTo("rwxr-xr-x");
        assertThat(permissions(shared.resolve("letter.txt"))).isEqualTo("rw-r--r--");
        assertThat(permissions(shared.resolve("holdfast.db"))).isEqualTo("rw-------");
        assertThat(permissions(shared.resolve("holdfast.lock"))).isEqualTo("rw-------");
    }

    @Test
    void a_folder_for_holdfast_alone_is_closed_whatever_is_in_it() throws IOException {
        Path own = openFolder("own", "backup.db");
        PrivateFolder.open(own, true);
        isClosed(own);
    }

    @Test
    void a_link_is_followed_and_what_it_leads_to_is_closed() throws IOException {
        Path data = openFolder("data", "holdfast.db");
        Path link = Files.createSymbolicLink(folder.resolve("link"), data);
        PrivateFolder.open(link);
        isClosed(data);
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }

    @Test
    void a_link_in_place_of_the_lock_has_no_other_file_emptied() throws IOException {
        Path letter = Files.writeString(folder.resolve("letter.txt"), "dear ann");
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.createSymbolicLink(data.resolve("holdfast.lock"), letter);
        assertThatThrownBy(() -> SqliteStore.open(data)).isInstanceOf(StoreException.class);
        assertThat(letter).hasContent("dear ann");
    }

    @Test
    void a_folder_of_another_user_is_refused_with_what_to_do_and_nothing_is_written_there() throws IOException {
        assumeTrue(OtherUser.isThere(), OtherUser.WHY_NOT);
        Path data = openFolder("data");
        Files.setAttribute(data, "unix:uid", OtherUser.NOBODY);
        assertThatThrownBy(() -> SqliteStore.open(data))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("cannot use the folder " + data, "belongs to", "chown", "--data");
        assertThat(data).isEmptyDirectory();
        Files.setAttribute(data, "unix:uid", 0);
        useStore(data);
    }

    @Test
    void where_there_are_no_such_permissions_a_folder_is_used_as_it_is() throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(
                URI.create("jar:" + folder.resolve("files.zip").toUri()), Map.of("create", "true"))) {
            PrivateFolder made = PrivateFolder.open(zip.getPath("/data"));
            assertThat(made.file("holdfast.db")).exists();
            assertThat(PrivateFolder.open(zip.getPath("/data")).path()).isDirectory();
        }
    }
}
