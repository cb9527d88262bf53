package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.part.Chart;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import java.util.List;

/**
 * What the first page shows.
 *
 * @param lead the situation in one line
 * @param fresh nothing has happened yet: the page says how to start
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
    /** A period that the charts can show. */
    public record Range(String says, String path, boolean chosen) {}

    /** A review that was judged, an item that was closed, or a task that ended. */
    public record Done(String key, State state, String title, String path, String says, When at) {}
}
