package dev.holdfast.broker.dashboard;

/** Changes to look at. */
final class Diffs {
    private static final String MIGRATION = """
            diff --git a/src/main/resources/db/migration/V31__refund_key.sql b/src/main/resources/db/migration/V31__refund_key.sql
            new file mode 100644
            index 0000000..1c2d3e4
            --- /dev/null
            +++ b/src/main/resources/db/migration/V31__refund_key.sql
            @@ -0,0 +1,5 @@
            +-- A refund is asked for once: the same key again is the same refund.
            +ALTER TABLE refund ADD COLUMN idempotency_key text;
            +UPDATE refund SET idempotency_key = 'legacy-' || id WHERE idempotency_key IS NULL;
            +ALTER TABLE refund ALTER COLUMN idempotency_key SET NOT NULL;
            +CREATE UNIQUE INDEX CONCURRENTLY refund_key ON refund (account_id, idempotency_key);
            """;

    private static final String TEST = """
            diff --git a/src/test/java/shop/billing/RefundsTest.java b/src/test/java/shop/billing/RefundsTest.java
            index 7777777..8888888 100644
            --- a/src/test/java/shop/billing/RefundsTest.java
            +++ b/src/test/java/shop/billing/RefundsTest.java
            @@ -30,3 +30,9 @@ class RefundsTest {
                 @Test
                 void a_refund_gives_money_back() {
                 }
            +
            +    @Test
            +    void the_same_key_gives_back_once() {
            +        refunds.refund("c-1", 500, "k-1", "broken");
            +        assertThat(refunds.refund("c-1", 500, "k-1", "broken").cents()).isEqualTo(500);
            +    }
            """;

    private static final String LOCK = """
            diff --git a/gradle.lockfile b/gradle.lockfile
            index 1111111..2222222 100644
            --- a/gradle.lockfile
            +++ b/gradle.lockfile
            @@ -1,2 +1,2 @@
            -org.postgresql:postgresql:42.7.13=runtimeClasspath
            +org.postgresql:postgresql:42.7.14=runtimeClasspath
             org.slf4j:slf4j-api:2.0.20=runtimeClasspath
            """;

    static final String REFUND_1 = MIGRATION + """
            diff --git a/src/main/java/shop/billing/Refunds.java b/src/main/java/shop/billing/Refunds.java
            index 3333333..4444444 100644
            --- a/src/main/java/shop/billing/Refunds.java
            +++ b/src/main/java/shop/billing/Refunds.java
            @@ -41,10 +41,11 @@ public final class Refunds {
                 private final Ledger ledger;
                 private final Clock clock;
            \s
            -    /** Gives money back. */
            -    public Refund refund(String captureId, long cents, String reason) {
            +    /** Gives money back, once per key: the same key again answers with the same refund. */
            +    public Refund refund(String captureId, long cents, String key, String reason) {
                     return store.inTransaction(tx -> {
                         Capture capture = captures.find(tx, captureId);
            +            long left = capture.cents() - refunds.sum(tx, captureId);
                         if (capture == null) {
                             throw new NotFound("no such capture: " + captureId);
            -            if (cents > capture.cents()) {
            +            if (cents > left) {
            """ + TEST + LOCK;

    static final String REFUND_2 = MIGRATION + """
            diff --git a/src/main/java/shop/billing/Refunds.java b/src/main/java/shop/billing/Refunds.java
            index 3333333..5555555 100644
            --- a/src/main/java/shop/billing/Refunds.java
            +++ b/src/main/java/shop/billing/Refunds.java
            @@ -41,10 +41,15 @@ public final class Refunds {
                 private final Ledger ledger;
                 private final Clock clock;
            \s
            -    /** Gives money back. */
            -    public Refund refund(String captureId, long cents, String reason) {
            +    /** Gives money back, once per key: the same key again answers with the same refund. */
            +    public Refund refund(String captureId, long cents, String key, String reason) {
                     return store.inTransaction(tx -> {
            -            Capture capture = captures.find(tx, captureId);
            +            Capture capture = captures.lock(tx, captureId);
            +            Refund before = refunds.ofKey(tx, capture.account(), key);
            +            if (before != null) {
            +                return before.orRefuse(cents);
            +            }
            +            long left = capture.cents() - refunds.sum(tx, captureId);
                         if (capture == null) {
                             throw new NotFound("no such capture: " + captureId);
            -            if (cents > capture.cents()) {
            +            if (cents > left) {
            """ + TEST + LOCK;

    static final String REFUND_3 = REFUND_2.replace("@@ -41,10 +41,15 @@", "@@ -41,10 +41,16 @@")
            .replace(
                    "+            if (cents > left) {\n",
                    "+            if (cents > left) {\n+                throw new Refused(\"only \" + left + \" cents are left\");\n");

    private Diffs() {}

    /** Takes lines away from a file and adds others. */
    static String small(String path, int added, int removed) {
        StringBuilder diff = new StringBuilder("diff --git a/" + path + " b/" + path
                + "\nindex 1111111..2222222 100644\n--- a/" + path + "\n+++ b/" + path + "\n");
        diff.append("@@ -10,")
                .append(removed + 2)
                .append(" +10,")
                .append(added + 2)
                .append(" @@\n first line that stays\n");
        for (int i = 1; i <= removed; i++) {
            diff.append("-        old.value(").append(i).append(", \"before\");\n");
        }
        for (int i = 1; i <= added; i++) {
            diff.append("+        fresh.value(").append(i).append(", \"after\");\n");
        }
        return diff.append(" last line that stays\n").toString();
    }
}
