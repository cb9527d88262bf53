package dev.holdfast.claim;

/**
 * SQL fragments for queries that read things together with their claims. Only this package names the claims table; if a
 * query needs more of it, add a fragment here.
 *
 * <p>Arguments are SQL: a column such as {@code v.id}, or a parameter such as {@code :id}. The columns of a join are
 * those of the table.
 */
public final class ClaimSql {
    private ClaimSql() {}

    /** Joins each thing with its claim; {@code id} is the thing's id, {@code as} the alias of the claim's row. */
    public static String join(Kind kind, String id, String as) {
        return " JOIN resources " + as + " ON " + as + ".key = '" + kind + ":' || " + id + " ";
    }

    /** Joins a soft claim's outer claim, if that is still the grant that the soft claim was made under. */
    public static String joinOuter(String soft, String as) {
        return """
                 LEFT JOIN resources OUTER ON OUTER.key = SOFT.outer_key AND OUTER.state = 'held'
                    AND OUTER.generation = SOFT.outer_generation AND OUTER.holder = SOFT.holder AND OUTER.outer_key IS NULL
                """.replace("OUTER", as).replace("SOFT", soft);
    }

    /** What claim-next would hand out for a kind now: {@code key, id, queue, labels, ready_since}. */
    public static String offered(Kind kind, String as) {
        int prefix = kind.toString().length() + 2; // SQL counts from 1, and there is a colon
        return " (SELECT key, substr(key, " + prefix
                + ") AS id, queue, labels, ready_since FROM resources WHERE kind = '" + kind
                + "' AND state = 'ready' AND NOT kept AND not_before IS NULL) " + as + " ";
    }

    /** Whether something is ready and due whose id is in this range, the end excluded. */
    public static String readyBetween(Kind kind, String from, String to) {
        return " EXISTS (SELECT 1 FROM resources ready WHERE ready.kind = '" + kind + "' AND ready.state = 'ready'"
                + " AND ready.key >= '" + kind + ":' || " + from + " AND ready.key < '" + kind + ":' || " + to
                + " AND ready.not_before IS NULL) ";
    }

    /** Whether this thing is held. */
    public static String isHeld(Kind kind, String id) {
        return " EXISTS (SELECT 1 FROM resources held WHERE held.key = '" + kind + ":' || " + id
                + " AND held.state = 'held') ";
    }

    /** As {@link #isHeld}, with a lease that outlasts this time. */
    public static String isHeldAfter(Kind kind, String id, String time) {
        return " EXISTS (SELECT 1 FROM resources held WHERE held.key = '" + kind + ":' || " + id
                + " AND held.state = 'held' AND held.expires_at > " + time + ") ";
    }

    /** Whether this holder holds anything. */
    public static String holdsSomething(String holder) {
        return " EXISTS (SELECT 1 FROM resources held WHERE held.state = 'held' AND held.holder = " + holder + ") ";
    }

    /** Whether this holder holds anything of a kind. */
    public static String holds(Kind kind, String holder) {
        return " EXISTS (SELECT 1" + heldBy(kind, holder) + ") ";
    }

    /** How many of a kind this holder holds. */
    public static String heldCount(Kind kind, String holder) {
        return " (SELECT count(*)" + heldBy(kind, holder) + ") ";
    }

    private static String heldBy(Kind kind, String holder) {
        return " FROM resources held WHERE held.holder = " + holder + " AND held.state = 'held' AND held.kind = '"
                + kind + "'";
    }
}
