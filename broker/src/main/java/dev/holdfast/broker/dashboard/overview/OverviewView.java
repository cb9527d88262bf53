package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.part.Chart;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import java.util.List;

/**
 * What the first page shows.
 *
 * @param lead the state of things in one line
 * @param fresh nothing has happened yet: say how to begin
 */
public record OverviewView(
        String heading,
        String lead,
        List<Needs.Need> needs,
        AtWork.Now atWork,
        List<Range> ranges,
        List<Chart> charts,
        List<Done> done,
        boolean fresh) {
    /** What the charts show. */
    public record Range(String says, String path, boolean chosen) {}

    /** Something that was done. */
    public record Done(String key, State state, String title, String path, String says, When at) {}
}
