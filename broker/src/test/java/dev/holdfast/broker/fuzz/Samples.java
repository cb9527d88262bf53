package dev.holdfast.broker.fuzz;

import java.util.Set;

/** Texts that are right, to be damaged. */
final class Samples {
    /** The fields of verbs that take a diff. */
    static final Set<String> DIFF_FIELDS = Set.of("diff", "counter_patch");

    static final String DIFF = """
            diff --git a/a.txt b/a.txt
            index 0000000..1111111 100644
            --- a/a.txt
            +++ b/a.txt
            @@ -1,3 +1,4 @@ heading
             one
            -two
            +three
            +four
             five
            \\ No newline at end of file
            diff --git "a/\\303\\244.bin" "b/\\303\\244.bin"
            new file mode 100755
            index 0000000..e69de29
            Binary files /dev/null and "b/\\303\\244.bin" differ
            diff --git a/old b/new
            similarity index 100%
            rename from old
            rename to new
            diff --git a/script.sh b/script.sh
            old mode 100644
            new mode 100755
            diff --git a/gone b/gone
            deleted file mode 100644
            index 1111111..0000000
            --- a/gone
            +++ /dev/null
            @@ -1 +0,0 @@
            -bye
            """;

    private Samples() {}
}
