package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.Page;
import dev.holdfast.broker.dashboard.Section;
import dev.holdfast.broker.dashboard.Sheet;
import dev.holdfast.broker.dashboard.Sources;
import dev.holdfast.broker.dashboard.Visit;

/** What needs a person, who is at work, how it has gone. */
public final class OverviewPage implements Page {
    private final AtWork atWork;

    public OverviewPage(Sources sources) {
        atWork = new AtWork(sources);
    }

    @Override
    public String path() {
        return "/";
    }

    @Override
    public Section section() {
        return Section.OVERVIEW;
    }

    @Override
    public Sheet show(Visit visit) {
        return Sheet.of("overview", "Overview", new OverviewView(atWork.now(visit.now())));
    }
}
