package dev.holdfast.broker.dashboard;

import dev.holdfast.store.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Adds a version to every region and row of a page, so that an open page can tell what has changed without comparing,
 * or even reading, the rest. What only changes with the clock does not count: pages update that themselves.
 */
final class Versions {
    private static final Pattern PLACE = Pattern.compile(" data-(region|row data-key)=\"");
    private static final Pattern AGE = Pattern.compile("(<time [^<>]*data-(?:ago|left)>)[^<]*");
    private static final Pattern LEASE =
            Pattern.compile("<svg class=\"lease[^<>]*( data-from=\"[0-9]+\" data-until=\"[0-9]+\">).*?</svg>");
    private static final int DIGITS = 16;

    private Versions() {}

    /**
     * @param start where its first tag begins
     * @param at where, in that tag, the attribute begins that makes it a region or a row
     */
    private record Place(int start, int at, boolean row) {}

    /** Returns the page with a version before the name of each region and row. */
    static String in(String html) {
        List<Place> places = places(html);
        StringBuilder out = new StringBuilder(html.length() + places.size() * (DIGITS + 10));
        int done = 0;
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            int end = place.row() ? endOfRow(html, place) : endOfRegion(html, places, i);
            out.append(html, done, place.at())
                    .append(" data-v=\"")
                    .append(of(html.substring(place.start(), end)))
                    .append('"');
            done = place.at();
        }
        return out.append(html, done, html.length()).toString();
    }

    private static List<Place> places(String html) {
        List<Place> places = new ArrayList<>();
        Matcher found = PLACE.matcher(html);
        while (found.find()) {
            int start = html.lastIndexOf('<', found.start());
            if (html.indexOf('>', start) > found.start()) { // otherwise it is in somebody's text
                places.add(new Place(start, found.start(), !found.group(1).equals("region")));
            }
        }
        return places;
    }

    /** Rows are never nested. */
    private static int endOfRow(String html, Place row) {
        String tag = html.substring(row.start() + 1, html.indexOf(' ', row.start()));
        int end = html.indexOf("</" + tag + ">", row.at());
        return end < 0 ? html.length() : end;
    }

    /** Regions are not nested either: at most, a region's text reaches to the next region. */
    private static int endOfRegion(String html, List<Place> places, int region) {
        for (int next = region + 1; next < places.size(); next++) {
            if (!places.get(next).row()) {
                return places.get(next).start();
            }
        }
        return html.length();
    }

    private static String of(String part) {
        String still = LEASE.matcher(AGE.matcher(part).replaceAll("$1")).replaceAll("$1");
        return Sha256.hex(still).substring(0, DIGITS);
    }
}
