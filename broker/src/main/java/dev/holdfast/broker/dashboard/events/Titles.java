package dev.holdfast.broker.dashboard.events;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.part.OneLine;
import dev.holdfast.broker.dashboard.part.ReviewTitle;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.work.WorkItem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What events happened to: a claim has no details, and an id alone tells a reader little. */
record Titles(Sources sources) {
    private static final int LONGEST = 300;

    /** The lines, with the title of their resource where they say nothing else. */
    List<Line> added(List<Line> lines) {
        List<Resource> silent = lines.stream()
                .filter(line -> line.what().isEmpty())
                .flatMap(line -> resource(line).stream())
                .distinct()
                .toList();
        Map<Resource, String> titles = of(silent);
        return lines.stream()
                .map(line -> line.what().isEmpty()
                        ? resource(line).map(titles::get).map(line::saying).orElse(line)
                        : line)
                .toList();
    }

    private Map<Resource, String> of(List<Resource> resources) {
        Map<Resource, String> titles = new HashMap<>();
        sources.reviews()
                .catalogue()
                .intents(ids(Kind.REVIEW, resources))
                .forEach((id, intent) -> titles.put(new Resource(Kind.REVIEW, id), line(ReviewTitle.of(id, intent))));
        for (WorkItem item :
                sources.work().board().items(ids(Kind.WORK, resources)).values()) {
            titles.put(new Resource(Kind.WORK, item.id()), line(item.title()));
        }
        Map<String, String> tasks = new HashMap<>();
        for (Resource one : resources) {
            String id = one.id();
            int dot = id.lastIndexOf('.');
            if (one.kind() == Kind.STEP && dot > 0) {
                String task = tasks.computeIfAbsent(id.substring(0, dot), this::task);
                titles.put(one, line(task + (task.isEmpty() ? "" : ": ") + "step " + id.substring(dot + 1)));
            } else if (one.kind() == Kind.FINALIZATION) {
                titles.put(one, line(tasks.computeIfAbsent(id, this::task)));
            }
        }
        return titles;
    }

    private static List<String> ids(Kind kind, List<Resource> resources) {
        return resources.stream()
                .filter(one -> one.kind() == kind)
                .map(Resource::id)
                .toList();
    }

    private static Optional<Resource> resource(Line line) {
        try {
            return Optional.of(Resource.parse(line.resource()));
        } catch (InvalidException _) {
            return Optional.empty();
        }
    }

    /** Empty: there is no such task any more. */
    private String task(String id) {
        try {
            return sources.tasks().get(id).name();
        } catch (RefusedException _) {
            return "";
        }
    }

    private static String line(String title) {
        return OneLine.of(VisibleText.line(title), LONGEST);
    }
}
