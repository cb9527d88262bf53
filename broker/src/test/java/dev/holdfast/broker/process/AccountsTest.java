package dev.holdfast.broker.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountsTest {
    @TempDir
    private Path folder;

    @Test
    void other_people_are_those_who_can_log_in_and_are_neither_oneself_nor_the_system() throws IOException {
        Path users = Files.writeString(folder.resolve("passwd"), """
                root:x:0:0:root:/root:/bin/bash
                daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
                postgres:x:114:120::/var/lib/postgresql:/bin/bash
                ann:x:1000:1000:Ann,,,:/home/ann:/bin/bash
                bob:x:1001:1001::/home/bob:/bin/zsh
                ci:x:1002:1002::/home/ci:/usr/sbin/nologin
                backup:x:1003:1003::/home/backup:/bin/false
                carl:x:1004:1004::/home/carl:
                nobody:x:65534:65534:nobody:/nonexistent:/bin/sh
                +::::::
                broken line
                """);
        Path none = folder.resolve("missing");
        assertThat(Accounts.others(users, none, "ann")).containsExactly("bob", "carl");
        assertThat(Accounts.others(users, none, "root")).containsExactly("ann", "bob", "carl");
        assertThat(Accounts.others(none, none, "ann")).isEmpty();
    }

    @Test
    void where_the_list_has_only_the_system_people_are_known_by_their_homes() throws IOException {
        Path users = Files.writeString(folder.resolve("passwd"), "_www:*:70:70:Web:/Library:/usr/bin/false\n");
        Path homes = Files.createDirectory(folder.resolve("Users"));
        for (String name : List.of("ann", "bob", "Shared", "Guest", ".hidden")) {
            Files.createDirectory(homes.resolve(name));
        }
        Files.createFile(homes.resolve("file"));
        assertThat(Accounts.others(users, homes, "ann")).containsExactly("bob");
    }
}
