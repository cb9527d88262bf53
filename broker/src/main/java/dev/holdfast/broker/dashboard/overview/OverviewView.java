package dev.holdfast.broker.dashboard.overview;

import java.util.List;

/** What the first page shows. */
public record OverviewView(List<AtWork.Holding> atWork) {}
