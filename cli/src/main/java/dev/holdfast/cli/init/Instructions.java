package dev.holdfast.cli.init;

/** What agents in the repository read about working together. */
final class Instructions {
    private Instructions() {}

    static FilePart block(boolean gate) {
        return MarkedBlock.markdown("""
                ## Working together: Holdfast

                Several agents may work in this repository at once. Holdfast (the MCP server `holdfast`, or the command
                `holdfast`) makes sure that no two of them do the same work and that changes are reviewed.

                1. **Take work**: `holdfast claim --next` takes the next item that is ready, `holdfast claim ID` this one. If
                   someone else holds it, take another. `holdfast work reserve 'src/shop/**'` keeps others out of those files.
                2. **Propose**: stage your change and run `holdfast gate --propose --intent "what it does and why"`. It prints
                   the id of the review.
                3. **Wait for the verdict**: `holdfast review wait ID`. If changes are requested, make and stage them, and
                   propose again with `--review ID`.
                4. **Commit** what was approved, then run `holdfast review close ID`. %s
                5. **Finish**: `holdfast work close ID`; if you cannot, `holdfast release ID --note "where I stopped"`.
                """.formatted(
                        gate
                                ? "The gate lets exactly that content through; never bypass it with `--no-verify`."
                                : "Nothing else."));
    }
}
