package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.broker.dashboard.diff.Gap;
import dev.holdfast.broker.dashboard.diff.OmittedLines;
import dev.holdfast.broker.dashboard.page.MissingException;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.git.BaseFiles;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.Revision;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** More lines around a change, from the repository that it was made in. */
public record ReviewLines(Sources sources) {
    /**
     * Replaces the row that offered more lines.
     *
     * @param problem why there are none; empty: there are some
     */
    public record View(@Nullable OmittedLines lines, String problem, String more, int file, boolean beside) {}

    /** Where more lines are loaded from; empty: it is not known what the change was made from. */
    static String more(Sources sources, Review review, Revision revision) {
        return revision.hasDiff() && sources.files().couldTell(review.project(), revision.base())
                ? Address.review(review.id()) + "/lines?round=" + revision.round() + "&revision=" + revision.revision()
                : "";
    }

    /** {@code GET /reviews/{id}/lines?round=2&revision=…&file=0&from=12&to=40&take=up} */
    public Sheet show(Visit visit) {
        Long round = visit.number("round");
        Long number = visit.number("file");
        Long from = visit.number("from");
        Long to = visit.number("to");
        boolean beside = "split".equals(visit.query("view"));
        ProposalReader.Shown shown = shown(visit.path("id"), round);
        Revision revision = shown.revision();
        if (!revision.revision().equals(visit.query("revision"))) {
            return problem(visit, 409, "a newer version is up for review; reload the page", beside);
        }
        Optional<OmittedLines.Take> take = take(visit.query("take"));
        if (number == null || from == null || take.isEmpty() || !(Diff.parse(revision.toRead()) instanceof Diff diff)) {
            return problem(visit, 400, "the address does not say which lines", beside);
        }
        Optional<FileView> file = ChangeView.of(revision.toRead(), beside).files().stream()
                .filter(one -> one.number() == number)
                .findFirst();
        if (file.isEmpty()) {
            return problem(visit, 404, "the diff has no such file", beside);
        }
        Gap wanted = new Gap(from.intValue(), to == null ? Gap.END : to.intValue(), 0);
        return switch (sources.files()
                .before(
                        shown.review().project(),
                        revision.base(),
                        diff.files().get(file.get().number()))) {
            case BaseFiles.Unknown(String reason) -> problem(visit, 404, reason, beside);
            case BaseFiles.Lines(List<String> lines) -> {
                try {
                    yield sheet(new View(
                            OmittedLines.of(file.get(), lines, wanted, take.get(), beside),
                            "",
                            more(sources, shown.review(), revision),
                            file.get().number(),
                            beside));
                } catch (IllegalArgumentException e) {
                    yield problem(visit, 400, String.valueOf(e.getMessage()), beside);
                }
            }
        };
    }

    private ProposalReader.Shown shown(String id, @Nullable Long round) {
        try {
            return sources.reviews()
                    .reading()
                    .proposal(id, round)
                    .orElseThrow(() -> new MissingException("There is no review " + id));
        } catch (RefusedException e) {
            throw new MissingException(String.valueOf(e.getMessage()));
        }
    }

    private static Sheet problem(Visit visit, int status, String reason, boolean beside) {
        visit.request().status(status);
        return sheet(new View(null, reason, "", 0, beside));
    }

    private static Sheet sheet(View view) {
        return Sheet.of("lines", "", view);
    }

    private static Optional<OmittedLines.Take> take(@Nullable String said) {
        return List.of(OmittedLines.Take.values()).stream()
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(said))
                .findFirst();
    }
}
